// Token ids that look up rows of a table: the rows equal NumPy's and the product, wrong ids are refused, and lines lead to the rows on the stage.
import { describe, expect, test } from "vitest";
import { decode, encode } from "../../web/config/codec.js";
import type { ConfigOf, NumbersOf } from "../../web/config/config.js";
import { lookupOf } from "../../web/config/labs/words.js";
import { problems } from "../../web/config/validate.js";
import { wordsIn, type Language } from "../../web/i18n/words.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { isRefused } from "../../web/telling/typed-values.js";
import { computed, configOf, labOf } from "./labs-sessions.js";

type Numbers = NumbersOf["words"];

const example = "ids-133-23-58";
const lookupConfig = (numbers: Partial<Numbers>): ConfigOf<"words"> =>
  configOf<"words">("dog-bites-man", { topic: "lookup", ...numbers });
const rowsOf = (config: ConfigOf<"words">, node: string): number[][] => {
  const { shape, data } = computed(config).snapshots.get(node)!;
  const width = shape.at(-1)!;
  return Array.from({ length: data.length / width }, (_, at) => [
    ...data.subarray(at * width, (at + 1) * width),
  ]);
};

describe("the rows", () => {
  // NumPy 1.24: np.random.seed(5); E = np.random.randn(200, 3); E[[133, 23, 58, 23]].
  const expected = [
    [1.1315139737358737, -0.8970939975073631, 0.6327118619482441],
    [0.7893664041799795, -1.8777408839472627, 1.5387561454090368],
    [0.4677052146287663, 0.10134479014204936, -0.05935198087781362],
    [0.7893664041799795, -1.8777408839472627, 1.5387561454090368],
  ];
  const config = lookupConfig({ seed: 5, dim: 3, rows: 200, ids: [133, 23, 58, 23] });

  test("equal NumPy's, also the first and the last row of a table", () => {
    const rows = rowsOf(config, "X");
    rows.forEach((row, at) => {
      row.forEach((value, column) => expect(value).toBeCloseTo(expected[at]![column]!, 14));
    });
    expect(rows).toHaveLength(expected.length);
    const ends = { ...config, numbers: { ...config.numbers, ids: [0, 199] } };
    const table = rowsOf(ends, "E");
    expect(rowsOf(ends, "X")).toEqual([table[0], table[199]]);
  });

  test("equal the product of one-hot rows and the table", () => {
    expect(rowsOf(config, "product")).toEqual(rowsOf(config, "X"));
    expect(rowsOf(config, "difference").flat()).toEqual(Array<number>(12).fill(0));
    const ones = rowsOf(config, "onehot").map((row) =>
      row.flatMap((value, at) => (value === 0 ? [] : [at, value])),
    );
    expect(ones).toEqual([133, 23, 58, 23].map((id) => [id, 1]));
  });

  test("change with an edited number of the table", () => {
    const edits = [{ node: "E", index: [23, 1], value: 7 }];
    const edited = { ...config, numbers: { ...config.numbers, edits } };
    expect(rowsOf(edited, "X").map((row) => row[1])).toEqual([expected[0]![1], 7, expected[2]![1], 7]);
    expect(problems("words", { ...edited.numbers, rows: 150 })).toEqual([]);
    expect(problems("words", { ...edited.numbers, ids: [1], rows: 23 })).toMatchObject([{ field: "edits" }]);
  });
});

describe("settings", () => {
  const { numbers } = configOf<"words">(example);
  const lab = labOf(configOf<"words">(example));
  const change = (control: string, typed: string, language: Language = "en", before = numbers) => {
    const answer = lab.change(before, control, typed, wordsIn(language));
    return isRefused(answer) ? answer.refused : lookupOf(answer);
  };

  test("accept ids with commas or spaces between them, also repeated ones", () => {
    expect(change("ids", "5, 5 999、0")).toEqual({ ids: [5, 5, 999, 0], rows: 1000 });
    expect(change("rows", "134")).toEqual({ ids: [133, 23, 58], rows: 134 });
  });

  test("refuse an id without a row in the table, and a table without a row for an id", () => {
    expect(change("ids", "133, 1000")).toBe(
      "Token ids: the table has 1000 rows, so expected ids from 0 to 999, got 1000.",
    );
    expect(change("ids", "-1", "zh-CN")).toBe("词元编号：嵌入矩阵有 1000 行，编号应为 0 到 999，收到 -1。");
    expect(change("ids", "1.5")).toMatch(/expected ids from 0 to 999, got 1\.5/);
    expect(change("ids", "")).toBe("Token ids: expected 1 to 8 ids, got 0.");
    expect(change("ids", "1 2 3 4 5 6 7 8 9")).toMatch(/got 9/);
    expect(change("rows", "100")).toBe(
      "Rows of the table: expected a whole number from 134 to 4096, got 100.",
    );
  });

  test("leave out values that equal the default", () => {
    const other = lab.change(numbers, "ids", "7", wordsIn("en")) as Numbers;
    const back = lab.change(other, "ids", "133 23 58", wordsIn("en")) as Numbers;
    expect("ids" in other && !("ids" in back)).toBe(true);
    const wider = lab.change(numbers, "rows", "2000", wordsIn("en")) as Numbers;
    expect("rows" in (lab.change(wider, "rows", "1000", wordsIn("en")) as Numbers)).toBe(false);
  });

  test("a link with an id without a row gives a notice and keeps the other ids", () => {
    const { config, notices } = decode("#v=1&lab=words&topic=lookup&rows=100");
    expect(notices).toMatchObject([
      { field: "ids", expected: { kind: "wholes", min: 0, max: 99 }, used: "23,58" },
    ]);
    expect(lookupOf((config as ConfigOf<"words">).numbers)).toEqual({ ids: [23, 58], rows: 100 });
  });

  test("links keep the example's edited rows of the table, and a table without them", () => {
    for (const edits of [numbers.edits, numbers.edits.slice(1), []]) {
      const config = {
        ...configOf<"words">(example),
        example: null,
        numbers: { ...numbers, edits, seed: 9 },
      };
      const read = decode(encode(config)).config as ConfigOf<"words">;
      expect(read.numbers).toEqual(config.numbers);
    }
  });
});

describe("the stage", () => {
  const room = { cell: null, step: 0, words: wordsIn("en") };
  const sizes = [
    { width: 1224, height: 520, layout: "wide" },
    { width: 772, height: 700, layout: "two" },
    { width: 374, height: 560, layout: "narrow" },
  ] as const;
  test.each(sizes)("$layout: lines lead from each id to its row of E and to its row of X", (size) => {
    for (const config of [
      configOf<"words">(example),
      lookupConfig({ dim: 8, rows: 4096, ids: [0, 4095, 2000, 7, 8, 9, 4000, 2000] }),
    ]) {
      const { ids, rows } = lookupOf(config.numbers);
      const { snapshots } = computed(config);
      const scene = sceneFor(config, snapshots, { ...room, ...size });
      const placed = new Map(scene.tensors.map((tensor) => [tensor.node, tensor]));
      const [table, result] = [placed.get("E")!, placed.get("X")!];
      ids.forEach((id, at) => {
        const curve = (name: string) => scene.curves.find((one) => one.id === `${name}-${at}`)!;
        const row = table.y + ((id + 0.5) / rows) * (rows * table.cellHeight);
        expect(curve("id").points[1]![1]).toBeCloseTo(row, 9);
        expect(curve("row").points[0]![1]).toBeCloseTo(row, 9);
        expect(curve("row").points[1]![1]).toBeCloseTo(result.y + (at + 0.5) * result.cellHeight, 9);
        expect(curve("cell").cells).toEqual([{ node: "E", index: [id, 0] }]);
      });
      for (const tensor of scene.tensors) {
        const columns = snapshots.get(tensor.node)!.shape[1] ?? 1;
        expect(tensor.x + columns * tensor.cellWidth).toBeLessThanOrEqual(size.width);
      }
      if (size.layout !== "narrow") expect(result.cellWidth).toBeGreaterThanOrEqual(24);
    }
  });
});
