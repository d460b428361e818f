/** Lab 8: an image as words. Patches, their projection, and which patches look at which. */
import { bounds, imageSizes, patchSizes } from "../config/bounds.js";
import type { ConfigOf, VitNumbers } from "../config/config.js";
import { readPixels, sideOf } from "../config/pixels.js";
import { Allowance } from "../config/packing.js";
import { hasSample } from "../examples/samples.js";
import type { Words } from "../i18n/words.js";
import type { Lab } from "./lab.js";
import { changing, oneOf, wholeNumber, type Refused } from "./settings.js";
import { vitScene, vitStrip } from "./vit-scene.js";
import { lede, sentence, title } from "./vit-sentence.js";
import { formula, nodeWords, opening, remarks, steps } from "./vit-words.js";
import { hasEncoder } from "../config/encoder.js";
import { encoder, keptEncoder, setEncoder } from "./vit-encoder/index.js";
import patchPixelsFormula from "./patch-pixels.tex?mathml";
import patchProjectionFormula from "./patch-projection.tex?mathml";
import rolloutFormula from "./rollout.tex?mathml";

/** A sample's name, or pixels as a link holds them. Edits of the old image's pixels go. */
function image(numbers: VitNumbers, value: string, words: Words): VitNumbers | Refused {
  const edits = numbers.edits.filter(({ node }) => node !== "image");
  if (hasSample(value)) return { ...numbers, image: { sample: value }, edits };
  try {
    const pixels = readPixels(value, new Allowance(1 << 16));
    return { ...numbers, image: { pixels }, size: sideOf(pixels.length) ?? numbers.size, edits };
  } catch {
    return { refused: words("labs.refused.image") };
  }
}

function set(numbers: VitNumbers, control: string, value: string, words: Words): VitNumbers | Refused {
  switch (control) {
    case "image":
      return image(numbers, value, words);
    case "size": {
      const size = oneOf(value, "labs.field.size", imageSizes.map(String), words);
      if (typeof size !== "string") return size;
      if ("pixels" in numbers.image && Number(size) !== numbers.size)
        return { refused: words("labs.refused.size", { size: numbers.size }) };
      return { ...numbers, size: Number(size), edits: numbers.edits.filter(({ node }) => node !== "image") };
    }
    case "patch": {
      const patch = oneOf(value, "labs.field.patch", patchSizes.map(String), words);
      if (typeof patch !== "string") return patch;
      if (numbers.size % Number(patch) !== 0)
        return { refused: words("labs.refused.patch", { size: numbers.size, patch }) };
      return {
        ...numbers,
        patch: Number(patch),
        edits: numbers.edits.filter(({ node }) => node === "image"),
      };
    }
    case "compare": {
      const compare = oneOf(value, "labs.field.compare", ["pixels", "projection"], words);
      return typeof compare === "string" ? { ...numbers, compare } : compare;
    }
    case "cls": {
      const cls = oneOf(value, "labs.field.cls", ["on", "off"], words);
      return typeof cls === "string" ? { ...numbers, cls: cls === "on" } : cls;
    }
    case "dim":
    case "seed": {
      const whole = wholeNumber(
        value,
        control === "dim" ? "labs.field.dimensions" : "labs.field.seed",
        bounds[control],
        words,
      );
      return typeof whole === "number" ? { ...numbers, [control]: whole } : whole;
    }
    case "layers":
    case "heads":
      return setEncoder(numbers, control, value, words);
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

/** What is said and drawn without an encoder; with one, it is what that says. */
const plain: typeof encoder = {
  title,
  lede,
  scene: vitScene,
  strip: vitStrip,
  steps: (config, words, snapshots) => steps(config, words, snapshots),
  formula,
  nodeWords,
  opening,
  remarks,
};
const of = ({ numbers }: ConfigOf<"vit">): typeof encoder => (hasEncoder(numbers) ? encoder : plain);

export const vit: Lab<"vit"> = {
  id: "vit",
  formulas: {
    "patch-pixels": patchPixelsFormula,
    "patch-projection": patchProjectionFormula,
    rollout: rolloutFormula,
  },
  sentence,
  change: changing("vit", (numbers, control, value, words) =>
    keptEncoder(set(numbers, control, value, words), words),
  ),
  title: (config, words) => of(config).title(config, words),
  lede: (config, words, narrow) => of(config).lede(config, words, narrow),
  scene: (config, snapshots, room) => of(config).scene(config, snapshots, room),
  strip: (config, snapshots, room) => of(config).strip(config, snapshots, room),
  steps: (config, words, snapshots) => of(config).steps(config, words, snapshots),
  formula: (config, words) => of(config).formula(config, words),
  nodeWords: (config, node, words, snapshots) => of(config).nodeWords(config, node, words, snapshots),
  opening: (config) => of(config).opening(config),
  remarks: (config, snapshots, words) => of(config).remarks(config, snapshots, words),
};
