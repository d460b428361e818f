// The name of a cell for screen readers: its tensor, row, column and number, in both languages. No two cells of a tensor have the same name.
import { sceneFor } from "../../web/page/open-lab.js";
import { expect, test } from "vitest";
import { numberIn } from "../browser/cell-name.js";
import { cellNames, type GridView } from "../../web/elements/stage/grid.js";
import type { Config } from "../../web/config/config.js";
import { decode } from "../../web/config/decode.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn } from "../../web/i18n/words.js";
import { tokensOf } from "../../web/labs/training/tokens.js";
import { boardsOf } from "../../web/marks/board.js";
import { formatNote } from "../../web/marks/numbers.js";
import { computed, configOf, labOf } from "./labs-sessions.js";

/** The number of rows and columns that are checked of a large tensor. */
const MOST = 40;

/** The names of the cells of every tensor that a lab draws, by the address of the cell. */
function namesIn(config: Config, language: "en" | "zh-CN"): Map<string, Map<string, string>> {
  const lab = labOf(config as never);
  const words = wordsIn(language);
  const { snapshots } = computed(config as never);
  const names = new Map<string, Map<string, string>>();
  for (const [step, { cell }] of lab.steps(config as never, words, snapshots).entries()) {
    const scene = sceneFor(config as never, snapshots, {
      width: 1232,
      height: 542,
      layout: "wide",
      step,
      cell,
      words,
    });
    for (const board of boardsOf(scene, snapshots)) {
      if (!board.tensor && board.patch === null) continue;
      const nodeWords = (node: string) => lab.nodeWords(config as never, node, words, snapshots);
      const view: GridView = {
        board,
        place: [0, 0],
        shown: Infinity,
        words,
        nodeWords,
        covered: null,
        isMoving: false,
      };
      const name = cellNames(view);
      const own = names.get(board.node) ?? new Map<string, string>();
      names.set(board.node, own);
      for (let row = 0; row < Math.min(MOST, board.rows); row++)
        for (let column = 0; column < Math.min(MOST, board.columns); column++) {
          const said = name(row, column);
          own.set(`${board.id} ${board.cellAt(row, column).index.join()}`, said.replace(/[:：][^:：]*$/, ""));
          expect(numberIn(said), said).toBe(formatNote(board.valueAt(row, column)!));
        }
    }
  }
  return names;
}

const all = examples.map(({ id, config }) => [id, config as unknown as Config] as const);

for (const language of ["en", "zh-CN"] as const)
  test.each(all)(`no two cells of a tensor have the same name: %s, ${language}`, (_id, config) => {
    const shared: string[] = [];
    for (const [node, names] of namesIn(config, language)) {
      const cells = new Map<string, string>();
      for (const [place, name] of names) {
        const [, index = ""] = place.split(" ");
        const before = cells.get(name) ?? index;
        if (before !== index) shared.push(`${node}[${before}], ${node}[${index}]: ${name}`);
        cells.set(name, index);
      }
    }
    expect(shared.slice(0, 8)).toEqual([]);
  });

test.each([
  ["four-words", "output", "1,2", "output, word 2, column 2"],
  ["four-words", "weights", "1,1", "weights, word 2, word 2"],
  ["four-words", "W_Q", "1,2", "query projection, row 1, column 2"],
  ["harbour", "bands", "60,0,6", "patch by channel, patch 60, red, row 0, column 6"],
  ["two-heads", "weights", "0,1,4,1", "weights, head 1, row 4 (the), cat"],
  ["cat-on-the-mat", "output", "4,1", "output, row 4 (the), column 1"],
  ["four-words", "weights", "1,2", "注意力权重，词 2，词 3", "zh-CN"],
] as const)(
  "of %s the name of %s[%s] is %s",
  (id, node, index, expected, language: "en" | "zh-CN" = "en") => {
    const names = namesIn(configOf(id) as unknown as Config, language).get(node) ?? new Map<string, string>();
    expect([...names].find(([place]) => place.endsWith(` ${index}`))?.[1]).toBe(expected);
  },
);

test("a token of the second line of a long answer is named as those of the first", () => {
  const link = "v=1&lab=training&task=text&window=64&batch=8&beside=none&steps=1&step=1";
  const config = decode(link).config as unknown as Config;
  const { snapshots } = computed(config as never);
  const tokens = tokensOf(snapshots, "asked_0.answer");
  const names = [...namesIn(config, "en").get("asked_0.certainty")!];
  expect(new Set(names.map(([place]) => place.split(" ")[0])).size).toBeGreaterThan(1);
  expect(new Set(names.map(([, name]) => name)).size).toBe(tokens.length);
  for (const [place, name] of names) expect(name).toContain(tokens[Number(place.split(" ")[1])]);
});
