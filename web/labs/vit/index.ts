/** Lab 8: an image as words. Patches, their projection, and which patches look at which; or an encoder, and what CLS looks at in it. */
import { hasEncoder } from "../../config/labs/vit.js";
import type { FormulaSymbols } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import { arrange, flow, opening, stops, strip } from "./flow.js";
import patchPixels from "./patch-pixels.tex?mathml";
import patchProjection from "./patch-projection.tex?mathml";
import { picture } from "./picture.js";
import rollout from "./rollout.tex?mathml";
import { lede, settings, title } from "./settings.js";
import { labOrPageStringsIn } from "./strings.js";
import { axes, layerNode, layersOf, rolloutNode, tensors } from "./tensors.js";

export const lab = declareLab<"vit">({
  id: "vit",
  formulas: { "patch-pixels": patchPixels, "patch-projection": patchProjection, rollout },
  strings: labOrPageStringsIn,
  title,
  lede,
  ...settings,
  axes,
  tensors,
  stops,
  arrange,
  flow,
  picture,
  strip,
  symbols({ numbers }): FormulaSymbols {
    if (numbers.compare === "pixels")
      return { id: "patch-pixels", symbols: { A: "weights", X: "patches", XT: "K_T" } };
    if (!hasEncoder(numbers))
      return { id: "patch-projection", symbols: { z: "tokens", x: "patches", WE: "W_E", bE: "b_E" } };
    const layers = layersOf(numbers);
    const normalised = layers.map((layer) => `rollout.normalised_${layer}`);
    return {
      id: "rollout",
      symbols: {
        R: [rolloutNode(layers.length - 1), "cls_rollout"],
        L: normalised.at(-1)!,
        F: normalised[0]!,
        N: normalised,
        A: layers.map((layer) => layerNode(layer, "self_attn.weights")),
      },
    };
  },
  opening,
});
