/** The schema of a Config: one description from which come its checks, its bounds and its messages. The rules between fields: rules.ts. */
import * as v from "valibot";
import { bounds, choices, imageSizes, patchSizes, storyPlaces } from "./bounds.js";
import {
  bits,
  choice,
  decimal,
  edits,
  flag,
  index,
  matrix,
  named,
  node,
  oneOf,
  someOf,
  story,
  told,
  whole,
  wholes,
  words,
} from "./checks.js";
import type { ConfigOf, LabId, NumbersOf } from "./config.js";
import { message } from "./expected.js";
import { complexity } from "./labs/complexity.js";
import { encoderDecoder } from "./labs/encoder-decoder.js";
import { optimizersConfig } from "./labs/optimizers.js";
import { bert } from "./labs/bert.js";
import { block } from "./labs/block.js";
import { losses } from "./labs/losses.js";
import { scaling } from "./labs/scaling.js";
import { wordsConfig } from "./labs/words.js";
import { images } from "./pixels.js";

const sampleName = /^[a-z][a-z0-9-]{0,31}$/;
const level = { min: 0, max: 15 };
const image = v.union(
  [
    v.strictObject({
      sample: told(
        { type: "string", pattern: sampleName.source },
        v.custom<string>((value) => typeof value === "string" && sampleName.test(value)),
      ),
    }),
    v.strictObject({
      pixels: told(
        { type: "array", items: { type: "integer", minimum: level.min, maximum: level.max } },
        v.custom<Uint8Array>(
          (value) => value instanceof Uint8Array && value.every((one) => one <= level.max),
        ),
      ),
    }),
  ],
  message("image", images),
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
    score: v.optional(choice(choices.attentionScore)),
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
    positions: v.nullable(wholes(bounds.position, bounds.length)),
    dim: whole(bounds.dim),
    base: decimal(bounds.base),
    offset: whole(bounds.offset),
    heads: whole(bounds.heads),
    seed: whole(bounds.seed),
    x: matrix(bounds.length.max, bounds.dim.max),
    edits,
    tokens: v.optional(words),
    swap: v.optional(wholes({ min: 0, max: bounds.words.max - 1 }, { min: 2, max: 2 })),
    wordDim: v.optional(whole(bounds.wordDim)),
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
    layers: v.optional(whole(bounds.vitLayers)),
    heads: v.optional(whole(bounds.vitHeads)),
  },
  "encoder-decoder": encoderDecoder.entries,
  optimizers: optimizersConfig.entries,
  block: block.entries,
  losses: losses.entries,
  complexity: complexity.entries,
  scaling: scaling.entries,
  bert: bert.entries,
  words: wordsConfig.entries,
} as const;

const cell = v.strictObject({ node, index }, message("cell", { ...bounds.axes }));

/** The view, field by field; `lab` and `before` apart. */
export const viewEntries = {
  cell: v.nullable(cell),
  pinned: flag,
  scales: choice(choices.scales),
  item: whole({ min: 0, max: bounds.batch.max - 1 }),
  lang: v.nullable(choice(choices.lang)),
  theme: v.nullable(choice(choices.theme)),
  gradient: v.optional(cell),
  read: v.optional(choice(choices.read)),
  stop: v.optional(named),
  unfolded: v.optional(someOf(choices.unfolded)),
  picture: v.optional(named),
  lesson: v.optional(named),
  story: v.optional(story),
  reached: v.optional(whole(storyPlaces)),
} as const;

export const numbersSchemas = {
  attention: v.strictObject(entries.attention),
  "multi-head": v.strictObject(entries["multi-head"]),
  positions: v.strictObject(entries.positions),
  vit: v.strictObject(entries.vit),
  "encoder-decoder": v.strictObject(entries["encoder-decoder"]),
  optimizers: v.strictObject(entries.optimizers),
  block: v.strictObject(entries.block),
  losses: v.strictObject(entries.losses),
  complexity: v.strictObject(entries.complexity),
  scaling: v.strictObject(entries.scaling),
  bert: v.strictObject(entries.bert),
  words: v.strictObject(entries.words),
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
    view: v.strictObject({ lab: v.literal(lab), ...viewEntries, before: v.optional(numbers) }),
  });

const configSchemas = {
  attention: configOf("attention", numbersSchemas.attention),
  "multi-head": configOf("multi-head", numbersSchemas["multi-head"]),
  positions: configOf("positions", numbersSchemas.positions),
  vit: configOf("vit", numbersSchemas.vit),
  "encoder-decoder": configOf("encoder-decoder", numbersSchemas["encoder-decoder"]),
  optimizers: configOf("optimizers", numbersSchemas.optimizers),
  block: configOf("block", numbersSchemas.block),
  losses: configOf("losses", numbersSchemas.losses),
  complexity: configOf("complexity", numbersSchemas.complexity),
  scaling: configOf("scaling", numbersSchemas.scaling),
  bert: configOf("bert", numbersSchemas.bert),
  words: configOf("words", numbersSchemas.words),
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
} = {
  attention: [true, true],
  "multi-head": [true, true],
  positions: [true, true],
  vit: [true, true],
  "encoder-decoder": [true, true],
  optimizers: [true, true],
  block: [true, true],
  losses: [true, true],
  complexity: [true, true],
  scaling: [true, true],
  bert: [true, true],
  words: [true, true],
};
void agreed;
