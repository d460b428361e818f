/** The settings of the vit lab as a sentence, and its title. */
import { imageSizes, patchSizes } from "../../config/bounds.js";
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { encoderMost, hasEncoder, patchCount } from "../../config/labs/vit.js";
import { Allowance } from "../../config/packing.js";
import { readPixels, sideOf } from "../../config/pixels.js";
import { hasSample } from "../../examples/sample-ids.js";
import { samples } from "../../examples/samples.js";
import type { Words } from "../../i18n/words.js";
import { labControls } from "../../telling/controls.js";
import type { Refused } from "../../telling/typed-values.js";
import { barred, encoderControls, keptEncoder } from "./encoder/settings.js";

type Config = ConfigOf<"vit">;

export function title({ numbers }: Config, words: Words): string {
  return words("labs.vit.title", { n: patchCount(numbers) });
}

export function lede(_config: Config, words: Words, narrow: boolean): string {
  return words(narrow ? "labs.vit.lede.narrow" : "labs.vit.lede");
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

/** More patches than encoder layers read. */
const tooMany = (numbers: VitNumbers, words: Words): { disabled?: string } => {
  const disabled = hasEncoder(numbers) ? barred(numbers, words) : null;
  return disabled ? { disabled } : {};
};

export const settings = labControls({
  id: "vit",
  say: null,
  sentence({ numbers }, words) {
    if (numbers.compare === "pixels") return words("labs.vit.sentence.pixels");
    return words(hasEncoder(numbers) ? "labs.vit.sentence.encoder" : "labs.vit.sentence.projection");
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
        if (size % patch !== 0) return { refused: words("labs.refused.patch", { size, patch }) };
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
    ...encoderControls,
  },
  after: keptEncoder,
});
