/** The label and the setting of each row of an explanation: one table for every operation of the core. */
import type { Key } from "../../i18n/words.js";

/**
 * Where a row's label comes from:
 * run      the line of cells that its operands are on: "query of word 1"
 * cell     one cell of the tensor of its operand: "score"
 * slice    the whole tensor of its operands: "scaled"
 * address  the operand as NumPy writes it: "table[5, 2]"
 * result   the cell that is explained, as one of its tensor
 * or keys, of which the first is used whose slots can all be filled (slots: `slotsOf` in slots.ts).
 */
export type LabelWording = "run" | "cell" | "slice" | "address" | "result" | readonly Key[];

/**
 * What a row's columns contain:
 * terms     one operand per column
 * products  the same with + between them, and the sum
 * slice     one operand per column, that of the explained cell in bold
 * value     one number
 * own       one number, in the column of the explained cell
 * from      the operand's address and the result: nothing was computed
 * reason    the meaning of the mask's cell in words
 * text      a sentence
 * nothing   no cells, only the label
 */
export type Setting =
  "terms" | "products" | "slice" | "value" | "own" | "from" | "reason" | "text" | "nothing";

export interface RowWording {
  label: LabelWording;
  show: Setting;
  sign?: "×" | "÷" | "+" | "−";
  /** The sentence, for show "text". */
  text?: readonly Key[];
  /** The label for a run of numbers that belong to no tensor. */
  loose?: Key;
  /** Whether there is a rule above this row, which ends in the result. */
  result?: true;
  /** Whether the row is placed after the products, although the core lists it before them. */
  late?: true;
  /** For show "terms": whether the sum of the terms is set below them. */
  summed?: true;
}

export interface OpWording {
  rows: Readonly<Record<string, RowWording>>;
  /** The sentence for screen readers; when absent, the common one. */
  say?: Key;
  /** A remark at the foot. */
  foot?: Key;
}

const cell: RowWording = { label: "cell", show: "value" };
const result: RowWording = { label: "result", show: "value", result: true };
const from: RowWording = { label: ["note.row.from"], show: "from" };
const amount = (sign: "×" | "÷"): RowWording => ({ label: ["note.row.amount"], show: "value", sign });
const index = (label: Key, text?: Key): RowWording =>
  text ? { label: [label], show: "text", text: [text] } : { label: [label], show: "nothing" };

const product: OpWording["rows"] = {
  row: { label: "run", show: "terms" },
  column: { label: "run", show: "terms", sign: "×" },
  bias: { label: "cell", show: "value", sign: "+", late: true },
  products: { label: ["note.row.products"], show: "products", result: true },
};
const slice: OpWording["rows"] = {
  value: { label: "slice", show: "slice" },
  minus_max: { label: ["note.row.largest"], show: "slice", sign: "−" },
  exp: { label: ["note.row.exp"], show: "slice" },
};
const wave: OpWording["rows"] = {
  wavelength: { label: ["note.row.power", "note.row.wavelength"], show: "value" },
  sin: { label: ["note.row.sin"], show: "value" },
  cos: { label: ["note.row.cos"], show: "value" },
};
const labelled = (key: Key): RowWording => ({ label: [key], show: "value" });
const activation: OpWording = { rows: { value: cell, result } };
// The rows of a loss that is added up over its rows.
const reducedLoss: OpWording["rows"] = {
  losses: { label: ["note.row.losses"], show: "terms", summed: true },
  divisor: { ...labelled("note.row.divisor"), sign: "÷" },
  result,
};
const headIndex = index("note.row.head_place", "note.row.head_words");

export const ops: Readonly<Record<string, OpWording>> = {
  leaf: {
    rows: {
      drawn: { label: ["note.row.drawn_seed", "note.row.drawn"], show: "value", result: true },
      looked_up: { label: ["note.row.looked_up"], show: "value", result: true },
      given: { label: ["note.row.given"], show: "value", result: true },
      typed: { label: ["note.row.typed"], show: "value", result: true },
    },
  },
  matmul: { rows: product, say: "note.say.product" },
  linear: { rows: product, say: "note.say.product" },
  add: {
    rows: {
      term: cell,
      "term 2": { ...cell, sign: "+" },
      sum: { label: ["note.row.sum"], show: "value", result: true },
    },
    say: "note.say.add",
  },
  scale: { rows: { value: cell, factor: amount("×"), divisor: amount("÷"), result }, say: "note.say.scale" },
  mask: { rows: { value: cell, mask: { label: "address", show: "reason" }, result }, say: "note.say.mask" },
  softmax: {
    rows: {
      ...slice,
      quotient: { label: ["note.row.total"], show: "slice", sign: "÷", result: true },
      empty: { label: ["note.row.empty"], show: "own", result: true },
    },
    say: "note.say.softmax",
  },
  log_softmax: {
    rows: {
      ...slice,
      log_sum: { label: ["note.row.log_sum"], show: "own", sign: "−" },
      difference: { label: ["note.row.difference"], show: "own", result: true },
    },
    say: "note.say.log_softmax",
  },
  transpose: { rows: { from, index: index("note.row.flat") }, foot: "note.foot.nothing" },
  reshape: { rows: { from, index: index("note.row.flat") }, foot: "note.foot.nothing" },
  split_heads: { rows: { from, index: headIndex }, foot: "note.foot.nothing" },
  merge_heads: { rows: { from, index: headIndex }, foot: "note.foot.nothing" },
  concat: {
    rows: { from, index: index("note.row.part_place", "note.row.part_words") },
    foot: "note.foot.nothing",
  },
  slice: {
    rows: { from, index: index("note.row.part_place", "note.row.slice_words") },
    foot: "note.foot.nothing",
  },
  embedding: {
    rows: {
      id: { label: ["note.row.id"], show: "value" },
      from: { label: "address", show: "value" },
      factor: amount("×"),
      result,
    },
    foot: "note.foot.lookup",
  },
  patchify: {
    rows: { from, index: index("note.row.patch", "note.row.patch_words") },
    foot: "note.foot.nothing",
  },
  sinusoidal: {
    rows: {
      ...wave,
      position: { label: ["note.row.position"], show: "value" },
      angle: { label: ["note.row.ratio", "note.row.angle"], show: "value" },
      sin: { label: ["note.row.sin"], show: "value", result: true },
      cos: { label: ["note.row.cos"], show: "value", result: true },
    },
    say: "note.say.wave",
  },
  shift_matrix: {
    rows: {
      ...wave,
      offset: { label: ["note.row.offset"], show: "value" },
      angle: { label: ["note.row.ratio", "note.row.angle"], show: "value" },
      result,
    },
  },
  interpolation_matrix: {
    rows: {
      row_position: labelled("note.row.resized_place"),
      row_weight: labelled("note.row.row_weight"),
      column_position: labelled("note.row.resized_place"),
      column_weight: { ...labelled("note.row.column_weight"), sign: "×" },
      product: result,
    },
  },
  rotary: {
    rows: {
      angle: { label: ["note.row.ratio", "note.row.angle"], show: "value" },
      pair: { label: "run", show: "terms" },
      cos_sin: { label: ["note.row.cos_sin"], show: "terms", sign: "×" },
      sin_cos: { label: ["note.row.sin_cos"], show: "terms", sign: "×" },
      products: { label: ["note.row.products"], show: "products", result: true },
    },
    say: "note.say.rotary",
  },
  alibi_slopes: {
    rows: {
      exponent: { label: ["note.row.slope_power", "note.row.exponent"], show: "value" },
      result: { label: ["note.row.two_power", "note.row.slope"], show: "value", result: true },
    },
  },
  alibi: {
    rows: {
      slope: { label: ["note.row.slope"], show: "value", sign: "−" },
      distance: { label: ["note.row.distance"], show: "value", sign: "×" },
      result,
    },
  },
  absolute_index: { rows: { position: { label: ["note.row.position"], show: "value" }, result } },
  attention: {
    rows: {
      weights: { label: "run", show: "terms", loose: "note.row.weights" },
      value: { label: "run", show: "terms", sign: "×" },
      products: { label: ["note.row.products"], show: "products", result: true },
    },
    say: "note.say.product",
  },
  // The rows of the page's comparison, not of an operation: the two numbers of a cell, and their difference
  // by the core.
  compare: {
    rows: {
      now: { label: ["note.row.now"], show: "value" },
      before: { label: ["note.row.before"], show: "value", sign: "−" },
      difference: { label: ["note.row.changed_by"], show: "value", result: true },
      unchanged: { label: ["note.row.unchanged"], show: "nothing", result: true },
    },
    say: "note.say.compare",
  },
  // The rows of a gradient, for one use of the cell at a time. The page requests gradients apart from
  // operations.
  gradient: {
    rows: {
      upstream: { label: "run", show: "terms" },
      local: { label: "run", show: "terms", sign: "×" },
      slopes: {
        label: ["note.gradient.divided", "note.gradient.slope_of", "note.gradient.slope"],
        show: "terms",
        sign: "×",
      },
      kept: { label: ["note.gradient.kept"], show: "terms", sign: "×" },
      contributions: { label: ["note.row.products"], show: "products", result: true },
      upstream_cell: { label: "cell", show: "value" },
      local_cell: { label: "cell", show: "value", sign: "×" },
      product: { label: ["note.gradient.product"], show: "value", result: true },
      moved: { label: ["note.row.from"], show: "from" },
      unread: { label: ["note.gradient.unread"], show: "value", result: true },
      gradient: { label: ["note.op.gradient"], show: "value", result: true },
      seed: { label: ["note.gradient.seed"], show: "value", result: true },
      beside: { label: ["note.gradient.beside"], show: "value", result: true },
      none: { label: ["note.gradient.none"], show: "nothing" },
    },
  },
  subtract: { rows: { minuend: cell, subtrahend: { ...cell, sign: "−" }, difference: result } },
  multiply: { rows: { factor: cell, "factor 2": { ...cell, sign: "×" }, product: result } },
  minimum: { rows: { value: cell, result: { label: ["note.row.smaller"], show: "value", result: true } } },
  maximum: { rows: { value: cell, result: { label: ["note.row.larger"], show: "value", result: true } } },
  argmax: {
    rows: {
      value: { label: "slice", show: "terms" },
      place: { label: ["note.row.place_of_largest"], show: "value", result: true },
    },
  },
  divide: { rows: { dividend: cell, divisor: { ...cell, sign: "÷" }, quotient: result } },
  exp: activation,
  log: activation,
  sqrt: activation,
  tanh: activation,
  log_sigmoid: activation,
  relu: activation,
  gelu: { rows: { value: cell, gate: { ...labelled("note.row.gate"), sign: "×" }, product: result } },
  sum: { rows: { terms: { label: "slice", show: "products", result: true } } },
  mean: {
    rows: {
      terms: { label: "slice", show: "terms", summed: true },
      count: { ...labelled("note.row.count"), sign: "÷" },
      quotient: result,
    },
  },
  layer_norm: {
    rows: {
      value: { label: "slice", show: "terms" },
      mean: labelled("note.row.mean"),
      squares: { label: ["note.row.squares"], show: "terms" },
      variance: labelled("note.row.variance"),
      deviation: { label: ["note.row.deviation", "note.row.standard_deviation"], show: "value" },
      centred: labelled("note.row.centred"),
      normalised: labelled("note.row.normalised"),
      weight: { ...cell, sign: "×" },
      bias: { ...cell, sign: "+" },
      result,
    },
  },
  dropout: {
    rows: {
      value: cell,
      draw: labelled("note.row.draw"),
      keep: { ...labelled("note.row.keep"), sign: "×" },
      divisor: { ...labelled("note.row.divisor"), sign: "÷" },
      result,
    },
  },
  one_hot: { rows: { id: labelled("note.row.id"), class: labelled("note.row.class"), equal: result } },
  conv1d: {
    rows: {
      window: { label: "run", show: "terms" },
      kernel: { label: "run", show: "terms", sign: "×" },
      bias: { label: "cell", show: "value", sign: "+", late: true },
      products: { label: ["note.row.products"], show: "products", result: true },
    },
    say: "note.say.product",
  },
  cross_entropy: {
    rows: {
      ...slice,
      log_sum: { label: ["note.row.log_sum"], show: "own", sign: "−" },
      minus_log_p: { label: ["note.row.minus_log_softmax"], show: "slice" },
      target: { label: "slice", show: "slice" },
      weight: { label: "slice", show: "slice" },
      counts: { label: ["note.row.target_share"], show: "slice", sign: "×" },
      products: { label: ["note.row.products"], show: "products", result: true },
      ignored: { label: ["note.row.ignored"], show: "value", result: true },
      ...reducedLoss,
    },
  },
  kl_divergence: {
    rows: {
      input: cell,
      target: cell,
      log_target: labelled("note.row.log_target"),
      difference: { ...labelled("note.row.less"), sign: "×" },
      ...reducedLoss,
    },
  },
  mse_loss: {
    rows: {
      input: cell,
      target: { ...cell, sign: "−" },
      difference: labelled("note.row.less"),
      ...reducedLoss,
    },
  },
  cosine_similarity: {
    rows: {
      row: { label: "run", show: "terms" },
      column: { label: "run", show: "terms", sign: "×" },
      products: { label: ["note.row.products"], show: "terms", summed: true },
      lengths: { ...labelled("note.row.lengths"), sign: "÷" },
      quotient: result,
      zero: result,
    },
  },
  entropy: {
    rows: {
      value: { label: "slice", show: "terms" },
      minus_log: { label: ["note.row.minus_log"], show: "terms", sign: "×" },
      products: { label: ["note.row.products"], show: "products", result: true },
    },
  },
  histogram: {
    rows: {
      from: labelled("note.row.lower"),
      to: labelled("note.row.upper"),
      counted: { label: ["note.row.counted"], show: "value", result: true },
    },
  },
};

/** The name of an operation in the head of the note. */
export const opNames: Readonly<Record<string, Key>> = Object.fromEntries(
  Object.keys(ops).map((op) => [op, `note.op.${op}` as Key]),
);

/** A row that is not in the table is set as its numbers, labelled with its role. */
const unknown: RowWording = { label: [], show: "terms" };

/**
 * The wording of a row; `repeat` counts earlier rows of the same role (the second term of a sum gets a +).
 */
export function rowWording(op: string, role: string, repeat = 0): RowWording {
  const rows = ops[op]?.rows ?? {};
  return (repeat > 0 ? rows[`${role} ${repeat + 1}`] : undefined) ?? rows[role] ?? unknown;
}
