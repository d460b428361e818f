/** The expected value of a field, independent of language: the kind of expectation, and values for the slots of its text. */
import * as v from "valibot";
import type { Range } from "./bounds.js";

export interface Expected {
  readonly kind:
    | "whole"
    | "decimal"
    | "just"
    | "choice"
    | "words"
    | "different"
    | "sentence"
    | "matrix"
    | "mask"
    | "shape"
    | "wholes"
    | "numbers"
    | "edits"
    | "cell"
    | "cells"
    | "name"
    | "image"
    | "even"
    | "divisor"
    | "multiple"
    | "beside"
    | "encoder"
    | "rising"
    | "story"
    | "once"
    | "digits"
    | "selector";
  readonly [slot: string]: string | number;
}

/** An expectation of one kind, with the values of its slots. */
/* @__NO_SIDE_EFFECTS__ */
export const expecting = (kind: Expected["kind"], slots: Record<string, string | number> = {}): Expected => ({
  ...slots,
  kind,
});

/* @__NO_SIDE_EFFECTS__ */
export const shapeText = (shape: readonly (number | string)[]): string => `(${shape.join(", ")})`;
/* @__NO_SIDE_EFFECTS__ */
export const rangeText = ({ min, max }: Range): string => (min === max ? `${min}` : `${min}–${max}`);
/* @__NO_SIDE_EFFECTS__ */
export const cellsText = (shapes: Readonly<Record<string, readonly number[]>>): string =>
  Object.entries(shapes)
    .map(([node, shape]) => `${node} ${shapeText(shape)}`)
    .join(", ");

/** An expectation as the message of a Valibot check. */
/* @__NO_SIDE_EFFECTS__ */
export const message = (...expected: Parameters<typeof expecting>): string =>
  JSON.stringify(expecting(...expected));

/** The expectation of a check, parsed from its message for NaN. */
/* @__NO_SIDE_EFFECTS__ */
export const expectedBy = (check: v.GenericSchema): Expected =>
  JSON.parse(v.safeParse(check, NaN).issues![0].message) as Expected;
