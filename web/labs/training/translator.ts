/** The model of a run as the translator of the encoder and decoder lab. */
import type { Config, NumbersOf } from "../../config/config.js";
import { givenBounds } from "../../config/given.js";
import {
  givenLayers,
  givenVocabulary,
  layerName,
  PAIR,
  parameterCount,
  readableWords,
  sourceLength,
  stepsRange,
} from "../../config/labs/encoder-decoder.js";
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { Snapshots } from "../../marks/scene.js";
import { isLabel } from "./asked.js";
import { configOf } from "./config-of.js";
import { mostLookedAt, shownHead } from "./onward.js";
import { isParameter } from "./selection.js";
import { tokensOf, vocabularyOf } from "./tokens.js";

/** The state of that lab with the parameters of this moment, on the first sample; null for a model that it cannot show. */
export function translatorConfig(numbers: TrainingNumbers, snapshots: Snapshots): Config | null {
  const { model, layers, heads, dim, ff: hidden = 4 * dim, norm, residual, positions, factor } = numbers;
  if (model !== "encoder-decoder" || norm === "none" || !numbers.divide) return null;
  const vocabulary = vocabularyOf(snapshots);
  const tokens = tokensOf(snapshots, "asked_0.source");
  const answer = tokensOf(snapshots, "asked_0.answer");
  const shown = shownHead(snapshots);
  if (!shown || answer.length === 0) return null;
  const { node, layer, head } = shown;
  const { max: mostSteps } = stepsRange({ tokens, vocabulary });
  const pair = head - (head % PAIR);
  const translator = {
    tokens,
    vocabulary,
    dim,
    heads,
    layers,
    hidden,
    norm,
    ...(!residual && { residual }),
    ...(!positions && { positions }),
    ...(!factor && { scaleEmbedding: factor }),
    edits: [],
    steps: isLabel(numbers) ? 1 : Math.min(answer.length + 1, mostSteps),
    ...(layer > 0 && { layer }),
    ...(pair > 0 && { head: pair }),
  } satisfies Partial<NumbersOf["encoder-decoder"]>;
  const count = parameterCount(translator);
  const readable = readableWords(translator);
  const fits =
    tokens.length > 0 &&
    tokens.length <= sourceLength(translator).max &&
    tokens.every((one) => readable.includes(one));
  if (!fits) return null;
  if (layers > givenLayers.max || vocabulary.length > givenVocabulary.max) return null;
  if (count > givenBounds.max) return null;
  // While it learns, most parameters come without their numbers.
  const parameters = [...snapshots]
    .filter(([name, snapshot]) => isParameter(name, snapshot))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (parameters.reduce((sum, [, { data }]) => sum + data.length, 0) !== count) return null;
  const all = parameters.flatMap(([, { data }]) => Array.from(data));
  const row = Math.min(2, answer.length - 1);
  const look = mostLookedAt(snapshots.get(node)!, head, row, tokens.length);
  const cell = { node: `${layerName("decoder", layer)}.multihead_attn.weights`, index: [head, row, look] };
  return configOf("encoder-decoder", { ...translator, parameters: [all] }, cell);
}
