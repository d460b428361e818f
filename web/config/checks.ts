/** Checks of single values. Each has a message that describes the expected value. */
import * as v from "valibot";
import { bounds, type Range } from "./bounds.js";
import type { Matrix } from "./config.js";
import { message, rangeText } from "./expected.js";
import { isWord } from "./tokens.js";

/** A fragment of JSON Schema. */
export interface Json {
  readonly [keyword: string]: unknown;
}

/** A check of our own with its JSON Schema, because Valibot cannot convert custom checks. */
/* @__NO_SIDE_EFFECTS__ */
export const customCheck = <T>(json: Json, holds: (value: unknown) => boolean, expected?: string) =>
  Object.assign(v.custom<T>(holds, expected), { json });

const isIn = (value: unknown, { min, max }: Range): boolean =>
  typeof value === "number" && value >= min && value <= max;

/** A text that matches `form` and has at most `most` characters. */
/* @__NO_SIDE_EFFECTS__ */
export const textLike = (form: RegExp, most?: number, expected?: string) =>
  customCheck<string>(
    { type: "string", pattern: form.source, ...(most !== undefined && { maxLength: most }) },
    (value) => typeof value === "string" && value.length <= (most ?? Infinity) && form.test(value),
    expected,
  );

/* @__NO_SIDE_EFFECTS__ */
export const whole = ({ min, max }: Range) =>
  customCheck<number>(
    { type: "integer", minimum: min, maximum: max },
    (value) => Number.isInteger(value) && !Object.is(value, -0) && isIn(value, { min, max }),
    message("whole", { min, max }),
  );
/* @__NO_SIDE_EFFECTS__ */
export const decimal = ({ min, max }: Range) =>
  customCheck<number>(
    { type: "number", minimum: min, maximum: max },
    (value) => isIn(value, { min, max }),
    message("decimal", { min, max }),
  );
const finite = customCheck<number>({ type: "number" }, Number.isFinite);
/* @__NO_SIDE_EFFECTS__ */
export const choice = <const T extends readonly string[]>(options: T) =>
  v.picklist(options, message("choice", { options: options.join(", ") }));
/* @__NO_SIDE_EFFECTS__ */
export const oneOf = (options: readonly number[]) =>
  customCheck<number>(
    { enum: options },
    (value) => options.includes(value as number),
    message("choice", { options: options.join(", ") }),
  );
export const flag = v.boolean(message("choice", { options: "1, 0" }));
/* @__NO_SIDE_EFFECTS__ */
const plainArray = (value: unknown, { min, max }: Range): value is unknown[] =>
  Array.isArray(value) && value.length >= min && value.length <= max;

/* @__NO_SIDE_EFFECTS__ */
const listOf = (items: Json, { min, max }: Range): Json => ({
  type: "array",
  items,
  minItems: min,
  maxItems: max,
});

/* @__NO_SIDE_EFFECTS__ */
export const wordList = (count: Range, { min, max }: Range = bounds.wordLength) =>
  customCheck<string[]>(
    listOf({ type: "string", minLength: min, maxLength: max }, count),
    (value) =>
      plainArray(value, count) && value.every((word) => typeof word === "string" && isWord(word, min, max)),
    message("words", { ...count, length: max }),
  );
export const words = wordList(bounds.words);

/** Rows of equal length, or null. Entries are checked in a plain loop, because a matrix may have tens of thousands. */
/* @__NO_SIDE_EFFECTS__ */
const rows = <T>(
  type: "number" | "boolean",
  isEntry: (value: unknown) => boolean,
  most: { rows: number; columns: number },
  expected: string,
): v.GenericSchema<T[][] | null> => {
  const [height, width] = [most.rows, most.columns].map((max) => ({ min: 1, max })) as [Range, Range];
  return v.nullable(
    customCheck<T[][]>(
      listOf(listOf({ type }, width), height),
      (value) => {
        if (!plainArray(value, height)) return false;
        const first: unknown = value[0];
        const length = Array.isArray(first) ? first.length : 0;
        return value.every((row) => plainArray(row, width) && row.length === length && row.every(isEntry));
      },
      expected,
    ),
  );
};
/* @__NO_SIDE_EFFECTS__ */
export const matrix = (height: number, width: number, expected?: string): v.GenericSchema<Matrix | null> => {
  const most = { rows: height, columns: width };
  return rows<number>("number", Number.isFinite, most, expected ?? message("matrix", most));
};
const painted = { rows: bounds.words.max, columns: bounds.words.max };
export const bits = rows<boolean>(
  "boolean",
  (value) => typeof value === "boolean",
  painted,
  message("mask", painted),
);

/** The name of a node of the graph. A link writes "none" if there is no node. */
export const nodeName = /^(?!none$)[A-Za-z][A-Za-z0-9_.]{0,63}$/;
export const node = textLike(nodeName);
export const index = v.pipe(v.array(whole(bounds.place)), v.maxLength(bounds.axes.max));
export const edits = v.pipe(
  v.array(v.strictObject({ node, index, value: finite }), message("edits", { ...bounds.edits })),
  v.maxLength(bounds.edits.max),
);

/** The name of a stop, an arrangement or a paragraph. */
const name = /^[A-Za-z0-9][\w.,/-]*$/;
export const named = textLike(name, bounds.name.max, message("name", { max: bounds.name.max }));

/** One or more of a few words. */
/* @__NO_SIDE_EFFECTS__ */
export const someOf = <const T extends readonly string[]>(options: T) => {
  const expected = message("choice", { options: options.join(", ") });
  return v.pipe(v.array(v.picklist(options, expected), expected), v.minLength(1, expected));
};

/** One line of text, without lone surrogates and without white space at its ends. */
/* @__NO_SIDE_EFFECTS__ */
const oneLine = ({ min, max }: Range) =>
  customCheck<string>(
    { type: "string", minLength: min, maxLength: max },
    (value) =>
      typeof value === "string" &&
      isIn(value.length, { min, max }) &&
      !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value) &&
      value === value.trim(),
  );

/** The steps of a story. */
const storyText = message("story", {
  steps: bounds.storySteps.max,
  words: bounds.storyWords.max,
  link: bounds.storyLink.max,
});
export const story = v.pipe(
  v.array(
    v.strictObject({ words: oneLine(bounds.storyWords), link: oneLine(bounds.storyLink) }, storyText),
    storyText,
  ),
  v.minLength(bounds.storySteps.min, storyText),
  v.maxLength(bounds.storySteps.max, storyText),
);

/** A list of whole numbers; `count` bounds their number. */
/* @__NO_SIDE_EFFECTS__ */
export const wholes = (range: Range, count: Range) =>
  v.pipe(
    v.array(whole(range), message("wholes", { ...range, count: rangeText(count) })),
    v.minLength(count.min),
    v.maxLength(count.max),
  );
