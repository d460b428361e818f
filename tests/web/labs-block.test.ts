// The block lab's numbers against the same layer written out in plain arithmetic, from the leaves that the lab shows.
import { describe, expect, test } from "vitest";
import type { BlockNumbers } from "../../web/config/labs/block.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { computed, configOf, golden } from "./labs-sessions.js";

type Rows = number[][];

const rowsOf = (snapshots: Snapshots, node: string): Rows => {
  const { shape, data } = snapshots.get(node)!;
  const width = shape.at(-1)!;
  return Array.from({ length: data.length / width }, (_, row) => [
    ...data.slice(row * width, (row + 1) * width),
  ]);
};
/** x W^T + b, as torch.nn.Linear. */
const linear = (x: Rows, weight: Rows, bias: number[]): Rows =>
  x.map((row) => weight.map((out, at) => out.reduce((sum, w, i) => sum + w * row[i]!, bias[at]!)));
const add = (a: Rows, b: Rows): Rows => a.map((row, i) => row.map((value, j) => value + b[i]![j]!));

/** The error function to 1e-15, by its series. */
function erf(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** torch.nn.TransformerEncoderLayer on the words of the lab, in plain arithmetic; layer norm by n or n - 1. */
function reference(snapshots: Snapshots, numbers: BlockNumbers): Record<string, Rows> {
  const { tokens, dim, heads, activation, norm, unbiased } = numbers;
  const leaf = (node: string): Rows => rowsOf(snapshots, node);
  const vocabulary = [...new Set(tokens)];
  const table = leaf("E");
  const x = tokens.map((token, position) =>
    table[vocabulary.indexOf(token)]!.map((value, column) => {
      const angle = position / 10000 ** ((column - (column % 2)) / dim);
      return value * Math.sqrt(dim) + (column % 2 ? Math.cos(angle) : Math.sin(angle));
    }),
  );
  const layerNorm = (rows: Rows, which: number): Rows =>
    rows.map((row) => {
      const mean = row.reduce((sum, value) => sum + value, 0) / dim;
      const squares = row.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      const deviation = Math.sqrt(squares / (unbiased ? dim - 1 : dim) + 1e-5);
      return row.map(
        (value, at) =>
          ((value - mean) / deviation) * leaf(`norm${which}.weight`)[0]![at]! +
          leaf(`norm${which}.bias`)[0]![at]!,
      );
    });
  const attention = (rows: Rows): Rows => {
    const weight = leaf("self_attn.in_proj_weight");
    const bias = leaf("self_attn.in_proj_bias")[0]!;
    const [q, k, v] = [0, 1, 2].map((part) =>
      linear(rows, weight.slice(part * dim, (part + 1) * dim), bias.slice(part * dim, (part + 1) * dim)),
    ) as [Rows, Rows, Rows];
    const width = dim / heads;
    const joined = q.map((query) =>
      query.map((_, column) => {
        const from = column - (column % width);
        const scores = k.map(
          (key) =>
            key.slice(from, from + width).reduce((sum, value, at) => sum + value * query[from + at]!, 0) /
            Math.sqrt(width),
        );
        const all = scores.reduce((sum, score) => sum + Math.exp(score), 0);
        return scores.reduce((sum, score, j) => sum + (Math.exp(score) / all) * v[j]![column]!, 0);
      }),
    );
    return linear(joined, leaf("self_attn.out_proj.weight"), leaf("self_attn.out_proj.bias")[0]!);
  };
  const bend = (value: number): number =>
    activation === "relu" ? Math.max(0, value) : (value * (1 + erf(value / Math.SQRT2))) / 2;
  const network = (rows: Rows): Rows =>
    linear(
      linear(rows, leaf("linear1.weight"), leaf("linear1.bias")[0]!).map((row) => row.map(bend)),
      leaf("linear2.weight"),
      leaf("linear2.bias")[0]!,
    );
  if (norm === "post") {
    const residual1 = add(x, attention(x));
    const norm1 = layerNorm(residual1, 1);
    const residual2 = add(norm1, network(norm1));
    return { x, residual1, norm1, residual2, norm2: layerNorm(residual2, 2) };
  }
  const norm1 = layerNorm(x, 1);
  const residual1 = add(x, attention(norm1));
  const norm2 = layerNorm(residual1, 2);
  return { x, norm1, residual1, norm2, residual2: add(residual1, network(norm2)) };
}

const close = (got: ArrayLike<number>, wanted: readonly number[], off = 1e-12): void => {
  expect(got.length).toBe(wanted.length);
  wanted.forEach((value, at) => expect(Math.abs(got[at]! - value)).toBeLessThanOrEqual(off));
};

describe("the whole block", () => {
  for (const norm of ["post", "pre"] as const)
    for (const activation of ["relu", "gelu"] as const)
      for (const unbiased of [false, true])
        test(`${norm}-norm with ${activation}, by ${unbiased ? "n - 1" : "n"}`, () => {
          const config = configOf<"block">("one-block", { norm, activation, unbiased, dim: 6, heads: 3 });
          const { snapshots } = computed(config);
          const wanted = reference(snapshots, config.numbers);
          for (const [node, rows] of Object.entries(wanted)) close(snapshots.get(node)!.data, rows.flat());
          const path = Object.values(wanted);
          const deviations = snapshots.get("deviations")!;
          expect(deviations.shape).toEqual([6, 5]);
          path.forEach((rows, place) =>
            rows.forEach((row, at) => {
              const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
              const squares = row.reduce((sum, value) => sum + (value - mean) ** 2, 0);
              close([deviations.data[at * 5 + place]!], [Math.sqrt(squares / row.length)]);
              close([snapshots.get("means")!.data[at * 5 + place]!], [mean]);
            }),
          );
        });

  test("dropout sets numbers to 0 and divides the others by 1 - p; another seed drops others", () => {
    const at = (seed: number) => computed(configOf<"block">("one-block", { dropout: 0.5, seed })).snapshots;
    const one = at(7);
    for (const [dropped, whole] of [
      ["dropped", "x"],
      ["self_attn.dropped", "self_attn.weights"],
      ["dropout1", "self_attn.output"],
      ["dropout", "activation"],
      ["dropout2", "linear2"],
    ] as const) {
      const before = one.get(whole)!.data;
      const after = one.get(dropped)!.data;
      const zeros = after.filter((value) => value === 0).length;
      expect(zeros).toBeGreaterThan(0);
      expect(zeros).toBeLessThan(after.length);
      after.forEach((value, i) => expect(value === 0 || value === 2 * before[i]!).toBe(true));
    }
    expect(at(8).get("dropout1")!.data).not.toEqual(one.get("dropout1")!.data);
    expect(at(7).get("norm2")!.data).toEqual(one.get("norm2")!.data);
  });
});

describe("layer norm alone", () => {
  test("gives the reference numbers of the heights by both rules, and not those of the text", () => {
    const { snapshots } = computed(configOf<"block">("heights"));
    close(snapshots.get("biased")!.data, golden("layer_norm", "heights_biased")["y"]!.data);
    close(snapshots.get("unbiased")!.data, golden("layer_norm", "heights_unbiased")["y"]!.data);
    close(snapshots.get("variance")!.data, [200, 250]);
    // By its own rule each has deviation 1, but for the epsilon under the root; the text's has neither.
    const found = [...snapshots.get("row_deviations")!.data].map((value) => value.toFixed(3));
    expect(found).toEqual(["1.000", "1.118", "0.894", "1.000", "1.131", "1.265"]);
  });

  test("of one number is 0 by n, and no number by n - 1", () => {
    const { snapshots } = computed(configOf<"block">("heights", { x: [[7]], claim: null }));
    expect([...snapshots.get("biased")!.data]).toEqual([0]);
    expect([...snapshots.get("unbiased")!.data]).toEqual([NaN]);
  });
});
