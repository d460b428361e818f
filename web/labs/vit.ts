/** Lab 8: an image as words. Patches, their projection, and which patches look at which. */
import { bounds, imageSizes, patchSizes } from "../config/bounds.js";
import type { VitNumbers } from "../config/config.js";
import { patchCount } from "../config/leaves.js";
import { pixelsOf, planesOf, readPixels, sideOf } from "../config/pixels.js";
import { Allowance } from "../config/packing.js";
import type { Core, Graph, Node } from "../core/attention.js";
import { hasSample } from "../examples/samples.js";
import type { Words } from "../i18n/words.js";
import type { Lab } from "./lab.js";
import { withRandom } from "./leaf.js";
import { changing, oneOf, wholeNumber, type Refused } from "./settings.js";
import { vitScene, vitStrip } from "./vit-scene.js";
import { lede, sentence, title } from "./vit-sentence.js";
import { becomes, formula, nodeWords, opening, remarks, steps } from "./vit-words.js";

/** A row per patch: the flat pixels themselves, or their projection, with CLS first and positions added if asked. */
function rows(core: Core, graph: Graph, numbers: VitNumbers, image: Node): Node {
  const { dim, patch, seed } = numbers;
  if (numbers.compare === "pixels")
    return graph.patchify(image, { patch: [patch, patch], order: "c p1 p2", name: "patches" });
  const flat = 3 * patch * patch;
  return withRandom(core, graph, seed, (random) => {
    const learned = (name: string, shape: number[], sqrtDivisor: number) =>
      graph.draw(name, random, "randn", { shape, sqrtDivisor });
    const weight = learned("W_E", [flat, dim], flat);
    const bias = graph.leaf("b_E", { shape: [dim], data: new Float64Array(dim) });
    const first = numbers.cls && {
      cls: learned("CLS", [1, dim], dim),
      position: learned("position", [patchCount(numbers) + 1, dim], dim),
    };
    const options = { patch: [patch, patch] as const, outputName: "sequence", ...first };
    return graph.patchEmbedding(image, weight, bias, options).output;
  });
}

export function build(core: Core, graph: Graph, numbers: VitNumbers): void {
  const { size, patch } = numbers;
  const image = graph.leaf("image", { shape: [3, size, size], data: planesOf(pixelsOf(numbers)) });
  const unit = graph.scale(image, { divisor: 127.5, name: "unit" });
  const normalised = graph.add(unit, graph.leaf("minus_one", { shape: [1], data: Float64Array.of(-1) }), {
    name: "normalised",
  });
  const sequence = rows(core, graph, numbers, normalised);
  // The same numbers by channel, so that red, green and blue can be shown apart.
  graph.reshape(graph.node("patches"), { shape: [patchCount(numbers), 3, patch * patch], name: "bands" });
  graph.scaledDotProductAttention(sequence, sequence, sequence);
}

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
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const vit: Lab<"vit"> = {
  id: "vit",
  chapter: 8,
  build,
  title,
  lede,
  sentence,
  change: changing("vit", set),
  scene: vitScene,
  strip: vitStrip,
  steps,
  formula,
  nodeWords,
  becomes,
  opening,
  remarks,
};
