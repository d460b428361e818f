/** Trains BERT to know two sentences by heart: its parameters after some steps of Adam on the sentences with hidden words. */
import {
  bertVocabulary,
  segmentAt,
  sequenceOf,
  wordPlaces,
  type BertNumbers,
} from "../../config/labs/bert.js";
import type { Graph, Parameters, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";

/** The number of copies of the sentences in one step. Each copy hides a quarter of the words, so that a step hides every word once. */
const COPIES = 4;
const RATE = 0.02;

const idsOf = (shape: number[], data: number[]): Tensor<Int32Array> => ({
  shape,
  data: Int32Array.from(data),
});

/** The batch of one step, (copies, L) each. The loss skips targets of -100. */
function batchOf(numbers: BertNumbers): Record<"ids" | "targets" | "segmentIds", Tensor<Int32Array>> {
  const vocabulary = bertVocabulary(numbers);
  const sequence = sequenceOf(numbers);
  const ids = sequence.map((word) => vocabulary.indexOf(word));
  const mask = vocabulary.indexOf("[MASK]");
  const words = wordPlaces(numbers);
  const hiddenByCopy = Array.from({ length: Math.min(COPIES, words.length) }, (_, copy) =>
    words.filter((_place, at) => at % COPIES === copy),
  );
  const shape = [hiddenByCopy.length, sequence.length];
  const perPlace = (value: (place: number, hidden: readonly number[]) => number): Tensor<Int32Array> =>
    idsOf(
      shape,
      hiddenByCopy.flatMap((hidden) => sequence.map((_, place) => value(place, hidden))),
    );
  return {
    ids: perPlace((place, hidden) => (hidden.includes(place) ? mask : ids[place]!)),
    targets: perPlace((place, hidden) => (hidden.includes(place) ? ids[place]! : -100)),
    segmentIds: perPlace((place) => segmentAt(numbers, place)),
  };
}

/** BERT's parameters for these sentences before training. */
export function initialParameters(core: Core, numbers: BertNumbers, maxBytes: Graph["maxBytes"]): Parameters {
  const parameters = core.parameters({ maxBytes });
  const sizes = {
    dModel: numbers.dim,
    dFf: 2 * numbers.dim,
    numLayers: 1,
    vocabulary: bertVocabulary(numbers).length,
    positions: sequenceOf(numbers).length,
    segments: 2,
  };
  parameters.draw("bert", sizes, numbers.seed);
  return parameters;
}

export interface Training {
  state: Record<string, Tensor>;
  /** The loss before each step, and after the last. */
  losses: number[];
}

/** The latest training: hiding other words or editing a table does not train again. */
let last: { key: string; training: Training } | null = null;

export function trainingOf(core: Core, numbers: BertNumbers, maxBytes: Graph["maxBytes"]): Training {
  const { tokens, second, dim, heads, trained, seed } = numbers;
  const key = JSON.stringify([tokens, second, dim, heads, trained, seed]);
  if (last?.key === key) return last.training;
  using parameters = initialParameters(core, numbers, maxBytes);
  using optimizer = core.adam({ lr: RATE });
  const { ids, targets, segmentIds } = batchOf(numbers);
  const losses: number[] = [];
  for (let step = 0; step <= trained; step += 1) {
    using graph = core.graph({ observe: false });
    const { logits } = graph.bert(ids, parameters, { numHeads: heads, numLayers: 1, segmentIds });
    const loss = graph.crossEntropy(logits, targets);
    losses.push((graph.value(loss) as Tensor).data[0]!);
    if (step === trained) break;
    graph.backward(loss);
    parameters.zeroGrad();
    graph.addGradients(parameters);
    optimizer.step(parameters);
  }
  last = { key, training: { state: parameters.stateDict() as Record<string, Tensor>, losses } };
  return last.training;
}
