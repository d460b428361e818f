// Words in two orders: compares each encoding with its formula in plain arithmetic, and checks the difference that swapping two words makes.
import { sceneFor } from "../../web/page/open-lab.js";
import { describe, expect, test } from "vitest";
import { problems } from "../../web/config/validate.js";
import { orderOf, swappedOrder } from "../../web/config/labs/positions.js";
import type { PositionsNumbers } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { SCHEMES, type Scheme } from "../../web/labs/positions/order/schemes.js";
import { isRefused } from "../../web/telling/typed-values.js";
import { boardsOf } from "../../web/marks/board.js";
import { formatsOf } from "../../web/marks/board-drawing.js";
import { formatCell } from "../../web/marks/numbers.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { computed, configOf, labOf } from "./labs-sessions.js";

type Rows = number[][];

function rowsOf(snapshots: Snapshots, node: string): Rows {
  const { shape, data } = snapshots.get(node)!;
  const width = shape.at(-1)!;
  return Array.from({ length: data.length / width }, (_, row) => [
    ...data.subarray(row * width, (row + 1) * width),
  ]);
}

const dot = (a: number[], b: number[]): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

/** softmax(x x^T / sqrt(d) + bias) values, where the rows of x are queries and keys. */
function attention(
  x: Rows,
  values: Rows,
  bias: (i: number, j: number) => number,
): { weights: Rows; output: Rows } {
  const weights = x.map((query, i) => {
    const powers = x.map((key, j) => Math.exp(dot(query, key) / Math.sqrt(query.length) + bias(i, j)));
    const sum = powers.reduce((total, power) => total + power);
    return powers.map((power) => power / sum);
  });
  const output = weights.map((row) =>
    values[0]!.map((_, column) => row.reduce((sum, weight, at) => sum + weight * values[at]![column]!, 0)),
  );
  return { weights, output };
}

const angle = (position: number, column: number, width: number): number =>
  position / 10000 ** ((column - (column % 2)) / width);

/** The rows that attention reads under a scheme, for rows at positions 0, 1, 2 ... `table` is the learned table, which is drawn. */
function inputRows(scheme: Scheme, rows: Rows, table: Rows): Rows {
  const width = rows[0]!.length;
  return rows.map((row, p) =>
    row.map((value, column) => {
      const turn = angle(p, column, width);
      switch (scheme) {
        case "absolute":
          return value + p;
        case "learned":
          return value + table[p]![column]!;
        case "sinusoidal":
          return value + (column % 2 === 0 ? Math.sin(turn) : Math.cos(turn));
        case "rotary":
          return column % 2 === 0
            ? value * Math.cos(turn) - row[column + 1]! * Math.sin(turn)
            : value * Math.cos(turn) + row[column - 1]! * Math.sin(turn);
        default:
          return value;
      }
    }),
  );
}

function expectClose(got: Rows, expected: Rows, what: string): void {
  got.forEach((row, i) =>
    row.forEach((value, j) =>
      expect([what, i, j, Math.abs(value - expected[i]![j]!) < 1e-12]).toEqual([what, i, j, true]),
    ),
  );
}

describe("the comparison of encodings", () => {
  const config = configOf<"positions">("six-encodings", { seed: 3 });
  const { snapshots } = computed(config);
  const places = swappedOrder(orderOf(config.numbers));
  const words = rowsOf(snapshots, "X");
  const table = rowsOf(snapshots, "learned.PE");

  for (const scheme of SCHEMES) {
    test(`${scheme}: weights, output and difference equal its formula, in both orders`, () => {
      // The first of ALiBi's eight heads subtracts 1/2 from a score for each place of distance.
      const bias = (i: number, j: number): number => (scheme === "alibi" ? -Math.abs(i - j) / 2 : 0);
      const outputs = [words, places.map((place) => words[place]!)].map((rows, order) => {
        const input = inputRows(scheme, rows, table);
        const { weights, output } = attention(input, scheme === "rotary" ? rows : input, bias);
        const side = order === 0 ? "" : "swapped.";
        expectClose(rowsOf(snapshots, `${scheme}.${side}weights`), weights, `${side}weights`);
        expectClose(rowsOf(snapshots, `${scheme}.${side}output`), output, `${side}output`);
        return output;
      });
      const swappedOutput = places.map((place) => outputs[0]![place]!);
      const difference = outputs[1]!.map((row, i) => row.map((value, j) => value - swappedOutput[i]![j]!));
      expectClose(rowsOf(snapshots, `${scheme}.difference`), difference, "difference");
    });
  }

  test("the difference is 0 only without an encoding", () => {
    for (const scheme of SCHEMES) {
      const largest = Math.max(...rowsOf(snapshots, `${scheme}.difference`).flat().map(Math.abs));
      expect([scheme, largest > 0.01, largest < 1e-14]).toEqual([
        scheme,
        scheme !== "none",
        scheme === "none",
      ]);
    }
  });

  test("the absolute index is larger than the words: every word but the first attends to the last", () => {
    const { snapshots: first } = computed(configOf<"positions">("six-encodings"));
    const weights = rowsOf(first, "absolute.weights");
    for (const row of weights.slice(1)) expect(row.at(-1)).toBeGreaterThan(0.99);
    expect(rowsOf(first, "none.weights")[1]!.at(-1)).toBeLessThan(0.2);
  });
});

describe("two orders", () => {
  test("any two words can change places, also with edited numbers", () => {
    const edits = [{ node: "X", index: [2, 1], value: 7 }];
    const { snapshots } = computed(configOf<"positions">("two-orders", { swap: [0, 2], edits }));
    expect([...snapshots.get("order")!.data]).toEqual([2, 1, 0, 3, 4]);
    expect(rowsOf(snapshots, "X")[2]![1]).toBe(7);
    expect(rowsOf(snapshots, "swapped.X")[0]).toEqual(rowsOf(snapshots, "X")[2]);
    for (const value of snapshots.get("difference")!.data) expect(Math.abs(value)).toBeLessThan(1e-13);
  });

  test("equal words have equal output rows without an encoding, and different ones with each encoding", () => {
    const { snapshots } = computed(configOf<"positions">("six-encodings"));
    const rows = (scheme: Scheme): [string, string] => {
      const output = rowsOf(snapshots, `${scheme}.output`).map((row) =>
        row.map((value) => value.toFixed(9)).join(),
      );
      return [output[0]!, output[3]!];
    };
    for (const scheme of SCHEMES)
      expect([scheme, rows(scheme)[0] === rows(scheme)[1]]).toEqual([scheme, scheme === "none"]);
  });
});

describe("settings", () => {
  const en = wordsIn("en");
  const { numbers } = configOf<"positions">("two-orders");
  const lab = labOf(configOf<"positions">("two-orders"));
  const set = (from: PositionsNumbers, control: string, value: string): PositionsNumbers => {
    const answer = lab.change(from, control, value, en);
    if (isRefused(answer)) throw new Error(answer.refused);
    expect(problems("positions", answer)).toEqual([]);
    return answer;
  };

  test("with fewer words, a place to swap that no longer exists becomes an existing one", () => {
    const far = set(set(numbers, "words", "a b c d e f"), "second", "5");
    expect(orderOf(far).swap).toEqual([1, 5]);
    expect(orderOf(set(far, "words", "a b")).swap).toEqual([0, 1]);
  });

  test("the comparison has an even width, because RoPE rotates pairs", () => {
    const odd = set(numbers, "wordDim", "5");
    expect(orderOf(set(odd, "encoding", "compare")).dim).toBe(6);
  });

  test("the settings of a single encoding stay as they are", () => {
    const back = set(set(numbers, "words", "a b c"), "encoding", "sinusoidal");
    expect(back).toMatchObject({ length: 50, dim: 512, tokens: ["a", "b", "c"] });
    expect(isRefused(lab.change(numbers, "first", "9", en))).toBe(true);
  });
});

test("without an encoding the difference consists of rounding errors, and none is written as 0", () => {
  const config = configOf<"positions">("two-orders");
  const { snapshots } = computed(config);
  const room = { width: 1232, height: 560, layout: "wide" as const, step: 0, cell: null };
  const scene = sceneFor(config, snapshots, { ...room, words: wordsIn("en") });
  const boards = boardsOf(scene, snapshots);
  const board = boards.find(({ node }) => node === "difference")!;
  expect(snapshots.get("difference")!.data.some((value) => value !== 0)).toBe(true);
  const format = formatsOf(boards).get(board);
  for (const value of snapshots.get("difference")!.data)
    if (format && value !== 0) expect(formatCell(value, format, board.cellWidth)).not.toBe("0");
});

test("a link to the map of an encoding opens the map also for a similarity, which a curve of the map shows", () => {
  const config = configOf<"positions">("fifty-positions");
  const { snapshots } = computed(config);
  const room = { width: 1232, height: 560, layout: "wide" as const, step: 0, words: wordsIn("en") };
  const cell = { node: "similarity", index: [7, 9] };
  const arrangementFor = (arrangement: string | null): string =>
    sceneFor(config, snapshots, { ...room, cell, arrangement }).arrangement!;
  expect([arrangementFor("map"), arrangementFor(null)]).toEqual(["map,7,20", "alike"]);
});
