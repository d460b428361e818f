/** The schema of a Config: one description from which come its checks, its bounds and its messages. */
import * as v from "valibot";
import { bounds, choices, imageSizes, patchSizes, type Range } from "./bounds.js";
import type { ConfigOf, LabId, Matrix, NumbersOf } from "./config.js";
import { rules } from "./rules.js";
import { isWord } from "./tokens.js";

const whole = ({ min, max }: Range) =>
  v.custom<number>(
    (value) =>
      Number.isInteger(value) &&
      !Object.is(value, -0) &&
      (value as number) >= min &&
      (value as number) <= max,
    `a whole number from ${min} to ${max}`,
  );
const decimal = ({ min, max }: Range) =>
  v.custom<number>(
    (value) => typeof value === "number" && value >= min && value <= max,
    `a number from ${min} to ${max}`,
  );
const finite = v.custom<number>(Number.isFinite, "a finite number");
const choice = <const T extends readonly string[]>(options: T) =>
  v.picklist(options, `one of ${options.join(", ")}`);
const oneOf = (options: readonly number[]) =>
  v.custom<number>((value) => options.includes(value as number), `one of ${options.join(", ")}`);
const flag = v.boolean("true or false");
const plainArray = (value: unknown, { min, max }: Range): value is unknown[] =>
  Array.isArray(value) && value.length >= min && value.length <= max;

const words = v.custom<string[]>(
  (value) =>
    plainArray(value, bounds.words) &&
    value.every(
      (word) => typeof word === "string" && isWord(word, bounds.wordLength.min, bounds.wordLength.max),
    ),
  `at most ${bounds.words.max} words of ${bounds.wordLength.min} to ${bounds.wordLength.max} characters`,
);

/** Rows of equal length; entries checked one by one in a plain loop, for a matrix may hold tens of thousands. */
const rows = <T>(isEntry: (value: unknown) => boolean, height: Range, width: Range, message: string) =>
  v.custom<T[][]>((value) => {
    if (!plainArray(value, height)) return false;
    const first: unknown = value[0];
    const length = Array.isArray(first) ? first.length : 0;
    return value.every((row) => plainArray(row, width) && row.length === length && row.every(isEntry));
  }, message);
const matrix = (height: number, width: number): v.GenericSchema<Matrix | null> =>
  v.nullable(
    rows<number>(
      Number.isFinite,
      { min: 1, max: height },
      { min: 1, max: width },
      `at most ${height} rows of at most ${width} finite numbers`,
    ),
  );
const bits: v.GenericSchema<boolean[][] | null> = v.nullable(
  rows<boolean>(
    (value) => typeof value === "boolean",
    { min: 1, max: bounds.words.max },
    { min: 1, max: bounds.words.max },
    `at most ${bounds.words.max} rows of at most ${bounds.words.max} of true or false`,
  ),
);

/** Name of a node of the graph; "none" is how a link says that there is none. */
export const nodeName = /^(?!none$)[A-Za-z][A-Za-z0-9_.]{0,31}$/;
const node = v.custom<string>(
  (value) => typeof value === "string" && nodeName.test(value),
  "the name of a node",
);
const index = v.pipe(
  v.array(whole(bounds.place), "a list of places"),
  v.maxLength(bounds.axes.max, `at most ${bounds.axes.max} places`),
);
const edits = v.pipe(
  v.array(v.strictObject({ node, index, value: finite }), "a list of edits"),
  v.maxLength(bounds.edits.max, `at most ${bounds.edits.max} edits`),
);

const image = v.union(
  [
    v.strictObject({
      sample: v.custom<string>((value) => typeof value === "string" && /^[a-z][a-z0-9-]{0,31}$/.test(value)),
    }),
    v.strictObject({
      pixels: v.custom<Uint8Array>(
        (value) => value instanceof Uint8Array && value.every((level) => level < 16),
      ),
    }),
  ],
  "the name of a sample, or levels of 0 to 15",
);

/** Each lab's numbers, field by field. */
export const entries = {
  attention: {
    tokens: words,
    memory: words,
    source: choice(choices.attentionSource),
    x: matrix(bounds.words.max, bounds.dim.max),
    dim: whole(bounds.dim),
    keyDim: whole(bounds.keyDim),
    valueDim: whole(bounds.valueDim),
    seed: whole(bounds.seed),
    draw: choice(choices.attentionDraw),
    wq: matrix(bounds.dim.max, bounds.keyDim.max),
    wk: matrix(bounds.dim.max, bounds.keyDim.max),
    wv: matrix(bounds.dim.max, bounds.valueDim.max),
    scale: flag,
    mask: choice(choices.mask),
    paint: bits,
    edits,
  },
  "multi-head": {
    tokens: words,
    source: choice(choices.multiHeadSource),
    length: whole(bounds.drawLength),
    batch: whole(bounds.batch),
    dim: whole(bounds.dim),
    heads: whole(bounds.heads),
    keyDim: whole(bounds.keyDim),
    valueDim: whole(bounds.valueDim),
    seed: whole(bounds.seed),
    draw: choice(choices.multiHeadDraw),
    run: whole(bounds.run),
    scale: flag,
    mask: choice(choices.mask),
    paint: bits,
    edits,
  },
  positions: {
    encoding: choice(choices.encoding),
    length: whole(bounds.length),
    positions: v.nullable(
      v.pipe(
        v.array(whole(bounds.position), "a list of positions"),
        v.minLength(bounds.length.min, `at least ${bounds.length.min} position`),
        v.maxLength(bounds.length.max, `at most ${bounds.length.max} positions`),
      ),
    ),
    dim: whole(bounds.dim),
    base: decimal(bounds.base),
    offset: whole(bounds.offset),
    heads: whole(bounds.heads),
    seed: whole(bounds.seed),
    x: matrix(bounds.length.max, bounds.dim.max),
    edits,
  },
  vit: {
    image,
    size: oneOf(imageSizes),
    patch: oneOf(patchSizes),
    compare: choice(choices.compare),
    dim: whole(bounds.dim),
    cls: flag,
    seed: whole(bounds.seed),
    edits,
  },
} as const;

/** The view, field by field; `lab` apart. */
export const viewEntries = {
  cell: v.nullable(v.strictObject({ node, index })),
  pinned: flag,
  scales: choice(choices.scales),
  item: whole({ min: 0, max: bounds.batch.max - 1 }),
  lang: v.nullable(choice(choices.lang)),
  theme: v.nullable(choice(choices.theme)),
} as const;

/** The rules between the fields of a lab, told as issues of the field that breaks one. */
const obeying = <L extends LabId>(lab: L) =>
  v.rawCheck<NumbersOf[L]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const numbers = dataset.value;
    for (const rule of rules[lab]) {
      const trouble = rule.broken(numbers);
      if (!trouble) continue;
      const input = numbers as unknown as Record<string, unknown>;
      addIssue({
        received: trouble.actual,
        message: trouble.expected,
        path: [{ type: "object", origin: "value", input, key: rule.field, value: input[rule.field] }],
      });
    }
  });

export const numbersSchemas = {
  attention: v.pipe(v.strictObject(entries.attention), obeying("attention")),
  "multi-head": v.pipe(v.strictObject(entries["multi-head"]), obeying("multi-head")),
  positions: v.pipe(v.strictObject(entries.positions), obeying("positions")),
  vit: v.pipe(v.strictObject(entries.vit), obeying("vit")),
} as const;

const configOf = <L extends LabId, S extends v.GenericSchema>(lab: L, numbers: S) =>
  v.strictObject({
    version: v.literal(1, "1"),
    example: v.nullable(
      v.custom<string>(
        (value) => typeof value === "string" && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value),
        "the id of an example",
      ),
    ),
    numbers,
    view: v.strictObject({ lab: v.literal(lab), ...viewEntries }),
  });

const configSchemas = {
  attention: configOf("attention", numbersSchemas.attention),
  "multi-head": configOf("multi-head", numbersSchemas["multi-head"]),
  positions: configOf("positions", numbersSchemas.positions),
  vit: configOf("vit", numbersSchemas.vit),
} as const;

/** The schema of one lab's Config, whose issues name the field. */
export function schemaOf<L extends LabId>(lab: L): (typeof configSchemas)[L] {
  return configSchemas[lab];
}

// The types of config.ts and of this schema are the same: where they part, this does not compile.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = T extends (...inputs: never[]) => unknown
  ? T
  : T extends Uint8Array
    ? T
    : T extends object
      ? { [K in keyof T]: Flat<T[K]> }
      : T;
const agreed: {
  [L in LabId]: [
    Same<Flat<v.InferOutput<(typeof numbersSchemas)[L]>>, Flat<NumbersOf[L]>>,
    Same<Flat<v.InferOutput<(typeof configSchemas)[L]>>, Flat<ConfigOf<L>>>,
  ];
} = { attention: [true, true], "multi-head": [true, true], positions: [true, true], vit: [true, true] };
void agreed;
