/** Builds the graph of the BERT lab: BERT reads two sentences with hidden words and gives the probabilities of every word at the hidden places. */
import {
  bertVocabulary,
  segmentAt,
  sequenceOf,
  wordPlaces,
  type BertNumbers,
} from "../../config/labs/bert.js";
import type { Graph } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { initialParameters, trainingOf } from "./train.js";

interface Exercise {
  /** The ids that BERT reads, by place. */
  ids: number[];
  /** The hidden places, and the ids of their true words. */
  places: number[];
  targets: number[];
}

/** Hides words by BERT's rule. While none is hidden, it draws again with the next seed. [CLS] and [SEP] are never hidden. */
function drawExercise(core: Core, numbers: BertNumbers, ids: readonly number[], maskId: number): Exercise {
  const vocabulary = bertVocabulary(numbers).length;
  const words = wordPlaces(numbers);
  const wordIds = words.map((place) => ids[place]!);
  for (let seed = numbers.seed; ; seed = (seed + 1) % 2 ** 32) {
    const masking = core.maskTokens(wordIds, { vocabulary, maskId, seed });
    const hidden = words.flatMap((_, at) => (masking.targets.data[at] === -100 ? [] : [at]));
    if (hidden.length === 0) continue;
    const maskedIds = [...ids];
    words.forEach((place, at) => (maskedIds[place] = masking.ids.data[at]!));
    return {
      ids: maskedIds,
      places: hidden.map((at) => words[at]!),
      targets: hidden.map((at) => masking.targets.data[at]!),
    };
  }
}

function exerciseOf(core: Core, numbers: BertNumbers): Exercise {
  const vocabulary = bertVocabulary(numbers);
  const ids = sequenceOf(numbers).map((word) => vocabulary.indexOf(word));
  const mask = vocabulary.indexOf("[MASK]");
  if (numbers.rule === "drawn") return drawExercise(core, numbers, ids, mask);
  const { hidden } = numbers;
  return {
    ids: ids.map((id, place) => (hidden.includes(place) ? mask : id)),
    places: hidden,
    targets: hidden.map((place) => ids[place]!),
  };
}

export function build(core: Core, graph: Graph, numbers: BertNumbers): void {
  const { state, losses } = trainingOf(core, numbers, graph.maxBytes);
  const sequence = sequenceOf(numbers);
  const { ids, places, targets } = exerciseOf(core, numbers);
  const idsLeaf = (name: string, data: number[]) =>
    graph.leaf(name, { shape: [data.length], data: Int32Array.from(data) });
  const input = idsLeaf("ids", ids);
  const segments = idsLeaf(
    "segment_ids",
    sequence.map((_, place) => segmentAt(numbers, place)),
  );
  using parameters = initialParameters(core, numbers, graph.maxBytes);
  parameters.loadStateDict(state);
  const { logits } = graph.bert(input, parameters, {
    numHeads: numbers.heads,
    numLayers: 1,
    segmentIds: segments,
  });
  const hiddenLogits = graph.embedding(idsLeaf("hidden_places", places), logits, { name: "asked" });
  graph.softmax(hiddenLogits, { name: "probabilities" });
  graph.crossEntropy(hiddenLogits, idsLeaf("targets", targets), { name: "loss" });
  graph.leaf("losses", { shape: [losses.length], data: Float64Array.from(losses) });
}
