/** Learning two sentences by heart: the parameters of BERT after some steps of Adam on the sentences with words hidden. */
import {
  bertVocabulary,
  segmentAt,
  sequenceOf,
  wordPlaces,
  type BertNumbers,
} from "../../config/labs/bert.js";
import type { Graph, Parameters, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";

/** A step hides every word once: a quarter of the words in each of four readings. */
const READINGS = 4;
const RATE = 0.02;

const idsOf = (shape: number[], data: number[]): Tensor<Int32Array> => ({
  shape,
  data: Int32Array.from(data),
});

/** What one step reads and must say: (readings, L) each; -100 where nothing is asked. */
function exercises(numbers: BertNumbers): Record<"ids" | "targets" | "segmentIds", Tensor<Int32Array>> {
  const vocabulary = bertVocabulary(numbers);
  const sequence = sequenceOf(numbers);
  const ids = sequence.map((word) => vocabulary.indexOf(word));
  const mask = vocabulary.indexOf("[MASK]");
  const words = wordPlaces(numbers);
  const readings = Array.from({ length: Math.min(READINGS, words.length) }, (_, reading) =>
    words.filter((_place, at) => at % READINGS === reading),
  );
  const shape = [readings.length, sequence.length];
  const each = (value: (place: number, hidden: readonly number[]) => number): Tensor<Int32Array> =>
    idsOf(
      shape,
      readings.flatMap((hidden) => sequence.map((_, place) => value(place, hidden))),
    );
  return {
    ids: each((place, hidden) => (hidden.includes(place) ? mask : ids[place]!)),
    targets: each((place, hidden) => (hidden.includes(place) ? ids[place]! : -100)),
    segmentIds: each((place) => segmentAt(numbers, place)),
  };
}

/** BERT's parameters for these sentences, as they are drawn. */
export function drawnParameters(core: Core, numbers: BertNumbers, maxBytes: Graph["maxBytes"]): Parameters {
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

export interface Learnt {
  state: Record<string, Tensor>;
  /** The loss before each step, and after the last. */
  losses: number[];
}

/** What was learnt last: hiding other words, or typing into a table, does not learn anew. */
let last: { key: string; learnt: Learnt } | null = null;

export function learnt(core: Core, numbers: BertNumbers, maxBytes: Graph["maxBytes"]): Learnt {
  const { tokens, second, dim, heads, trained, seed } = numbers;
  const key = JSON.stringify([tokens, second, dim, heads, trained, seed]);
  if (last?.key === key) return last.learnt;
  using parameters = drawnParameters(core, numbers, maxBytes);
  using optimizer = core.adam({ lr: RATE });
  const { ids, targets, segmentIds } = exercises(numbers);
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
  last = { key, learnt: { state: parameters.stateDict() as Record<string, Tensor>, losses } };
  return last.learnt;
}
