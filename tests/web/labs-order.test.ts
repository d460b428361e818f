// Words in two orders: each encoding against its formula worked out here, and what a change of places does under each.
import { sceneFor } from "../../web/page/open-lab.js";
import { describe, expect, test } from "vitest";
import { problems } from "../../web/config/validate.js";
import { orderOf, swapped } from "../../web/config/labs/positions.js";
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

/** softmax(looks looks^T / sqrt(d) + bias) values. */
function attention(
  looks: Rows,
  values: Rows,
  bias: (i: number, j: number) => number,
): { weights: Rows; output: Rows } {
  const weights = looks.map((query, i) => {
    const powers = looks.map((key, j) => Math.exp(dot(query, key) / Math.sqrt(query.length) + bias(i, j)));
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

/** What attention reads of rows at positions 0, 1, 2 ... under a scheme; the learned table is drawn, so it is given. */
function read(scheme: Scheme, rows: Rows, table: Rows): Rows {
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

function close(got: Rows, expected: Rows, what: string): void {
  got.forEach((row, i) =>
    row.forEach((value, j) =>
      expect([what, i, j, Math.abs(value - expected[i]![j]!) < 1e-12]).toEqual([what, i, j, true]),
    ),
  );
}

describe("side by side", () => {
  const config = configOf<"positions">("six-encodings", { seed: 3 });
  const { snapshots } = computed(config);
  const places = swapped(orderOf(config.numbers));
  const words = rowsOf(snapshots, "X");
  const table = rowsOf(snapshots, "learned.PE");

  for (const scheme of SCHEMES) {
    test(`${scheme}: weights, output and difference are those of its formula, in both orders`, () => {
      // The first of eight heads of ALiBi takes half a score for each place of distance.
      const bias = (i: number, j: number): number => (scheme === "alibi" ? -Math.abs(i - j) / 2 : 0);
      const outputs = [words, places.map((place) => words[place]!)].map((rows, order) => {
        const looks = read(scheme, rows, table);
        const { weights, output } = attention(looks, scheme === "rotary" ? rows : looks, bias);
        const side = order === 0 ? "" : "swapped.";
        close(rowsOf(snapshots, `${scheme}.${side}weights`), weights, `${side}weights`);
        close(rowsOf(snapshots, `${scheme}.${side}output`), output, `${side}output`);
        return output;
      });
      const moved = places.map((place) => outputs[0]![place]!);
      const difference = outputs[1]!.map((row, i) => row.map((value, j) => value - moved[i]![j]!));
      close(rowsOf(snapshots, `${scheme}.difference`), difference, "difference");
    });
  }

  test("only without positions does nothing change", () => {
    for (const scheme of SCHEMES) {
      const largest = Math.max(...rowsOf(snapshots, `${scheme}.difference`).flat().map(Math.abs));
      expect([scheme, largest > 0.01, largest < 1e-14]).toEqual([
        scheme,
        scheme !== "none",
        scheme === "none",
      ]);
    }
  });

  test("the index drowns the words: every word but the first looks at the last", () => {
    const { snapshots: first } = computed(configOf<"positions">("six-encodings"));
    const weights = rowsOf(first, "absolute.weights");
    for (const row of weights.slice(1)) expect(row.at(-1)).toBeGreaterThan(0.99);
    expect(rowsOf(first, "none.weights")[1]!.at(-1)).toBeLessThan(0.2);
  });
});

describe("two orders", () => {
  test("the words that change places can be any, and changed by hand", () => {
    const edits = [{ node: "X", index: [2, 1], value: 7 }];
    const { snapshots } = computed(configOf<"positions">("two-orders", { swap: [0, 2], edits }));
    expect([...snapshots.get("order")!.data]).toEqual([2, 1, 0, 3, 4]);
    expect(rowsOf(snapshots, "X")[2]![1]).toBe(7);
    expect(rowsOf(snapshots, "swapped.X")[0]).toEqual(rowsOf(snapshots, "X")[2]);
    for (const value of snapshots.get("difference")!.data) expect(Math.abs(value)).toBeLessThan(1e-13);
  });

  test("the same word twice has the same row of the output without positions, and another with them", () => {
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

  test("with fewer words, places that are gone become those of words that are there", () => {
    const far = set(set(numbers, "words", "a b c d e f"), "second", "5");
    expect(orderOf(far).swap).toEqual([1, 5]);
    expect(orderOf(set(far, "words", "a b")).swap).toEqual([0, 1]);
  });

  test("side by side the width is even, for RoPE turns pairs", () => {
    const odd = set(numbers, "wordDim", "5");
    expect(orderOf(set(odd, "encoding", "compare")).dim).toBe(6);
  });

  test("what an encoding alone is made from stays as it is", () => {
    const back = set(set(numbers, "words", "a b c"), "encoding", "sinusoidal");
    expect(back).toMatchObject({ length: 50, dim: 512, tokens: ["a", "b", "c"] });
    expect(isRefused(lab.change(numbers, "first", "9", en))).toBe(true);
  });
});

test("without positions the difference keeps what rounding left, and none of it reads 0", () => {
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

test("the map of an encoding stays for a similarity that its curve shows, as links ask for it", () => {
  const config = configOf<"positions">("fifty-positions");
  const { snapshots } = computed(config);
  const room = { width: 1232, height: 560, layout: "wide" as const, step: 0, words: wordsIn("en") };
  const cell = { node: "similarity", index: [7, 9] };
  const opened = (arrangement: string | null): string =>
    sceneFor(config, snapshots, { ...room, cell, arrangement }).arrangement!;
  expect([opened("map"), opened(null)]).toEqual(["map,7,20", "alike"]);
});
