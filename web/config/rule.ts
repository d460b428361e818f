/** Rules between fields: when they are broken, and how the numbers are repaired. */
import { bounds, type Range } from "./bounds.js";
import type { Edit, Matrix } from "./config.js";
import { isCellIn, type Leaves } from "./cells.js";
import { cellsText, expecting, shapeText, type Expected } from "./expected.js";

/** A broken rule: the field, what was expected of it, and its actual value. */
export interface Problem {
  field: string;
  expected: Expected;
  actual: string;
}

export interface Rule<N> {
  field: keyof N & string;
  /** Null if the rule holds, else the expected and the actual value. */
  broken(numbers: N): Omit<Problem, "field"> | null;
  /** The nearest numbers for which the rule holds. `base` is valid. */
  repair(numbers: N, base: N): N;
}

/** The problem of an empty list of words. */
export const noWords = {
  expected: expecting("words", { min: 1, max: bounds.words.max, length: bounds.wordLength.max }),
  actual: "none",
};

/* @__NO_SIDE_EFFECTS__ */
export const sizes = (rows: readonly (readonly unknown[])[]): string =>
  shapeText([rows.length, rows[0]?.length ?? 0]);

/** Rule: a typed matrix has the shape that follows from the other numbers. Repair: it becomes null. `isLater`: the setting may be absent. */
/* @__NO_SIDE_EFFECTS__ */
export function shapeRule<N, K extends keyof N & string>(
  field: K,
  shape: (numbers: N) => [number, number],
  isLater = false,
): Rule<N> {
  return {
    field,
    broken(numbers) {
      const rows = numbers[field] as Matrix | boolean[][] | null | undefined;
      const [height, width] = shape(numbers);
      if (!rows || (rows.length === height && rows.every((row) => row.length === width))) return null;
      return { expected: expecting("shape", { shape: shapeText([height, width]) }), actual: sizes(rows) };
    },
    repair: (numbers) => ({ ...numbers, [field]: isLater ? undefined : null }),
  };
}

/** Rule: a whole number, if it is given, is at most a maximum that follows from other numbers. Repair: it becomes this maximum, or `instead`. */
/* @__NO_SIDE_EFFECTS__ */
export function boundRule<N>(
  field: keyof N & string,
  range: (numbers: N) => Range,
  instead?: number,
): Rule<N> {
  return {
    field,
    broken(numbers) {
      const { min, max } = range(numbers);
      const value = numbers[field] as number | undefined;
      return value === undefined || value <= max
        ? null
        : { expected: expecting("whole", { min, max }), actual: String(value) };
    },
    repair: (numbers) => ({ ...numbers, [field]: instead ?? range(numbers).max }),
  };
}

/** Rule: if `field` has the value `asking`, the field `beside` is neither null nor an empty list. Repair: `field` becomes `instead`. */
/* @__NO_SIDE_EFFECTS__ */
export function besideRule<N, K extends keyof N & string>(
  field: K,
  asking: N[K] & string,
  beside: keyof N & string,
  instead: N[K] & string,
): Rule<N> {
  const isThere = (given: unknown): boolean => (Array.isArray(given) ? given.length > 0 : given !== null);
  return {
    field,
    broken: (numbers) =>
      numbers[field] === asking && !isThere(numbers[beside])
        ? { expected: expecting("beside", { field: beside }), actual: asking }
        : null,
    repair: (numbers) => ({ ...numbers, [field]: instead }),
  };
}

interface Headed {
  dim: number;
  heads: number;
}

/** The largest divisor of `dim` that is at most `heads`. */
export function largestDivisorUpTo(dim: number, heads: number): number {
  let divisor = Math.min(dim, heads);
  while (dim % divisor !== 0) divisor -= 1;
  return divisor;
}

/** The problem of a number of heads that does not divide dim; null if it does. */
export const headsProblem = ({ heads, dim }: Headed): Problem | null =>
  dim % heads === 0
    ? null
    : { field: "heads", expected: expecting("divisor", { of: dim }), actual: String(heads) };

/** Rule: the heads divide dim. Repair: they become the next smaller divisor. */
/* @__NO_SIDE_EFFECTS__ */
export const headsRule = <N extends Headed>(): Rule<N> => ({
  field: "heads",
  broken: headsProblem,
  repair: (numbers) => ({ ...numbers, heads: largestDivisorUpTo(numbers.dim, numbers.heads) }),
});

/** Rule: every edited cell exists. Repair: edits of other cells are removed. */
/* @__NO_SIDE_EFFECTS__ */
export function editsRule<N extends { edits: Edit[] }>(leaves: (numbers: N) => Leaves): Rule<N> {
  return {
    field: "edits",
    broken(numbers) {
      const shapes = leaves(numbers);
      const lost = numbers.edits.filter((edit) => !isCellIn(shapes, edit));
      if (lost.length === 0) return null;
      return {
        expected: Object.keys(shapes).length
          ? expecting("cells", { cells: cellsText(shapes) })
          : expecting("just", { value: "none" }),
        actual: lost.map(({ node, index }) => [node, ...index].join()).join(";"),
      };
    },
    repair(numbers) {
      const shapes = leaves(numbers);
      return { ...numbers, edits: numbers.edits.filter((edit) => isCellIn(shapes, edit)) };
    },
  };
}
