/**
 * The kinds of settings: the values that each may hold, its form in a link, and its editor. The functions are marked as free of side effects,
 * so that the bundler leaves the tables out of workers, which only read numbers.
 */
import * as v from "valibot";
import { bounds, type Range } from "./bounds.js";
import * as checks from "./checks.js";
import type { Edit, Matrix } from "./config.js";
import { message } from "./expected.js";
import * as forms from "./forms.js";
import { selectorForm, selectorLength } from "./selector.js";

/** How a reader edits a setting: as a number in a range, one of a few words, yes or no, or a list of words. */
export type Editor =
  | { readonly kind: "whole" | "decimal" | "words"; readonly range: Range }
  | { readonly kind: "choice"; readonly options: readonly (string | number)[] }
  | { readonly kind: "flag" };

export interface Kind<T> {
  readonly check: v.GenericSchema<T>;
  readonly form: forms.Form<T>;
  /** Absent for a setting whose control, if it has one, the lab declares itself. */
  readonly editor?: Editor;
  /** Its name in links, if that is not its name in the code. */
  readonly name?: string;
  /** Whether it is read before the others: the value of an absent setting before it depends on it. */
  readonly isEarly?: true;
}

/** The same kind, under another name in links. */
/* @__NO_SIDE_EFFECTS__ */
export const named = <T>(name: string, kind: Kind<T>): Kind<T> => ({ ...kind, name });

/** The same kind, read before the others. Checksums have it at its place in the table. */
/* @__NO_SIDE_EFFECTS__ */
export const early = <T>(kind: Kind<T>): Kind<T> => ({ ...kind, isEarly: true });

/** A whole number. */
/* @__NO_SIDE_EFFECTS__ */
export const whole = (range: Range): Kind<number> => ({
  check: checks.whole(range),
  form: forms.whole(range),
  editor: { kind: "whole", range },
});

/** Any number in a range. */
/* @__NO_SIDE_EFFECTS__ */
export const decimal = (range: Range): Kind<number> => ({
  check: checks.decimal(range),
  form: forms.decimal(range),
  editor: { kind: "decimal", range },
});

/** One of a few words. */
/* @__NO_SIDE_EFFECTS__ */
export const choice = <const T extends readonly string[]>(options: T): Kind<T[number]> => ({
  check: checks.choice(options) as unknown as v.GenericSchema<T[number]>,
  form: forms.choice(options),
  editor: { kind: "choice", options },
});

/** One of a few numbers. */
/* @__NO_SIDE_EFFECTS__ */
export const oneOf = (options: readonly number[]): Kind<number> => ({
  check: checks.oneOf(options),
  form: forms.choice(options),
  editor: { kind: "choice", options },
});

/** Yes or no. */
export const flag: Kind<boolean> = { check: checks.flag, form: forms.flag, editor: { kind: "flag" } };

/** A list of words; `range` bounds their number, `length` the characters of each. */
/* @__NO_SIDE_EFFECTS__ */
export const wordList = (range: Range, length = bounds.wordLength): Kind<string[]> => ({
  check: checks.wordList(range, length),
  form: forms.wordList(range.max),
  editor: { kind: "words", range },
});
/** The words of a lab; the list may be empty. */
export const words = wordList(bounds.words);

/** A matrix of at most `rows` rows and `columns` columns. */
/* @__NO_SIDE_EFFECTS__ */
export const matrix = (rows: number, columns: number): Kind<Matrix> => ({
  check: v.nonNullable(checks.matrix(rows, columns)),
  form: forms.matrix,
});
/** Such a matrix, or null. */
/* @__NO_SIDE_EFFECTS__ */
export const optionalMatrix = (rows: number, columns: number): Kind<Matrix | null> => ({
  check: checks.matrix(rows, columns),
  form: forms.optional(forms.matrix),
});

/** A painted mask, or null. */
export const paint: Kind<boolean[][] | null> = { check: checks.bits, form: forms.optional(forms.bits) };

/** A list of whole numbers; `count` bounds their number. */
/* @__NO_SIDE_EFFECTS__ */
export const wholes = (range: Range, count: Range): Kind<number[]> => ({
  check: checks.wholes(range, count),
  form: forms.wholes(range, count.max),
});

/** A tensor that is looked at, as a selector: see selector.ts. */
export const selector: Kind<string> = {
  check: checks.textLike(selectorForm, selectorLength, message("selector", { max: selectorLength })),
  form: forms.unspaced,
};

/** The numbers of leaves that the reader changed. */
export const edits: Kind<Edit[]> = { check: checks.edits, form: forms.edits, name: "edit" };

/** A setting that was added after links of its lab were given out: undefined if a link does not have it. */
/* @__NO_SIDE_EFFECTS__ */
export const later = <T>({ check, form, ...kind }: Kind<T>): Kind<T | undefined> => ({
  ...kind,
  check: v.optional(check),
  form: forms.later(form),
});
