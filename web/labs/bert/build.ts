/** The graph of the BERT lab: two sentences with hidden words, read by BERT, to the probabilities of every word at the hidden places. */
import {
  bertVocabulary,
  segmentAt,
  sequenceOf,
  wordPlaces,
  type BertNumbers,
} from "../../config/labs/bert.js";
import type { Graph } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { drawnParameters, learnt } from "./train.js";

interface Exercise {
  /** What BERT reads, by place. */
  ids: number[];
  /** The hidden places, and the words that were there. */
  places: number[];
  targets: number[];
}

/** As BERT's training hides words; drawn again, by the next seed, until one is. Never [CLS] or [SEP]. */
function drawn(core: Core, numbers: BertNumbers, ids: readonly number[], maskId: number): Exercise {
  const vocabulary = bertVocabulary(numbers).length;
  const words = wordPlaces(numbers);
  const read = words.map((place) => ids[place]!);
  for (let seed = numbers.seed; ; seed = (seed + 1) % 2 ** 32) {
    const made = core.maskTokens(read, { vocabulary, maskId, seed });
    const asked = words.flatMap((_, at) => (made.targets.data[at] === -100 ? [] : [at]));
    if (asked.length === 0) continue;
    const all = [...ids];
    words.forEach((place, at) => (all[place] = made.ids.data[at]!));
    return {
      ids: all,
      places: asked.map((at) => words[at]!),
      targets: asked.map((at) => made.targets.data[at]!),
    };
  }
}

function exercise(core: Core, numbers: BertNumbers): Exercise {
  const vocabulary = bertVocabulary(numbers);
  const ids = sequenceOf(numbers).map((word) => vocabulary.indexOf(word));
  const mask = vocabulary.indexOf("[MASK]");
  if (numbers.rule === "drawn") return drawn(core, numbers, ids, mask);
  const { hidden } = numbers;
  return {
    ids: ids.map((id, place) => (hidden.includes(place) ? mask : id)),
    places: hidden,
    targets: hidden.map((place) => ids[place]!),
  };
}

export function build(core: Core, graph: Graph, numbers: BertNumbers): void {
  const { state, losses } = learnt(core, numbers, graph.maxBytes);
  const sequence = sequenceOf(numbers);
  const { ids, places, targets } = exercise(core, numbers);
  const whole = (name: string, data: number[]) =>
    graph.leaf(name, { shape: [data.length], data: Int32Array.from(data) });
  const read = whole("ids", ids);
  const segments = whole(
    "segment_ids",
    sequence.map((_, place) => segmentAt(numbers, place)),
  );
  using parameters = drawnParameters(core, numbers, graph.maxBytes);
  parameters.loadStateDict(state);
  const { logits } = graph.bert(read, parameters, {
    numHeads: numbers.heads,
    numLayers: 1,
    segmentIds: segments,
  });
  const asked = graph.embedding(whole("hidden_places", places), logits, { name: "asked" });
  graph.softmax(asked, { name: "probabilities" });
  graph.crossEntropy(asked, whole("targets", targets), { name: "loss" });
  graph.leaf("losses", { shape: [losses.length], data: Float64Array.from(losses) });
}
