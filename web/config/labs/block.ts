/** The Config of the block lab: one encoder layer on words, or layer norm alone on a row of numbers. */
import { bounds } from "../bounds.js";
import { choice, decimal, edits, flag, matrix, whole, words } from "../checks.js";
import type { Edit, Matrix } from "../config.js";
import { field, keptEdits } from "../field.js";
import * as form from "../forms.js";
import type { Leaves } from "../cells.js";
import { expecting } from "../expected.js";
import { editsRule, noWords, sizes } from "../rule.js";
import type { LabConfig } from "./lab-config.js";

/** All that changes a value in the block lab. */
export interface BlockNumbers {
  /** The whole block, or layer norm alone. */
  part: "block" | "norm";
  tokens: string[];
  dim: number;
  /** They divide dim. */
  heads: number;
  /** Width of the feed-forward network between its two products: d_ff. */
  hidden: number;
  activation: "relu" | "gelu";
  /** Where layer norm stands: after each sum (post), or before each sub-layer (pre). */
  norm: "post" | "pre";
  /** Layer norm divides its squared deviations by n - 1 instead of n. */
  unbiased: boolean;
  /** p, while training; 0: none, as in evaluation. */
  dropout: number;
  seed: number;
  /** The row that layer norm alone is shown on: (1, n). */
  x: Matrix | null;
  /** What a text says that row becomes: (1, n). */
  claim: Matrix | null;
  edits: Edit[];
}

export const blockBounds = {
  hidden: { min: 1, max: 1024 },
  dropout: { min: 0, max: 0.9 },
  row: { min: 1, max: 64 },
} as const;

export const blockChoices = {
  part: ["block", "norm"],
  activation: ["relu", "gelu"],
  norm: ["post", "pre"],
} as const;

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

export const block: LabConfig<BlockNumbers> = {
  entries: {
    part: choice(blockChoices.part),
    tokens: words,
    dim: whole(bounds.dim),
    heads: whole(bounds.heads),
    hidden: whole(blockBounds.hidden),
    activation: choice(blockChoices.activation),
    norm: choice(blockChoices.norm),
    unbiased: flag,
    dropout: decimal(blockBounds.dropout),
    seed: whole(bounds.seed),
    x: matrix(1, blockBounds.row.max),
    claim: matrix(1, blockBounds.row.max),
    edits,
  },
  rules: [
    {
      field: "tokens",
      broken: ({ tokens }) => (tokens.length > 0 ? null : noWords),
      repair: (numbers, { tokens }) => ({ ...numbers, tokens }),
    },
    {
      field: "heads",
      broken: ({ dim, heads }) =>
        dim % heads === 0 ? null : { expected: expecting("divisor", { of: dim }), actual: String(heads) },
      repair: (numbers) => ({ ...numbers, heads: nearestDivisor(numbers.dim, numbers.heads) }),
    },
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
    {
      field: "part",
      broken: ({ part, x }) =>
        part === "norm" && !x ? { expected: expecting("beside", { field: "x" }), actual: part } : null,
      repair: (numbers) => ({ ...numbers, part: "block" }),
    },
    editsRule(leaves),
  ],
  fields: [
    field("x", "x", form.optional(form.matrix)),
    field("claim", "claim", form.optional(form.matrix), (now, base) =>
      now.x === base.x ? base.claim : null,
    ),
    // A row that is given is meant to be shown; words are too.
    field("part", "part", form.choice(blockChoices.part), (now, base) =>
      now.x === base.x ? base.part : now.x ? "norm" : "block",
    ),
    field("tokens", "tokens", form.words),
    field("dim", "dim", form.whole(bounds.dim)),
    field("heads", "heads", form.whole(bounds.heads), (now, base) => nearestDivisor(now.dim, base.heads)),
    field("hidden", "ff", form.whole(blockBounds.hidden)),
    field("activation", "activation", form.choice(blockChoices.activation)),
    field("norm", "norm", form.choice(blockChoices.norm)),
    field("unbiased", "unbiased", form.flag),
    field("dropout", "dropout", form.decimal(blockBounds.dropout)),
    field("seed", "seed", form.whole(bounds.seed)),
    field("edits", "edit", form.edits, keptEdits(leaves)),
  ],
  leaves,
};

/** The largest divisor of `dim` that is at most `heads`. */
export function nearestDivisor(dim: number, heads: number): number {
  let divisor = Math.min(dim, heads);
  while (dim % divisor !== 0) divisor -= 1;
  return divisor;
}
