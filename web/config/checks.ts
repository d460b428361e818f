/** Checks of single values, each with the message that says what was expected. */
import * as v from "valibot";
import { bounds, type Range } from "./bounds.js";
import type { Matrix } from "./config.js";
import { isWord } from "./tokens.js";

/** What a check says in JSON Schema. */
export interface Json {
  readonly [keyword: string]: unknown;
}

/** A check that Valibot cannot put into JSON Schema itself, with what it says there. */
export const told = <S extends v.GenericSchema>(json: Json, check: S): S & { json: Json } =>
  Object.assign(check, { json });

export const whole = ({ min, max }: Range) =>
  told(
    { type: "integer", minimum: min, maximum: max },
    v.custom<number>(
      (value) =>
        Number.isInteger(value) &&
        !Object.is(value, -0) &&
        (value as number) >= min &&
        (value as number) <= max,
      `a whole number from ${min} to ${max}`,
    ),
  );
export const decimal = ({ min, max }: Range) =>
  told(
    { type: "number", minimum: min, maximum: max },
    v.custom<number>(
      (value) => typeof value === "number" && value >= min && value <= max,
      `a number from ${min} to ${max}`,
    ),
  );
const finite = told({ type: "number" }, v.custom<number>(Number.isFinite, "a finite number"));
export const choice = <const T extends readonly string[]>(options: T) =>
  v.picklist(options, `one of ${options.join(", ")}`);
export const oneOf = (options: readonly number[]) =>
  told(
    { enum: options },
    v.custom<number>((value) => options.includes(value as number), `one of ${options.join(", ")}`),
  );
export const flag = v.boolean("true or false");
const plainArray = (value: unknown, { min, max }: Range): value is unknown[] =>
  Array.isArray(value) && value.length >= min && value.length <= max;

const listOf = (items: Json, { min, max }: Range): Json => ({
  type: "array",
  items,
  minItems: min,
  maxItems: max,
});

export const wordList = (count: Range) =>
  told(
    listOf({ type: "string", minLength: bounds.wordLength.min, maxLength: bounds.wordLength.max }, count),
    v.custom<string[]>(
      (value) =>
        plainArray(value, count) &&
        value.every(
          (word) => typeof word === "string" && isWord(word, bounds.wordLength.min, bounds.wordLength.max),
        ),
      `${count.min > 0 ? `${count.min} to` : "at most"} ${count.max} words of ${bounds.wordLength.min} to ${bounds.wordLength.max} characters`,
    ),
  );
export const words = wordList(bounds.words);

/** Rows of equal length; entries checked one by one in a plain loop, for a matrix may hold tens of thousands. */
const rows = <T>(
  entry: Json,
  isEntry: (value: unknown) => boolean,
  height: Range,
  width: Range,
  message: string,
) =>
  told(
    listOf(listOf(entry, width), height),
    v.custom<T[][]>((value) => {
      if (!plainArray(value, height)) return false;
      const first: unknown = value[0];
      const length = Array.isArray(first) ? first.length : 0;
      return value.every((row) => plainArray(row, width) && row.length === length && row.every(isEntry));
    }, message),
  );
export const matrix = (height: number, width: number): v.GenericSchema<Matrix | null> =>
  v.nullable(
    rows<number>(
      { type: "number" },
      Number.isFinite,
      { min: 1, max: height },
      { min: 1, max: width },
      `at most ${height} rows of at most ${width} finite numbers`,
    ),
  );
export const bits: v.GenericSchema<boolean[][] | null> = v.nullable(
  rows<boolean>(
    { type: "boolean" },
    (value) => typeof value === "boolean",
    { min: 1, max: bounds.words.max },
    { min: 1, max: bounds.words.max },
    `at most ${bounds.words.max} rows of at most ${bounds.words.max} of true or false`,
  ),
);

/** Name of a node of the graph; "none" is how a link says that there is none. */
export const nodeName = /^(?!none$)[A-Za-z][A-Za-z0-9_.]{0,63}$/;
export const node = told(
  { type: "string", pattern: nodeName.source },
  v.custom<string>((value) => typeof value === "string" && nodeName.test(value), "the name of a node"),
);
export const index = v.pipe(
  v.array(whole(bounds.place), "a list of places"),
  v.maxLength(bounds.axes.max, `at most ${bounds.axes.max} places`),
);
export const edits = v.pipe(
  v.array(v.strictObject({ node, index, value: finite }), "a list of edits"),
  v.maxLength(bounds.edits.max, `at most ${bounds.edits.max} edits`),
);
