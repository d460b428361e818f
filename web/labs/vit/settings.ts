/** The settings of the image lab as a sentence, and its title. */
import { bounds, imageSizes, patchSizes } from "../../config/bounds.js";
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import {
  encoderFits,
  encoderMost,
  encoderOf,
  hasEncoder,
  isStretched,
  parameterCount,
  patchCount,
  positionsOf,
  withDrawnParameters,
} from "../../config/labs/vit.js";
import { Allowance } from "../../config/packing.js";
import { readPixels, sideOf } from "../../config/pixels.js";
import { hasSample } from "../../examples/sample-ids.js";
import { samples } from "../../examples/samples.js";
import type { Words } from "../../i18n/words.js";
import { labControls, withoutDefaults, type ControlOf } from "../../telling/controls.js";
import type { Refused } from "../../telling/typed-values.js";
import { parametersControl, refuseOtherCount } from "../given-parameters.js";
import { stringsIn } from "./strings.js";

type Config = ConfigOf<"vit">;

export function title({ numbers }: Config, words: Words): string {
  const { layers: n } = encoderOf(numbers);
  if (hasEncoder(numbers)) return stringsIn(words)(n === 1 ? "title.one" : "title.many", { n });
  return words("labs.vit.title", { n: patchCount(numbers) });
}

export function lede({ numbers }: Config, words: Words, isNarrow: boolean): string {
  if (numbers.parameters) return stringsIn(words)("lede.given");
  if (hasEncoder(numbers)) return stringsIn(words)(isNarrow ? "lede.narrow" : "lede");
  return words(isNarrow ? "labs.vit.lede.narrow" : "labs.vit.lede");
}

/** The numbers with another image: a sample's name, or pixels as a link holds them. Edits of the old pixels are dropped. */
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

const squareText = (side: number): string => `${side} × ${side}`;

/** The reason why encoder layers cannot read these numbers; null if they can. */
function encoderRefusal(numbers: VitNumbers, words: Words): string | null {
  const strings = stringsIn(words);
  if (encoderFits({ ...numbers, compare: "projection", cls: true })) return null;
  return numbers.dim > encoderMost.dim
    ? strings("refused.dim", { most: encoderMost.dim, given: numbers.dim })
    : strings("refused.patches", { most: encoderMost.patches, given: patchCount(numbers) });
}

/** Disables the option that leads to these numbers if their encoder layers could not read them. */
const encoderRestriction = (numbers: VitNumbers, words: Words): { disabled?: string } => {
  const disabled = hasEncoder(numbers) ? encoderRefusal(numbers, words) : null;
  return disabled ? { disabled } : {};
};

const countText = (setting: "layers" | "heads", n: number, words: Words): string =>
  setting === "layers" && n === 0
    ? stringsIn(words)("layers.0")
    : stringsIn(words)(n === 1 ? `${setting}.one` : `${setting}.many`, { n });

/** The control for the number of layers of the encoder, or of heads of a layer. */
const countControl = (
  setting: "layers" | "heads",
  rest: Required<Pick<ControlOf<"vit">, "options" | "set">>,
): ControlOf<"vit"> => ({
  kind: "choice",
  value: ({ numbers }) => String(encoderOf(numbers)[setting]),
  label: ({ numbers }, words) => countText(setting, encoderOf(numbers)[setting], words),
  ...rest,
});

/** The numbers without the settings of the interpolation: the positions then have the image's own size. */
const withoutResizing = ({ positionSize: _size, interpolation: _mode, ...numbers }: VitNumbers): VitNumbers =>
  numbers;

/**
 * The numbers after another setting was changed: refused if the encoder layers cannot read them, and without layers if the class token
 * that layers need is gone.
 */
function withEncoderKept(numbers: VitNumbers, words: Words): VitNumbers | Refused {
  if (!hasEncoder(numbers)) return numbers;
  const { layers, heads, ...rest } = numbers;
  if (numbers.compare === "pixels" || !numbers.cls) return rest;
  const refused = encoderRefusal(numbers, words);
  if (refused) return { refused };
  return heads === undefined || numbers.dim % heads === 0 ? numbers : { ...rest, layers };
}

export const settings = labControls({
  id: "vit",
  strings: stringsIn,
  sentence({ numbers }, words) {
    if (numbers.compare === "pixels") return words("labs.vit.sentence.pixels");
    const from = stringsIn(words)(numbers.parameters ? "from.given" : "from.drawn");
    const sentence = words(
      hasEncoder(numbers) ? "labs.vit.sentence.encoder" : "labs.vit.sentence.projection",
    ).replace("{from}", from);
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
      label: ({ numbers }) => squareText(numbers.size),
      options: ({ numbers }, words) => {
        const { patch, size: own, image } = numbers;
        return imageSizes.map((size) => ({
          value: String(size),
          label: squareText(size),
          ...(size % patch !== 0 ? { disabled: words("labs.refused.patch", { size, patch }) } : {}),
          ...encoderRestriction({ ...numbers, size }, words),
          ...("pixels" in image && size !== own
            ? { disabled: words("labs.refused.size", { size: own }) }
            : {}),
        }));
      },
      then(after, before, words) {
        if ("pixels" in before.image && after.size !== before.size)
          return { refused: words("labs.refused.size", { size: before.size }) };
        const resized = { ...after, edits: after.edits.filter(({ node }) => node !== "image") };
        // Given positions are made for one size.
        const { positionSize } = positionsOf(before);
        if (!after.parameters) return resized;
        const { positionSize: _, ...ownSize } = resized;
        return positionSize === after.size ? ownSize : { ...resized, positionSize };
      },
    },
    patch: {
      essential: true,
      label: ({ numbers }) => squareText(numbers.patch),
      options: ({ numbers }, words) =>
        patchSizes
          .filter((patch) => patch <= numbers.size)
          .map((patch) => ({
            value: String(patch),
            label: squareText(patch),
            ...encoderRestriction({ ...numbers, patch }, words),
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
    seed: { help: (_config, words) => words("labs.help.attention.seed") },
    cls: {
      options: (_config, words) =>
        (["on", "off"] as const).map((value) => ({ value, label: words(`labs.cls.${value}`) })),
    },
    positionSize: {
      value: ({ numbers }) => String(positionsOf(numbers).positionSize),
      label: ({ numbers }, words) =>
        isStretched(numbers)
          ? squareText(positionsOf(numbers).positionSize)
          : stringsIn(words)("positionSize.own"),
      options: ({ numbers: { patch } }, words) =>
        imageSizes.map((size) => ({
          value: String(size),
          label: squareText(size),
          ...(size % patch !== 0 ? { disabled: words("labs.refused.patch", { size, patch }) } : {}),
        })),
      then({ positionSize, ...after }, _before, words) {
        const { size, patch } = after;
        if (positionSize === undefined || positionSize === size) return withoutResizing(after);
        if (positionSize % patch === 0) return { ...after, positionSize };
        return { refused: words("labs.refused.patch", { size: positionSize, patch }) };
      },
    },
    interpolation: {
      value: ({ numbers }) => positionsOf(numbers).interpolation,
      label: ({ numbers }, words) => stringsIn(words)(`interpolation.${positionsOf(numbers).interpolation}`),
      then: (after) => withoutDefaults(after, positionsOf({ size: after.size })),
    },
    layers: countControl("layers", {
      options({ numbers }, words) {
        const disabled = encoderRefusal(numbers, words);
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
        const refused = encoderRefusal(numbers, words);
        return refused ? { refused } : { ...numbers, layers, compare: "projection", cls: true };
      },
    }),
    heads: countControl("heads", {
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
    parameters: parametersControl<VitNumbers>(withDrawnParameters),
  },
  after(answer, words) {
    // Given parameters are those of encoder layers.
    if (answer.parameters)
      return hasEncoder(answer) && encoderFits(answer)
        ? refuseOtherCount(answer, parameterCount(answer), words)
        : { refused: stringsIn(words)("refused.parameters") };
    return withEncoderKept(answer, words);
  },
});
