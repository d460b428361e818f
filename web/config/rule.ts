/** A rule between fields: what must fit what, and the nearest numbers that do. */
import { bounds, type Range } from "./bounds.js";
import type { Edit, Matrix } from "./config.js";
import { isCellIn, type Leaves } from "./cells.js";
import { cellsText, expecting, shapeText, type Expected } from "./expected.js";

/** Something that does not hold: which field, what was expected of it, what it is. */
export interface Problem {
  field: string;
  expected: Expected;
  actual: string;
}

export interface Rule<N> {
  field: keyof N & string;
  /** Null when it holds; else what was expected, and what came. */
  broken(numbers: N): Omit<Problem, "field"> | null;
  /** The nearest numbers in which it holds. `base` is known to be valid. */
  repair(numbers: N, base: N): N;
}

/** What is said of a list of words that must not be empty. */
export const noWords = {
  expected: expecting("words", { min: 1, max: bounds.words.max, length: bounds.wordLength.max }),
  actual: "none",
};

/* @__NO_SIDE_EFFECTS__ */
export const sizes = (rows: readonly (readonly unknown[])[]): string =>
  shapeText([rows.length, rows[0]?.length ?? 0]);

/** A typed matrix must have the shape that the other numbers ask for; one that does not is taken out. `isLater`: the setting may be absent. */
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

/** A whole number that others bound: one that is beyond becomes the largest there is, or `instead`. */
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
      const value = numbers[field] as number;
      return value <= max ? null : { expected: expecting("whole", { min, max }), actual: String(value) };
    },
    repair: (numbers) => ({ ...numbers, [field]: instead ?? range(numbers).max }),
  };
}

/** What asks for something beside it, which must be there; else it becomes `instead`. */
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
export function nearestDivisor(dim: number, heads: number): number {
  let divisor = Math.min(dim, heads);
  while (dim % divisor !== 0) divisor -= 1;
  return divisor;
}

/** What is asked of heads: they share dim evenly. */
export const headsProblem = ({ heads, dim }: Headed): Problem | null =>
  dim % heads === 0
    ? null
    : { field: "heads", expected: expecting("divisor", { of: dim }), actual: String(heads) };

/* @__NO_SIDE_EFFECTS__ */
export const headsRule = <N extends Headed>(): Rule<N> => ({
  field: "heads",
  broken: headsProblem,
  repair: (numbers) => ({ ...numbers, heads: nearestDivisor(numbers.dim, numbers.heads) }),
});

/** Every edit must have its cell; those that have none are taken out. */
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
