/**
 * Kinds of settings: the values of each, its form in a link, and its control. The makers are marked as free of side
 * effects, so that the worker, which only reads numbers, does not contain the tables.
 */
import * as v from "valibot";
import { bounds, type Range } from "./bounds.js";
import * as checks from "./checks.js";
import type { Edit, Matrix } from "./config.js";
import * as forms from "./forms.js";

/** The control of a setting: a number in a range, one of a few words, yes or no, or a list of words. */
export type Editor =
  | { readonly kind: "whole" | "decimal" | "words"; readonly range: Range }
  | { readonly kind: "choice"; readonly options: readonly (string | number)[] }
  | { readonly kind: "flag" };

export interface Kind<T> {
  readonly check: v.GenericSchema<T>;
  readonly form: forms.Form<T>;
  /** Absent: the lab defines the control itself. */
  readonly editor?: Editor;
  /** The field's name in links; absent: its name in the code. */
  readonly name?: string;
}

/** The same kind under another name in links. */
/* @__NO_SIDE_EFFECTS__ */
export const named = <T>(name: string, kind: Kind<T>): Kind<T> => ({ ...kind, name });

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

/** A number of words within bounds. */
/* @__NO_SIDE_EFFECTS__ */
export const wordList = (range: Range): Kind<string[]> => ({
  check: checks.wordList(range),
  form: forms.wordList(range.max),
  editor: { kind: "words", range },
});
/** The words of a lab; the list may be empty. */
export const words = wordList(bounds.words);

/** A matrix of at most so many rows and columns. */
/* @__NO_SIDE_EFFECTS__ */
export const matrix = (rows: number, columns: number): Kind<Matrix> => ({
  check: v.nonNullable(checks.matrix(rows, columns)),
  form: forms.matrix,
});
/** The same matrix, or none. */
/* @__NO_SIDE_EFFECTS__ */
export const optionalMatrix = (rows: number, columns: number): Kind<Matrix | null> => ({
  check: checks.matrix(rows, columns),
  form: forms.optional(forms.matrix),
});

/** A painted mask, or none. */
export const paint: Kind<boolean[][] | null> = { check: checks.bits, form: forms.optional(forms.bits) };

/** A number of whole numbers within bounds. */
/* @__NO_SIDE_EFFECTS__ */
export const wholes = (range: Range, count: Range): Kind<number[]> => ({
  check: checks.wholes(range, count),
  form: forms.wholes(range, count.max),
});

/** The edited numbers of leaves. */
export const edits: Kind<Edit[]> = { check: checks.edits, form: forms.edits, name: "edit" };

/** A setting that was added after links were first published: undefined where a link does not have it. */
/* @__NO_SIDE_EFFECTS__ */
export const later = <T>({ check, form, ...kind }: Kind<T>): Kind<T | undefined> => ({
  ...kind,
  check: v.optional(check),
  form: forms.later(form),
});
