/** Builds the graph of the BERT lab: BERT reads two sentences with hidden words and gives the probabilities of every word at the hidden places. */
import { givenParameters } from "../../config/given.js";
import {
  bertVocabulary,
  encoderOf,
  parameterShapes,
  segmentAt,
  sequenceOf,
  wordPlaces,
  type BertNumbers,
} from "../../config/labs/bert.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { setGiven } from "../leaf.js";
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

/** Adds the mean and the deviation of each row that enters layer norm: (L, 1) each. */
function measureRows(graph: Graph, rows: Node): void {
  const alongRow = { axis: -1, keepdim: true } as const;
  const centred = graph.subtract(rows, graph.mean(rows, { ...alongRow, name: "input_means" }));
  const variances = graph.mean(graph.multiply(centred, centred), alongRow);
  graph.sqrt(variances, { name: "input_deviations" });
}

export function build(core: Core, graph: Graph, numbers: BertNumbers): void {
  const training = numbers.parameters ? null : trainingOf(core, numbers, graph.maxBytes);
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
  if (training) parameters.loadStateDict(training.state);
  setGiven(
    parameters,
    givenParameters(numbers.parameters, () => parameterShapes(numbers)),
  );
  const { logits } = graph.bert(input, parameters, {
    numHeads: numbers.heads,
    numLayers: encoderOf(numbers).layers,
    segmentIds: segments,
  });
  measureRows(graph, graph.node("embeddings.with_segments"));
  const hiddenLogits = graph.embedding(idsLeaf("hidden_places", places), logits, { name: "asked" });
  graph.softmax(hiddenLogits, { name: "probabilities" });
  graph.crossEntropy(hiddenLogits, idsLeaf("targets", targets), { name: "loss" });
  if (!training) return;
  const lossesLeaf = (name: string, data: number[]) =>
    graph.leaf(name, { shape: [data.length], data: Float64Array.from(data) });
  lossesLeaf("losses", training.losses.slice(0, numbers.trained + 1));
  lossesLeaf("curve", training.losses);
}
