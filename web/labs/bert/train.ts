/** Trains BERT to know two sentences by heart: its parameters after some steps of Adam on the sentences with hidden words. */
import {
  bertVocabulary,
  encoderOf,
  TRAINING,
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

/** BERT's parameters before training. */
export function initialParameters(core: Core, numbers: BertNumbers, maxBytes: Graph["maxBytes"]): Parameters {
  const parameters = core.parameters({ maxBytes });
  const { layers, width, positions } = encoderOf(numbers);
  const sizes = {
    dModel: numbers.dim,
    dFf: width,
    numLayers: layers,
    vocabulary: bertVocabulary(numbers).length,
    positions,
    segments: 2,
  };
  parameters.draw("bert", sizes, numbers.seed);
  return parameters;
}

export interface Training {
  state: Record<string, Tensor>;
  /** The loss before each step, and after the last step that a reader can choose. */
  losses: number[];
}

/** The latest training, with its parameters after every step: another number of steps, other hidden words or an edited table do not train again. */
let last: { key: string; states: Training["state"][]; losses: number[] } | null = null;

/** The parameters after the steps of `numbers`, and the losses of all steps. */
export function trainingOf(core: Core, numbers: BertNumbers, maxBytes: Graph["maxBytes"]): Training {
  const { tokens, second, dim, heads, trained, seed, vocabulary } = numbers;
  const { layers, width, positions } = encoderOf(numbers);
  const key = JSON.stringify([tokens, second, dim, heads, seed, vocabulary, layers, width, positions]);
  if (last?.key !== key) last = { key, ...train(core, numbers, maxBytes) };
  return { state: last.states[trained]!, losses: last.losses };
}

/** The parameters and the loss after each step of a training, the 0th included. */
function train(core: Core, numbers: BertNumbers, maxBytes: Graph["maxBytes"]) {
  using parameters = initialParameters(core, numbers, maxBytes);
  using optimizer = core.adam({ lr: RATE });
  const { ids, targets, segmentIds } = batchOf(numbers);
  const states: Training["state"][] = [];
  const losses: number[] = [];
  for (;;) {
    using graph = core.graph({ observe: false });
    const { logits } = graph.bert(ids, parameters, {
      numHeads: numbers.heads,
      numLayers: encoderOf(numbers).layers,
      segmentIds,
    });
    const loss = graph.crossEntropy(logits, targets);
    states.push(parameters.stateDict() as Training["state"]);
    losses.push((graph.value(loss) as Tensor).data[0]!);
    if (states.length > TRAINING.max) return { states, losses };
    graph.backward(loss);
    parameters.zeroGrad();
    graph.addGradients(parameters);
    optimizer.step(parameters);
  }
}
