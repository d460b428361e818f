/** The settings of the block lab: one encoder layer on words, or layer norm alone on a row of numbers. */
import { bounds } from "../bounds.js";
import type { Leaves } from "../cells.js";
import { expecting } from "../expected.js";
import { choice, decimal, edits, flag, optionalMatrix, whole, words, named } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import { besideRule, headsRule, nearestDivisor, noWords, sizes } from "../rule.js";

export const blockBounds = { dropout: { min: 0, max: 0.9 }, row: { min: 1, max: 64 } } as const;

const kinds = {
  /** The row that layer norm alone is shown on: (1, n). */
  x: optionalMatrix(1, blockBounds.row.max),
  /** What a text says that row becomes: (1, n). */
  claim: optionalMatrix(1, blockBounds.row.max),
  /** The whole block, or layer norm alone. */
  part: choice(["block", "norm"]),
  tokens: words,
  dim: whole(bounds.dim),
  /** They divide dim. */
  heads: whole(bounds.heads),
  /** Width of the feed-forward network between its two products: d_ff. */
  hidden: named("ff", whole({ min: 1, max: 1024 })),
  activation: choice(["relu", "gelu"]),
  /** Where layer norm stands: after each sum (post), or before each sub-layer (pre). */
  norm: choice(["post", "pre"]),
  /** Layer norm divides its squared deviations by n - 1 instead of n. */
  unbiased: flag,
  /** p, while training; 0: none, as in evaluation. */
  dropout: decimal(blockBounds.dropout),
  seed: whole(bounds.seed),
  edits,
};
export type BlockNumbers = NumbersIn<typeof kinds>;

/** The words of the table, each once, in the order in which they are first said. */
export function vocabularyOf({ tokens }: Pick<BlockNumbers, "tokens">): string[] {
  return [...new Set(tokens)];
}

function leaves(numbers: BlockNumbers): Leaves {
  const { part, x, dim, hidden } = numbers;
  if (part === "norm") {
    const width = x?.[0]?.length ?? 0;
    return { x: [1, width], ...(numbers.claim && { claim: [1, width] }) };
  }
  return {
    E: [vocabularyOf(numbers).length, dim],
    "self_attn.in_proj_weight": [3 * dim, dim],
    "self_attn.in_proj_bias": [3 * dim],
    "self_attn.out_proj.weight": [dim, dim],
    "self_attn.out_proj.bias": [dim],
    "linear1.weight": [hidden, dim],
    "linear1.bias": [hidden],
    "linear2.weight": [dim, hidden],
    "linear2.bias": [dim],
    "norm1.weight": [dim],
    "norm1.bias": [dim],
    "norm2.weight": [dim],
    "norm2.bias": [dim],
  };
}

export const block = labSettings<BlockNumbers>(kinds, {
  first: "one-block",
  absent: {
    claim: (now, base) => (now.x === base.x ? base.claim : null),
    // A row that is given is meant to be shown; words are too.
    part: (now, base) => (now.x === base.x ? base.part : now.x ? "norm" : "block"),
    heads: (now, base) => nearestDivisor(now.dim, base.heads),
  },
  rules: [
    {
      field: "tokens",
      broken: ({ tokens }) => (tokens.length > 0 ? null : noWords),
      repair: (numbers, { tokens }) => ({ ...numbers, tokens }),
    },
    headsRule(),
    {
      field: "claim",
      broken: ({ x, claim }) =>
        !claim || (x && x[0]!.length === claim[0]!.length)
          ? null
          : {
              expected: x ? expecting("shape", { shape: sizes(x) }) : expecting("beside", { field: "x" }),
              actual: sizes(claim),
            },
      repair: (numbers) => ({ ...numbers, claim: null }),
    },
    besideRule("part", "norm", "x", "block"),
  ],
  leaves,
});
