/** The settings of the image lab. */
import * as v from "valibot";
import { hasSample } from "../../examples/sample-ids.js";
import { bounds, choices, imageSizes, patchSizes } from "../bounds.js";
import { customCheck, textLike } from "../checks.js";
import { expecting, message, shapeText } from "../expected.js";
import { cellCount, encoderLayerShapes, givenBounds, givenRules, shapesOfLayers } from "../given.js";
import { choice, edits, flag, later, matrix, named, oneOf, whole, wordList, type Kind } from "../kinds.js";
import { labSettings, type NumbersIn } from "../lab-settings.js";
import type { Leaves } from "../cells.js";
import { headsProblem, sizes } from "../rule.js";
import { image as imageForm, images, sideOf } from "../pixels.js";

const sampleName = /^[a-z][a-z0-9-]{0,31}$/;
const level = { min: 0, max: 15 };
const classCount = { min: 1, max: 64 };

/** A sample's id, or the reader's own pixels: size * size * 3 levels of 0 … 15, row, column, channel. */
const image: Kind<{ sample: string } | { pixels: Uint8Array }> = {
  check: v.union(
    [
      v.strictObject({ sample: textLike(sampleName) }),
      v.strictObject({
        pixels: customCheck<Uint8Array>(
          { type: "array", items: { type: "integer", minimum: level.min, maximum: level.max } },
          (value) => value instanceof Uint8Array && value.every((one) => one <= level.max),
        ),
      }),
    ],
    message("image", images),
  ),
  form: imageForm,
};

const kinds = {
  image,
  /** Side in pixels. */
  size: oneOf(imageSizes),
  patch: oneOf(patchSizes),
  /** The rows by which the patches are compared: their flat pixels, or their projections. */
  compare: choice(choices.compare),
  dim: whole(bounds.dim),
  /** Put a learnable CLS token first and add learnable positions (projection only). */
  cls: flag,
  seed: whole(bounds.seed),
  edits,
  /** Encoder layers that read the sequence. Absent, here and below: the value that `encoderOf` returns. */
  layers: later(whole(bounds.vitLayers)),
  heads: later(whole(bounds.vitHeads)),
  /** The image size that the position embeddings are made for; absent: that of the image. */
  positionSize: named("positionsize", later(oneOf(imageSizes))),
  /** How the position embeddings are resized if that is another size. Absent: bicubic. */
  interpolation: later(choice(choices.interpolation)),
  /** The names of the classes that the encoder tells apart; given with `parameters`. */
  classes: later(wordList(classCount)),
  /** All numbers of the tensors of `parameterShapes` in one row: those of a run in the training lab; given with `classes`. Absent: drawn from the seed. */
  parameters: later(matrix(1, givenBounds.max)),
};
export type VitNumbers = NumbersIn<typeof kinds>;
type N = VitNumbers;

/** N: (size / patch)². */
export const patchCount = ({ size, patch }: Pick<N, "size" | "patch">): number => (size / patch) ** 2;

/** The size that the position embeddings are made for, and how they are resized. The values for absent fields never change. */
export const positionsOf = ({
  size,
  positionSize = size,
  interpolation = "bicubic",
}: Pick<N, "size" | "positionSize" | "interpolation">) => ({ positionSize, interpolation });

/** The patches along one side of the image that the position embeddings are made for. */
export const positionSide = (numbers: N): number => positionsOf(numbers).positionSize / numbers.patch;

/** Whether there are position embeddings, and they are made for another size than that of the image. */
export const isStretched = (numbers: N): boolean =>
  numbers.compare === "projection" && numbers.cls && positionsOf(numbers).positionSize !== numbers.size;

/** The encoder that reads the patches. The values for absent fields never change. */
export interface Encoder {
  layers: number;
  /** A divisor of dim. */
  heads: number;
}

/** The largest numbers that encoder layers can read. */
export const encoderMost = { dim: 64, patches: 256, heads: 8 } as const;

/** The width of a layer's network divided by the width of a row. */
export const encoderWider = 4;

export const encoderOf = ({ layers = 0, heads, dim }: Pick<N, "layers" | "heads" | "dim">): Encoder => ({
  layers,
  heads: heads ?? [4, 2].find((count) => dim % count === 0) ?? 1,
});

/** Whether encoder layers read the patches. */
export const hasEncoder = ({ layers = 0 }: Pick<N, "layers">): boolean => layers > 0;

/** Whether there can be encoder layers. */
export const encoderFits = (numbers: N): boolean =>
  numbers.compare === "projection" &&
  numbers.cls &&
  numbers.dim <= encoderMost.dim &&
  patchCount(numbers) <= encoderMost.patches;

/** The shapes of all parameters of a ViT that tells classes apart; those inside its layers have PyTorch's names. */
export function parameterShapes(numbers: N): Leaves {
  const { dim, classes = [] } = numbers;
  const ofLayer = encoderLayerShapes(dim, encoderWider * dim);
  return {
    ...embeddingShapes(numbers),
    ...shapesOfLayers(encoderOf(numbers).layers, ofLayer, (layer, name) => `layers.${layer}.${name}`),
    "norm.weight": [dim],
    "norm.bias": [dim],
    "head.weight": [classes.length, dim],
    "head.bias": [classes.length, 1],
  };
}

export const parameterCount = (numbers: N): number => cellCount(parameterShapes(numbers));

/** The shapes of the parameters that make rows of patches. */
const embeddingShapes = (numbers: N): Leaves => ({
  W_E: [3 * numbers.patch ** 2, numbers.dim],
  b_E: [numbers.dim],
  ...(numbers.cls && { CLS: [1, numbers.dim], position: [positionSide(numbers) ** 2 + 1, numbers.dim] }),
});

/** Numbers whose parameters are drawn. Edits of the image stay. */
export function withDrawnParameters({ parameters: _given, classes: _names, ...numbers }: N): N {
  return { ...numbers, edits: numbers.edits.filter(({ node }) => node === "image") };
}

export const vit = labSettings<N>(kinds, {
  first: "harbour",
  absent: {
    size: ({ image }, base) =>
      "pixels" in image
        ? (imageSizes.find((size) => size * size * 3 === image.pixels.length) ?? base.size)
        : base.size,
  },
  rules: [
    {
      field: "patch",
      broken: ({ patch, size }) =>
        size % patch === 0 ? null : { expected: expecting("divisor", { of: size }), actual: String(patch) },
      repair: (numbers, base) => ({
        ...numbers,
        patch:
          numbers.size % base.patch === 0
            ? base.patch
            : patchSizes.findLast((patch) => numbers.size % patch === 0)!,
      }),
    },
    {
      field: "image",
      broken({ image, size }) {
        if ("sample" in image)
          return hasSample(image.sample)
            ? null
            : { expected: expecting("image", images), actual: image.sample };
        if (image.pixels.length === size * size * 3) return null;
        const side = sideOf(image.pixels.length) ?? 0;
        return {
          expected: expecting("shape", { shape: shapeText([size, size, 3]) }),
          actual: shapeText([side, side, 3]),
        };
      },
      repair: (numbers, { image, size }) =>
        "sample" in image ? { ...numbers, image } : { ...numbers, image, size },
    },
    {
      field: "layers",
      broken: (numbers) =>
        hasEncoder(numbers) && !encoderFits(numbers)
          ? { expected: expecting("encoder", encoderMost), actual: String(numbers.layers) }
          : null,
      repair: (numbers) => ({ ...numbers, layers: 0 }),
    },
    {
      field: "heads",
      broken: ({ dim, heads = 1 }) => headsProblem({ dim, heads }),
      repair: (numbers) => ({ ...numbers, heads: encoderOf({ ...numbers, heads: undefined }).heads }),
    },
    {
      field: "positionSize",
      broken: ({ patch, positionSize = patch }) =>
        positionSize % patch === 0
          ? null
          : { expected: expecting("multiple", { of: patch }), actual: String(positionSize) },
      repair: ({ positionSize: _, ...numbers }) => numbers,
    },
    {
      field: "parameters",
      broken: (numbers) =>
        !numbers.parameters || hasEncoder(numbers)
          ? null
          : { expected: expecting("beside", { field: "layers" }), actual: sizes(numbers.parameters) },
      repair: withDrawnParameters,
    },
    ...givenRules<"classes", N>("classes", classCount, parameterCount, withDrawnParameters),
  ],
  leaves: (numbers) => ({
    image: [3, numbers.size, numbers.size],
    ...(numbers.compare === "projection" && embeddingShapes(numbers)),
  }),
});
