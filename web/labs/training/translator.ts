/** The model of a run as the translator of the encoder and decoder lab, where that has the same layers and words. */
import type { Config, ConfigOf } from "../../config/config.js";
import { parametersShape, sourceWords } from "../../config/labs/encoder-decoder.js";
import type { Snapshots } from "../../marks/scene.js";
import { vocabulary } from "../encoder-decoder/vocabulary.js";
import { configOf } from "./config-of.js";
import { isParameter } from "./selection.js";
import { textsOf, tokensOf } from "./tokens.js";

/** The state of that lab with the parameters of this moment, on the first sample; null for a model that it cannot show. */
export function translatorConfig(
  { numbers }: Pick<ConfigOf<"training">, "numbers">,
  snapshots: Snapshots,
): Config | null {
  const { task, language, model, layers, heads, dim, ff = 4 * dim, norm } = numbers;
  const hasParts = numbers.residual && numbers.positions && numbers.divide && numbers.factor;
  const [rows, columns] = parametersShape;
  if (task !== "translation" || language !== "fr" || model !== "encoder-decoder") return null;
  if (layers !== 1 || heads !== 2 || dim !== columns || ff !== 32 || norm !== "post" || !hasParts)
    return null;
  const tokens = tokensOf(snapshots, "asked_0.source");
  const words = textsOf(snapshots, "vocabulary");
  const all = [...snapshots.keys()].sort().flatMap((name) => {
    const snapshot = snapshots.get(name)!;
    if (!isParameter(name, snapshot)) return [];
    const data = Array.from(snapshot.data);
    if (name !== "embedding.weight") return data;
    // That lab has no padding, and its words are in another order.
    return vocabulary.flatMap((word) => {
      const start = words.indexOf(word) * columns;
      return data.slice(start, start + columns);
    });
  });
  if (tokens.length === 0 || !tokens.every((token) => sourceWords.includes(token))) return null;
  if (all.length !== rows * columns) return null;
  return configOf("encoder-decoder", {
    tokens,
    steps: tokens.length + 1,
    parameters: Array.from({ length: rows }, (_, row) => all.slice(row * columns, (row + 1) * columns)),
  });
}
