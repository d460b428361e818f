/** The rules of each lab between its fields. */
import { hasSample } from "../examples/samples.js";
import { patchSizes } from "./bounds.js";
import type { ConfigOf, LabId, MultiHeadNumbers, NumbersOf, View } from "./config.js";
import { complexity } from "./labs/complexity.js";
import { encoderDecoder } from "./labs/encoder-decoder.js";
import { optimizersConfig } from "./labs/optimizers.js";
import { bert } from "./labs/bert.js";
import { block } from "./labs/block.js";
import { losses } from "./labs/losses.js";
import { scaling } from "./labs/scaling.js";
import { wordsConfig } from "./labs/words.js";
import { encoderFits, encoderMost, encoderOf, hasEncoder } from "./encoder.js";
import { expecting, shapeText } from "./expected.js";
import { batchCount, keyCount, positionCount, rowCount } from "./counts.js";
import { leavesOf } from "./leaves.js";
import { orderOf } from "./order.js";
import { images, sideOf } from "./pixels.js";
import { editsRule, noWords, shapeRule, sizes, type Problem, type Rule } from "./rule.js";

/** A painted mask of another size keeps the cells it shares; a cell it does not cover may be attended. */
function repainted(
  paint: readonly (readonly boolean[])[] | null,
  height: number,
  width: number,
): boolean[][] {
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => paint?.[row]?.[column] ?? true),
  );
}

interface Painted {
  mask: "none" | "causal" | "painted";
  paint: boolean[][] | null;
}

function paintRules<N extends Painted>(shape: (numbers: N) => [number, number]): Rule<N>[] {
  return [
    {
      ...shapeRule<N, "paint">("paint", shape),
      repair: (numbers) => ({ ...numbers, paint: repainted(numbers.paint, ...shape(numbers)) }),
    } as Rule<N>,
    {
      field: "mask",
      broken: ({ mask, paint }) =>
        mask === "painted" && !paint
          ? { expected: expecting("beside", { field: "paint" }), actual: "painted" }
          : null,
      repair: (numbers) => ({ ...numbers, mask: "none" }),
    },
  ];
}

export const rules: { [L in LabId]: Rule<NumbersOf[L]>[] } = {
  attention: [
    {
      field: "tokens",
      broken: ({ tokens }) => (tokens.length > 0 ? null : noWords),
      repair: (numbers, { tokens, source, x, dim }) => ({ ...numbers, tokens, source, x, dim }),
    },
    shapeRule("x", ({ tokens, dim }) => [tokens.length, dim]),
    {
      field: "source",
      broken: ({ source, x }) =>
        source === "values" && !x ? { expected: expecting("beside", { field: "x" }), actual: source } : null,
      repair: (numbers) => ({ ...numbers, source: "words" }),
    },
    shapeRule("wq", ({ dim, keyDim }) => [dim, keyDim]),
    shapeRule("wk", ({ dim, keyDim }) => [dim, keyDim]),
    shapeRule("wv", ({ dim, valueDim }) => [dim, valueDim]),
    ...paintRules<NumbersOf["attention"]>((numbers) => [numbers.tokens.length, keyCount(numbers)]),
    editsRule(leavesOf.attention),
  ],
  "multi-head": [
    {
      field: "source",
      broken: ({ source, tokens }) =>
        source === "words" && tokens.length === 0
          ? { expected: expecting("beside", { field: "tokens" }), actual: source }
          : null,
      repair: (numbers) => ({ ...numbers, source: "draw" }),
    },
    ...paintRules<NumbersOf["multi-head"]>((numbers) => [rowCount(numbers), rowCount(numbers)]),
    editsRule(leavesOf["multi-head"]),
  ],
  positions: [
    {
      field: "dim",
      broken: ({ encoding, dim }) =>
        (encoding === "rotary" || encoding === "shift") && dim % 2 === 1
          ? { expected: expecting("even"), actual: String(dim) }
          : null,
      repair: (numbers) => ({ ...numbers, dim: numbers.dim + 1 }),
    },
    {
      field: "x",
      broken(numbers) {
        const count = positionCount(numbers);
        const { x, dim } = numbers;
        if (!x || ((x.length === 1 || x.length === count) && x[0]?.length === dim)) return null;
        return {
          expected: expecting("shape", { shape: `${shapeText([count, dim])} / ${shapeText([1, dim])}` }),
          actual: sizes(x),
        };
      },
      repair: (numbers) => ({ ...numbers, x: null }),
    },
    {
      field: "tokens",
      broken: ({ tokens }) => (!tokens || tokens.length > 0 ? null : noWords),
      repair: (numbers) => ({ ...numbers, tokens: [...orderOf({ ...numbers, tokens: undefined }).tokens] }),
    },
    {
      field: "swap",
      broken(numbers) {
        const count = orderOf(numbers).tokens.length;
        const { swap } = numbers;
        if (!swap || swap.every((place) => place < count)) return null;
        return { expected: expecting("wholes", { count: 2, min: 0, max: count - 1 }), actual: swap.join() };
      },
      repair: (numbers) => ({ ...numbers, swap: [...orderOf({ ...numbers, swap: undefined }).swap] }),
    },
    {
      field: "wordDim",
      broken: (numbers) =>
        numbers.encoding === "compare" && orderOf(numbers).dim % 2 === 1
          ? { expected: expecting("even"), actual: String(orderOf(numbers).dim) }
          : null,
      repair: (numbers) => ({ ...numbers, wordDim: orderOf(numbers).dim + 1 }),
    },
    editsRule(leavesOf.positions),
  ],
  vit: [
    {
      field: "patch",
      broken: ({ patch, size }) =>
        size % patch === 0 ? null : { expected: expecting("divisor", { of: size }), actual: String(patch) },
      repair: (numbers, base) => ({
        ...numbers,
        patch:
          numbers.size % base.patch === 0
            ? base.patch
            : patchSizes.findLast((patch) => numbers.size % patch === 0)!,
      }),
    },
    {
      field: "image",
      broken({ image, size }) {
        if ("sample" in image)
          return hasSample(image.sample)
            ? null
            : { expected: expecting("image", images), actual: image.sample };
        if (image.pixels.length === size * size * 3) return null;
        const side = sideOf(image.pixels.length) ?? 0;
        return {
          expected: expecting("shape", { shape: shapeText([size, size, 3]) }),
          actual: shapeText([side, side, 3]),
        };
      },
      repair: (numbers, { image, size }) =>
        "sample" in image ? { ...numbers, image } : { ...numbers, image, size },
    },
    {
      field: "layers",
      broken(numbers) {
        return hasEncoder(numbers) && !encoderFits(numbers)
          ? { expected: expecting("encoder", encoderMost), actual: String(numbers.layers) }
          : null;
      },
      repair: (numbers) => ({ ...numbers, layers: 0 }),
    },
    {
      field: "heads",
      broken: ({ dim, heads }) =>
        heads === undefined || dim % heads === 0
          ? null
          : { expected: expecting("divisor", { of: dim }), actual: String(heads) },
      repair: (numbers) => ({ ...numbers, heads: encoderOf({ ...numbers, heads: undefined }).heads }),
    },
    editsRule(leavesOf.vit),
  ],
  "encoder-decoder": encoderDecoder.rules,
  optimizers: optimizersConfig.rules,
  block: block.rules,
  losses: losses.rules,
  complexity: complexity.rules,
  scaling: scaling.rules,
  bert: bert.rules,
  words: wordsConfig.rules,
};

/** What is asked of `heads` when the widths of a head are not given: they share dim evenly. */
export function headsProblem({ heads, dim }: Pick<MultiHeadNumbers, "heads" | "dim">): Problem | null {
  return dim % heads === 0
    ? null
    : { field: "heads", expected: expecting("divisor", { of: dim }), actual: String(heads) };
}

/** The head count to use for one that does not divide dim: `wish` if it does, else the next smaller that does. */
export function nearestHeads(dim: number, heads: number, wish: number): number {
  if (dim % wish === 0) return wish;
  let count = heads;
  while (dim % count !== 0) count -= 1;
  return count;
}

/** The sample of the batch that is shown must exist. */
export function itemProblem(config: Pick<ConfigOf<LabId>, "numbers" | "view">): Problem | null {
  const { view, numbers } = config;
  const count = view.lab === "multi-head" ? batchCount(numbers as MultiHeadNumbers) : 1;
  return view.item < count
    ? null
    : { field: "item", expected: expecting("whole", { min: 0, max: count - 1 }), actual: String(view.item) };
}

/** The step of a story that the reader has come to must exist. */
export function reachedProblem({ story, reached }: Pick<View, "story" | "reached">): Problem | null {
  if (reached === undefined || (story && reached < story.length)) return null;
  const expected = story
    ? expecting("whole", { min: 0, max: story.length - 1 })
    : expecting("beside", { field: "story" });
  return { field: "reached", expected, actual: String(reached) };
}

/** Numbers in which every rule of the lab holds, changed as little as possible. */
export function repaired<L extends LabId>(
  lab: L,
  numbers: NumbersOf[L],
  base: NumbersOf[L],
  tell?: (problem: Problem, fixed: NumbersOf[L]) => void,
): NumbersOf[L] {
  let now = numbers;
  for (const rule of rules[lab]) {
    const trouble = rule.broken(now);
    if (!trouble) continue;
    now = rule.repair(now, base);
    tell?.({ field: rule.field, ...trouble }, now);
  }
  return now;
}
