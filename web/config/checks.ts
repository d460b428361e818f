/** Checks of single values, each with the message that says what is expected. */
import * as v from "valibot";
import { bounds, type Range } from "./bounds.js";
import type { Matrix } from "./config.js";
import { message, rangeText } from "./expected.js";
import { isWord } from "./tokens.js";

/** What a check says in JSON Schema. */
export interface Json {
  readonly [keyword: string]: unknown;
}

/** A check that Valibot cannot put into JSON Schema itself, with what it says there. */
/* @__NO_SIDE_EFFECTS__ */
export const told = <S extends v.GenericSchema>(json: Json, check: S): S & { json: Json } =>
  Object.assign(check, { json });

/* @__NO_SIDE_EFFECTS__ */
export const whole = ({ min, max }: Range) =>
  told(
    { type: "integer", minimum: min, maximum: max },
    v.custom<number>(
      (value) =>
        Number.isInteger(value) &&
        !Object.is(value, -0) &&
        (value as number) >= min &&
        (value as number) <= max,
      message("whole", { min, max }),
    ),
  );
/* @__NO_SIDE_EFFECTS__ */
export const decimal = ({ min, max }: Range) =>
  told(
    { type: "number", minimum: min, maximum: max },
    v.custom<number>(
      (value) => typeof value === "number" && value >= min && value <= max,
      message("decimal", { min, max }),
    ),
  );
const finite = told({ type: "number" }, v.custom<number>(Number.isFinite));
/* @__NO_SIDE_EFFECTS__ */
export const choice = <const T extends readonly string[]>(options: T) =>
  v.picklist(options, message("choice", { options: options.join(", ") }));
/* @__NO_SIDE_EFFECTS__ */
export const oneOf = (options: readonly number[]) =>
  told(
    { enum: options },
    v.custom<number>(
      (value) => options.includes(value as number),
      message("choice", { options: options.join(", ") }),
    ),
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
export const wordList = (count: Range) =>
  told(
    listOf({ type: "string", minLength: bounds.wordLength.min, maxLength: bounds.wordLength.max }, count),
    v.custom<string[]>(
      (value) =>
        plainArray(value, count) &&
        value.every(
          (word) => typeof word === "string" && isWord(word, bounds.wordLength.min, bounds.wordLength.max),
        ),
      message("words", { ...count, length: bounds.wordLength.max }),
    ),
  );
export const words = wordList(bounds.words);

/** Rows of equal length; entries checked one by one in a plain loop, for a matrix may hold tens of thousands. */
/* @__NO_SIDE_EFFECTS__ */
const rows = <T>(
  entry: Json,
  isEntry: (value: unknown) => boolean,
  height: Range,
  width: Range,
  expected: string,
) =>
  told(
    listOf(listOf(entry, width), height),
    v.custom<T[][]>((value) => {
      if (!plainArray(value, height)) return false;
      const first: unknown = value[0];
      const length = Array.isArray(first) ? first.length : 0;
      return value.every((row) => plainArray(row, width) && row.length === length && row.every(isEntry));
    }, expected),
  );
/* @__NO_SIDE_EFFECTS__ */
export const matrix = (
  height: number,
  width: number,
  expected = message("matrix", { rows: height, columns: width }),
): v.GenericSchema<Matrix | null> =>
  v.nullable(
    rows<number>(
      { type: "number" },
      Number.isFinite,
      { min: 1, max: height },
      { min: 1, max: width },
      expected,
    ),
  );
export const bits: v.GenericSchema<boolean[][] | null> = v.nullable(
  rows<boolean>(
    { type: "boolean" },
    (value) => typeof value === "boolean",
    { min: 1, max: bounds.words.max },
    { min: 1, max: bounds.words.max },
    message("mask", { rows: bounds.words.max, columns: bounds.words.max }),
  ),
);

/** Name of a node of the graph; "none" is how a link says that there is none. */
export const nodeName = /^(?!none$)[A-Za-z][A-Za-z0-9_.]{0,63}$/;
export const node = told(
  { type: "string", pattern: nodeName.source },
  v.custom<string>((value) => typeof value === "string" && nodeName.test(value)),
);
export const index = v.pipe(v.array(whole(bounds.place)), v.maxLength(bounds.axes.max));
export const edits = v.pipe(
  v.array(v.strictObject({ node, index, value: finite }), message("edits", { ...bounds.edits })),
  v.maxLength(bounds.edits.max),
);

/** The name of a stop, of a picture, of a paragraph. */
const name = /^[A-Za-z0-9][\w.,/-]*$/;
export const named = told(
  { type: "string", pattern: name.source, maxLength: bounds.name.max },
  v.custom<string>(
    (value) => typeof value === "string" && value.length <= bounds.name.max && name.test(value),
    message("name", { max: bounds.name.max }),
  ),
);

/** One or more of a few words. */
/* @__NO_SIDE_EFFECTS__ */
export const someOf = <const T extends readonly string[]>(options: T) => {
  const expected = message("choice", { options: options.join(", ") });
  return v.pipe(v.array(v.picklist(options, expected), expected), v.minLength(1, expected));
};

/** One line of text, without half a character at an end. */
/* @__NO_SIDE_EFFECTS__ */
const oneLine = ({ min, max }: Range) =>
  told(
    { type: "string", minLength: min, maxLength: max },
    v.custom<string>(
      (value) =>
        typeof value === "string" &&
        value.length >= min &&
        value.length <= max &&
        !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value) &&
        value === value.trim(),
    ),
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

/** A list of so many whole numbers. */
/* @__NO_SIDE_EFFECTS__ */
export const wholes = (range: Range, count: Range) =>
  v.pipe(
    v.array(whole(range), message("wholes", { ...range, count: rangeText(count) })),
    v.minLength(count.min),
    v.maxLength(count.max),
  );
