/** The settings of the vit lab as a sentence, and its title. */
import { bounds, imageSizes, patchSizes } from "../../config/bounds.js";
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import {
  encoderFits,
  encoderMost,
  encoderOf,
  hasEncoder,
  isStretched,
  patchCount,
  positionsOf,
} from "../../config/labs/vit.js";
import { Allowance } from "../../config/packing.js";
import { readPixels, sideOf } from "../../config/pixels.js";
import { hasSample } from "../../examples/sample-ids.js";
import { samples } from "../../examples/samples.js";
import type { Words } from "../../i18n/words.js";
import { labControls, withoutDefaults, type ControlOf } from "../../telling/controls.js";
import type { Refused } from "../../telling/typed-values.js";
import { stringsIn } from "./strings.js";

type Config = ConfigOf<"vit">;

export function title({ numbers }: Config, words: Words): string {
  const { layers: n } = encoderOf(numbers);
  if (hasEncoder(numbers)) return stringsIn(words)(n === 1 ? "title.one" : "title.many", { n });
  return words("labs.vit.title", { n: patchCount(numbers) });
}

export function lede({ numbers }: Config, words: Words, isNarrow: boolean): string {
  if (hasEncoder(numbers)) return stringsIn(words)(isNarrow ? "lede.narrow" : "lede");
  return words(isNarrow ? "labs.vit.lede.narrow" : "labs.vit.lede");
}

/** A sample's name, or pixels as a link holds them. Edits of the old image's pixels go. */
function imageFrom(numbers: VitNumbers, value: string, words: Words): VitNumbers | Refused {
  const edits = numbers.edits.filter(({ node }) => node !== "image");
  if (hasSample(value)) return { ...numbers, image: { sample: value }, edits };
  try {
    const pixels = readPixels(value, new Allowance(1 << 16));
    return { ...numbers, image: { pixels }, size: sideOf(pixels.length) ?? numbers.size, edits };
  } catch {
    return { refused: words("labs.refused.image") };
  }
}

const square = (side: number): string => `${side} × ${side}`;

/** Why these numbers cannot have encoder layers; null where they can. */
function barred(numbers: VitNumbers, words: Words): string | null {
  const say = stringsIn(words);
  if (encoderFits({ ...numbers, compare: "projection", cls: true })) return null;
  return numbers.dim > encoderMost.dim
    ? say("refused.dim", { most: encoderMost.dim, given: numbers.dim })
    : say("refused.patches", { most: encoderMost.patches, given: patchCount(numbers) });
}

/** The reason an option is disabled: an encoder cannot read these numbers. Empty if it can, or if there is no encoder. */
const tooMany = (numbers: VitNumbers, words: Words): { disabled?: string } => {
  const disabled = hasEncoder(numbers) ? barred(numbers, words) : null;
  return disabled ? { disabled } : {};
};

const countText = (what: "layers" | "heads", n: number, words: Words): string =>
  what === "layers" && n === 0
    ? stringsIn(words)("layers.0")
    : stringsIn(words)(n === 1 ? `${what}.one` : `${what}.many`, { n });

/** How many layers the encoder has, or how many heads: chosen among a few, and said without a value of their own. */
const counted = (
  what: "layers" | "heads",
  rest: Required<Pick<ControlOf<"vit">, "options" | "set">>,
): ControlOf<"vit"> => ({
  kind: "choice",
  title: (words) => stringsIn(words)(`field.${what}`),
  help: (_config, words) => stringsIn(words)(`help.${what}`),
  value: ({ numbers }) => String(encoderOf(numbers)[what]),
  label: ({ numbers }, words) => countText(what, encoderOf(numbers)[what], words),
  ...rest,
});

/** Removes both settings of the interpolation: the positions then have the image's own size. */
const withoutStretching = ({
  positionSize: _size,
  interpolation: _mode,
  ...numbers
}: VitNumbers): VitNumbers => numbers;

/** Numbers after another setting: refused where layers cannot read them; without their class token the layers go. */
function withEncoderKept(numbers: VitNumbers, words: Words): VitNumbers | Refused {
  if (!hasEncoder(numbers)) return numbers;
  const { layers, heads, ...rest } = numbers;
  if (numbers.compare === "pixels" || !numbers.cls) return rest;
  const refused = barred(numbers, words);
  if (refused) return { refused };
  return heads === undefined || numbers.dim % heads === 0 ? numbers : { ...rest, layers };
}

export const settings = labControls({
  id: "vit",
  strings: null,
  sentence({ numbers }, words) {
    if (numbers.compare === "pixels") return words("labs.vit.sentence.pixels");
    const sentence = words(
      hasEncoder(numbers) ? "labs.vit.sentence.encoder" : "labs.vit.sentence.projection",
    );
    if (!numbers.cls) return sentence;
    const placed = stringsIn(words)(isStretched(numbers) ? "sentence.stretched" : "sentence.placed");
    return sentence.replace("{cls}", placed);
  },
  controls: {
    image: {
      kind: "image",
      essential: true,
      value: ({ numbers: { image } }) => ("pixels" in image ? "" : image.sample),
      label({ numbers: { image } }, words) {
        const sample = "pixels" in image ? undefined : samples.find(({ id }) => id === image.sample);
        return sample ? sample.title[words.language] : words("labs.vit.own");
      },
      options: (_config, words) =>
        samples.map(({ id, title: names }) => ({ value: id, label: names[words.language] })),
      set: (numbers, typed, _reading, words) => imageFrom(numbers, typed, words),
    },
    size: {
      label: ({ numbers }) => square(numbers.size),
      options: ({ numbers }, words) => {
        const { patch, size: own, image } = numbers;
        return imageSizes.map((size) => ({
          value: String(size),
          label: square(size),
          ...(size % patch !== 0 ? { disabled: words("labs.refused.patch", { size, patch }) } : {}),
          ...tooMany({ ...numbers, size }, words),
          ...("pixels" in image && size !== own
            ? { disabled: words("labs.refused.size", { size: own }) }
            : {}),
        }));
      },
      then(after, before, words) {
        if ("pixels" in before.image && after.size !== before.size)
          return { refused: words("labs.refused.size", { size: before.size }) };
        return { ...after, edits: after.edits.filter(({ node }) => node !== "image") };
      },
    },
    patch: {
      essential: true,
      label: ({ numbers }) => square(numbers.patch),
      options: ({ numbers }, words) =>
        patchSizes
          .filter((patch) => patch <= numbers.size)
          .map((patch) => ({
            value: String(patch),
            label: square(patch),
            ...tooMany({ ...numbers, patch }, words),
          })),
      then(after, _before, words) {
        const { size, patch } = after;
        const undivided = [size, positionsOf(after).positionSize].find((side) => side % patch !== 0);
        if (undivided !== undefined)
          return { refused: words("labs.refused.patch", { size: undivided, patch }) };
        return { ...after, edits: after.edits.filter(({ node }) => node === "image") };
      },
    },
    dim: {
      title: "labs.field.dimensions",
      range: (numbers) => ({ min: 1, max: hasEncoder(numbers) ? encoderMost.dim : 512 }),
    },
    cls: {
      options: (_config, words) =>
        (["on", "off"] as const).map((value) => ({ value, label: words(`labs.cls.${value}`) })),
    },
    positionSize: {
      value: ({ numbers }) => String(positionsOf(numbers).positionSize),
      label: ({ numbers }, words) =>
        isStretched(numbers)
          ? square(positionsOf(numbers).positionSize)
          : stringsIn(words)("positionSize.own"),
      options: ({ numbers: { patch } }, words) =>
        imageSizes.map((size) => ({
          value: String(size),
          label: square(size),
          ...(size % patch !== 0 ? { disabled: words("labs.refused.patch", { size, patch }) } : {}),
        })),
      then({ positionSize, ...after }, _before, words) {
        const { size, patch } = after;
        if (positionSize === undefined || positionSize === size) return withoutStretching(after);
        if (positionSize % patch === 0) return { ...after, positionSize };
        return { refused: words("labs.refused.patch", { size: positionSize, patch }) };
      },
    },
    interpolation: {
      value: ({ numbers }) => positionsOf(numbers).interpolation,
      label: ({ numbers }, words) => stringsIn(words)(`interpolation.${positionsOf(numbers).interpolation}`),
      then: (after) => withoutDefaults(after, positionsOf({ size: after.size })),
    },
    layers: counted("layers", {
      options({ numbers }, words) {
        const disabled = barred(numbers, words);
        return Array.from({ length: bounds.vitLayers.max + 1 }, (_, n) => ({
          value: String(n),
          label: countText("layers", n, words),
          ...(n > 0 && disabled ? { disabled } : {}),
        }));
      },
      // Layers bring the class token and the projection that they need.
      set(numbers, typed, reading, words) {
        const layers = reading.whole(typed, bounds.vitLayers);
        if (typeof layers !== "number") return layers;
        const { layers: _layers, heads: _heads, ...rest } = numbers;
        if (layers === 0) return rest;
        const refused = barred(numbers, words);
        return refused ? { refused } : { ...numbers, layers, compare: "projection", cls: true };
      },
    }),
    heads: counted("heads", {
      options: ({ numbers }, words) =>
        Array.from({ length: bounds.vitHeads.max }, (_, at) => at + 1)
          .filter((n) => numbers.dim % n === 0)
          .map((n) => ({ value: String(n), label: countText("heads", n, words) })),
      set(numbers, typed, reading, words) {
        const heads = reading.whole(typed, bounds.vitHeads);
        if (typeof heads === "number" && numbers.dim % heads === 0) return { ...numbers, heads };
        return { refused: stringsIn(words)("refused.heads", { dim: numbers.dim, given: typed }) };
      },
    }),
  },
  after: withEncoderKept,
});
