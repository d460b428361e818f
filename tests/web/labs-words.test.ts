// The texts of the labs: controls accept the values that they show, refusals name what was expected, and every node has a name and a meaning.
import { joinedPieces } from "../../web/config/tokens.js";
import { describe, expect, test } from "vitest";
import type { ConfigOf, LabId, NumbersOf } from "../../web/config/config.js";
import { parameterCount as blockCount } from "../../web/config/labs/block.js";
import { parameterCount } from "../../web/config/labs/vit.js";
import { problems } from "../../web/config/validate.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn, type Language } from "../../web/i18n/words.js";
import type { Lab } from "../../web/telling/lab.js";
import { allowedCells } from "../../web/labs/attention/mask.js";
import { isRefused } from "../../web/telling/typed-values.js";
import type { FormulaElement } from "../../web/marks/formula.js";
import { computed, configOf, givenBert, labOf } from "./labs-sessions.js";

const languages: Language[] = ["en", "zh-CN"];
const en = wordsIn("en");

/** The image lab with given parameters. */
function givenVit(): ConfigOf<"vit"> {
  const { numbers, ...state } = configOf<"vit">("harbour-encoder", {
    size: 16,
    classes: ["sun", "boat, left"],
  });
  const parameters = [Array.from({ length: parameterCount(numbers) }, (_, at) => Math.sin(at))];
  return { ...state, numbers: { ...numbers, parameters } };
}

/** The block lab with given parameters. */
function givenBlock(): ConfigOf<"block"> {
  const { numbers, ...state } = configOf<"block">("pre-norm", {
    layers: 2,
    vocabulary: ["the", "cat", "sat", "on", "mat"],
  });
  const parameters = [Array.from({ length: blockCount(numbers) }, (_, at) => Math.sin(at))];
  return { ...state, numbers: { ...numbers, parameters } };
}

const variants: ConfigOf<LabId>[] = [
  ...examples.map(({ config }) => config),
  configOf<"attention">("four-words", { memory: ["a", "b"], mask: "causal", scale: false }),
  configOf<"attention">("four-words", { mask: "causal" }),
  configOf<"multi-head">("two-heads", { mask: "causal", keyDim: 3, valueDim: 2 }),
  ...(["absolute", "learned", "rotary", "alibi", "shift"] as const).map((encoding) =>
    configOf<"positions">("fifty-positions", { encoding, dim: 8, length: 6 }),
  ),
  configOf<"positions">("fifty-positions", { encoding: "none" }),
  configOf<"positions">("fifty-positions", { encoding: "none", tokens: ["one"], wordDim: 3 }),
  configOf<"positions">("fifty-positions", { encoding: "compare", wordDim: 4, swap: [0, 3] }),
  configOf<"positions">("fifty-positions", { encoding: "rotary", dim: 4, length: 3, x: [[1, 2, 3, 4]] }),
  configOf<"vit">("letter", { cls: false }),
  givenVit(),
  givenBlock(),
  configOf<"block">("one-block", { tokens: ["one"], dim: 1, heads: 1, hidden: 1 }),
  configOf<"block">("one-block", { dropout: 0.5, unbiased: true, activation: "gelu" }),
  configOf<"block">("pre-norm", { dropout: 0, heads: 4 }),
  configOf<"block">("heights", { x: [[7]], claim: null }),
  configOf<"block">("pre-norm", { layers: 3, layer: 1, dropout: 0.5, activation: "gelu" }),
  configOf<"block">("pre-norm", { layers: 2, residual: false, scaleEmbedding: false }),
  configOf<"block">("one-block", { layerNorm: false }),
  configOf<"block">("one-block", { layers: 6, layer: 5, residual: false, dropout: 0.3 }),
  configOf<"losses">("sure-and-wrong", { topic: "divergence", spread: "all", logits: null }),
  configOf<"losses">("label-smoothing", { smoothing: 0, targets: [2], logits: [[-3, 0, 900]] }),
  configOf<"bert">("masked-mat", { tokens: ["one"], second: [], hidden: [1], dim: 1, heads: 1 }),
  configOf<"bert">("masked-untrained", { hidden: [1, 2, 8], heads: 8 }),
  configOf<"bert">("masked-untrained", { layers: 3, layer: 1 }),
  configOf<"bert">("masked-mat", givenBert(20, { layer: 1 })),
  configOf<"bert">("masked-mat", givenBert(20, { rule: "drawn", layers: 1, heads: 1 })),
];

const open = (config: ConfigOf<LabId>): Lab<LabId> => labOf(config) as unknown as Lab<LabId>;

describe("the sentence", () => {
  test("has a control for every slot and a slot for every control, in both languages", () => {
    for (const config of variants) {
      for (const language of languages) {
        const { text, controls } = open(config).sentence(config, wordsIn(language));
        const slots = [...text.matchAll(/\{(\w+)\}/g)].map(([, id]) => id);
        expect([...slots].sort()).toEqual(controls.map(({ id }) => id).sort());
        expect(new Set(slots).size).toBe(slots.length);
        for (const { id, label, title } of controls) {
          expect(`${label} ${title}`).not.toMatch(/[{}]/);
          // A name that is missing would be the id.
          expect(title).not.toBe(id);
        }
      }
    }
  });

  test("accepts every value that it shows without a change, and every option is valid", () => {
    for (const config of variants) {
      const lab = open(config);
      for (const { id, kind, value, options = [], min, max } of lab.sentence(config, en).controls) {
        if (id === "item" || (kind === "image" && value === "")) continue;
        const same = lab.change(config.numbers, id, value, en);
        expect([id, isRefused(same)]).toEqual([id, false]);
        const redrawn =
          (id === "draw" || id === "seed") && "wq" in config.numbers && value !== "given"
            ? { wq: null, wk: null, wv: null }
            : id === "seed" && "logits" in config.numbers && config.numbers.topic !== "dropout"
              ? { logits: null }
              : {};
        expect([id, same]).toEqual([id, { ...config.numbers, ...redrawn }]);
        for (const option of options) {
          if (option.disabled !== undefined) continue;
          const next = lab.change(config.numbers, id, option.value, en);
          expect([id, option.value, isRefused(next) ? next.refused : problems(lab.id, next)]).toEqual([
            id,
            option.value,
            [],
          ]);
        }
        for (const bound of [min, max]) {
          if (bound === undefined) continue;
          const next = lab.change(config.numbers, id, String(bound), en);
          if (!isRefused(next)) expect([id, bound, problems(lab.id, next)]).toEqual([id, bound, []]);
        }
      }
    }
  });

  test("refuses with field, expected and actual, in the reader's language", () => {
    const { numbers } = configOf<"attention">("four-words");
    const lab = labOf(configOf<"attention">("four-words"));
    const refused = (control: string, value: string, language: Language = "en") => {
      const answer = lab.change(numbers, control, value, wordsIn(language));
      return isRefused(answer) ? answer.refused : "taken";
    };
    expect(refused("dim", "0")).toBe(
      "Numbers per word, d_model: expected a whole number from 1 to 512, got 0.",
    );
    expect(refused("dim", "3.5")).toMatch(/got 3\.5/);
    expect(refused("seed", "-1", "zh-CN")).toBe("种子：应为 0 到 4294967295 的整数，收到 -1。");
    expect(refused("mask", "diagonal")).toMatch(
      /expected one of none, causal, painted, padding, got diagonal/,
    );
    expect(refused("words", "")).toMatch(/expected 1 to 64 words, got 0/);
    expect(refused("words", "a ".repeat(65))).toMatch(/got 65/);
    expect(refused("words", "a".repeat(41))).toMatch(/at most 40 characters, got one of 41/);
    expect(refused("words", joinedPieces(["a".repeat(41)]))).toMatch(/at most 40 characters, got one of 41/);
    expect(refused("words", joinedPieces([" a"]))).not.toBe("taken");
    expect(refused("words", joinedPieces(["\u4F60\u597D", "<E4>"]))).toBe("taken");
    expect(refused("paint", "0,9,1")).toMatch(/got 0,9,1/);
    expect(refused("nothing", "1")).toMatch(/no setting named nothing/);
    const heads = labOf(configOf<"multi-head">("two-heads"));
    const answer = heads.change(configOf<"multi-head">("two-heads").numbers, "heads", "3", en);
    expect(isRefused(answer) && answer.refused).toBe("Heads: expected a divisor of 8, got 3.");
  });

  test("words of any script can be typed; typed words replace an example's own vectors", () => {
    const lab = labOf(configOf<"attention">("four-words"));
    const next = lab.change(configOf<"attention">("four-words").numbers, "words", "the 注意力 🐱cat", en);
    expect(next).toMatchObject({ tokens: ["the", "注意力", "🐱cat"], source: "words", x: null });
    const three = configOf<"attention">("three-tokens").numbers;
    expect(lab.change(three, "words", "哈基咪 南北 绿豆", en)).toBe(three);
    expect(lab.change(three, "words", "哈基咪 南方", en)).toMatchObject({ tokens: ["哈基咪", "南方"] });
    expect(lab.change(three, "words", "哈基咪", en)).toMatchObject({ tokens: ["哈", "基", "咪"] });
    const one = { ...three, tokens: ["哈基咪"] };
    expect(lab.change(one, "words", "哈基咪", en)).toMatchObject({ tokens: ["哈基咪"] });
  });

  test.each([
    ["我爱你。你爱我。", "我爱你.你爱我"],
    ["哈基咪喜欢绿豆，哈基咪爱曼波。", "哈基咪喜欢绿豆哈基咪爱曼波"],
    ["今天天气 很好，我们 去 公园\n公园 很好", "今天天气,很好,我们,去,公园.公园,很好"],
  ])("a text is cut at its spaces, or at each character if it has none: %s", (typed, expectedWords) => {
    const learned = configOf<"words">("small-kingdom");
    const next = labOf(learned).change(learned.numbers, "text", typed, en);
    if (isRefused(next)) throw new Error(next.refused);
    const between = typed.includes(" ") ? "," : "";
    expect(next.text.join(between).replaceAll(`${between}.${between}`, ".")).toBe(expectedWords);
  });

  test("a setting that changes shapes removes the edits of cells that no longer exist and keeps the others", () => {
    const lab = labOf(configOf<"attention">("four-words"));
    const numbers = {
      ...configOf<"attention">("four-words").numbers,
      edits: [
        { node: "W_Q", index: [0, 2], value: 1 },
        { node: "W_V", index: [0, 2], value: 1 },
      ],
    };
    const next = lab.change(numbers, "keyDim", "2", en);
    expect(isRefused(next) ? next : next.edits).toEqual([{ node: "W_V", index: [0, 2], value: 1 }]);
  });
});

describe("painting a mask", () => {
  const lab = labOf(configOf<"attention">("four-words"));
  const painted = (numbers: NumbersOf["attention"], ...strokes: string[]) =>
    strokes.reduce((now, stroke) => lab.change(now, "paint", stroke, en) as NumbersOf["attention"], numbers);

  test("starts from the pairs that the current mask allows", () => {
    const { numbers } = configOf<"attention">("four-words", { mask: "causal" });
    const next = painted(numbers, "0,3,1", "3,0,0");
    const expected = allowedCells(numbers, 4, 4);
    expected[0]![3] = true;
    expected[3]![0] = false;
    expect([next.mask, next.paint]).toEqual(["painted", expected]);
    expect(problems("attention", next)).toEqual([]);
  });

  test("starts from the pairs that the current mask allows when it is chosen by its name", () => {
    const { numbers } = configOf<"attention">("four-words", { mask: "causal" });
    const next = lab.change(numbers, "mask", "painted", en) as NumbersOf["attention"];
    expect([next.mask, next.paint]).toEqual(["painted", allowedCells(numbers, 4, 4)]);
  });

  test("keeps the painted cells while another mask is chosen, and resizes them with the words", () => {
    const once = painted(configOf<"attention">("four-words").numbers, "1,1,0");
    const back = ["causal", "painted"].reduce(
      (now, mask) => lab.change(now, "mask", mask, en) as NumbersOf["attention"],
      once,
    );
    expect(back.paint).toEqual(once.paint);
    const wider = lab.change(once, "words", "a b c d e", en) as NumbersOf["attention"];
    expect(wider.paint!.map((row) => row.length)).toEqual([5, 5, 5, 5, 5]);
    expect(wider.paint![1]![1]).toBe(false);
  });

  test("a row without allowed keys has a remark with an action that repairs the mask", () => {
    const numbers = painted(configOf<"attention">("four-words").numbers, "2,0,0", "2,1,0", "2,2,0", "2,3,0");
    const config = configOf<"attention">("four-words", numbers);
    const [remark] = lab.remarks(config, computed(config).snapshots, en);
    expect(remark!.title).toBe("Word 3 may look at nothing.");
    const { control, value } = remark!.actions[0]!.change!;
    const repaired = lab.change(numbers, control, value, en) as NumbersOf["attention"];
    expect(lab.remarks({ ...config, numbers: repaired }, new Map(), en)).toEqual([]);
  });
});

describe("remarks", () => {
  test("the remark of an overflow names its first cell", () => {
    const config = configOf<"attention">("four-words", {
      edits: [
        { node: "X", index: [0, 0], value: 1e200 },
        { node: "X", index: [1, 0], value: 1e200 },
      ],
    });
    const [remark] = labOf(config).remarks(config, computed(config).snapshots, en);
    expect(remark!.id).toBe("not-a-number");
    expect(remark!.body).toMatch(/^The first is scores\[0, 0\]/);
    expect(remark!.actions[0]!.cell).toEqual({ node: "scores", index: [0, 0] });
  });

  test("masked scores are minus infinity by design and have no remark", () => {
    const config = configOf<"attention">("four-words", { mask: "causal" });
    expect(labOf(config).remarks(config, computed(config).snapshots, en)).toEqual([]);
  });

  test("random projections of width 128 have a remark that almost every row chooses one word; scaled ones have none", () => {
    const config = configOf<"multi-head">("ten-by-twenty-run-1");
    const lab = labOf(config);
    const [remark] = lab.remarks(config, computed(config).snapshots, en);
    expect(remark!.title).toBe("Random projections this wide make almost every row choose one word.");
    expect(remark!.body).toMatch(/^In 1467 of 1600 rows/);
    const { control, value } = remark!.actions[0]!.change!;
    const numbers = lab.change(config.numbers, control, value, en) as NumbersOf["multi-head"];
    const scaled = { ...config, example: null, numbers };
    expect(lab.remarks(scaled, computed(scaled).snapshots, en)).toEqual([]);
  });
});

function symbolsOf(formula: FormulaElement): Set<string> {
  const found = new Set<string>(formula.symbol ? [formula.symbol] : []);
  for (const child of formula.children)
    if (typeof child !== "string") for (const symbol of symbolsOf(child)) found.add(symbol);
  return found;
}

/** The number in the first of names that differ only by a number that counts up; null for other names, and for words, which count from 1. */
function countedFrom(names: readonly string[]): number | null {
  const parts = names.map((name) => /^(\D*)(\d+)(\D*)$/.exec(name));
  const [first] = parts;
  if (!first || names.length < 2 || first[1] === "word " || first[1] === "词 ") return null;
  const counts = parts.every(
    (part, at) => part && part[1] === first[1] && Number(part[2]) === Number(first[2]) + at,
  );
  return counts ? Number(first[2]) : null;
}

describe("every node", () => {
  for (const config of variants) {
    const lab = open(config);
    test(`of ${lab.id} ${JSON.stringify(config.numbers).slice(0, 60)} has words`, () => {
      const { snapshots } = computed(config);
      const has = ({ node, index }: { node: string; index: number[] }) => {
        const shape = snapshots.get(node)?.shape;
        return (
          shape !== undefined &&
          shape.length === index.length &&
          index.every((at, axis) => at >= 0 && at < shape[axis]!)
        );
      };
      for (const language of languages) {
        const words = wordsIn(language);
        for (const text of [
          lab.title(config, words),
          lab.lede(config, words, false),
          lab.lede(config, words, true),
        ])
          expect(text).not.toMatch(/[{}]|undefined/);
        for (const [node, { shape }] of snapshots) {
          const nodeWords = lab.nodeWords(config, node, words, snapshots);
          const last = shape.map((size) => size - 1);
          // A node inside a layer that no lab draws has no names for its places.
          if (nodeWords.axes.length > 0) expect([node, nodeWords.axes.length]).toEqual([node, shape.length]);
          nodeWords.axes.forEach(
            (names, axis) => names && expect([node, axis, names.length]).toEqual([node, axis, shape[axis]]),
          );
          // The positions of PE_pk start at the shift k, not at 0.
          for (const names of node === "PE_pk" ? [] : nodeWords.axes) {
            const first = countedFrom(names ?? []);
            if (first !== null) expect([node, names![0], first]).toEqual([node, names![0], 0]);
          }
          expect(`${nodeWords.name} ${nodeWords.single} ${nodeWords.meaning(last)}`).not.toMatch(
            /[{}]|undefined|NaN/,
          );
          expect(
            nodeWords.name.length * nodeWords.single.length * nodeWords.symbol.text.length,
          ).toBeGreaterThan(0);
        }
        for (const { cell, nodes, title, sentence } of lab.steps(config, words, snapshots)) {
          expect([cell, has(cell)]).toEqual([cell, true]);
          for (const node of nodes) expect([node, snapshots.has(node)]).toEqual([node, true]);
          expect(`${title} ${sentence}`).not.toMatch(/[{}]|undefined/);
        }
        const { id, parts } = lab.formula(config, words, snapshots);
        const symbols = symbolsOf(lab.formulas[id]!);
        for (const { symbol, nodes, label } of parts) {
          expect([id, symbol, symbols.has(symbol)]).toEqual([id, symbol, true]);
          for (const node of nodes) expect([node, snapshots.has(node)]).toEqual([node, true]);
          expect(label).not.toMatch(/[{}]|undefined/);
        }
      }
      expect(has(lab.opening(config, snapshots))).toBe(true);
    });
  }
});
