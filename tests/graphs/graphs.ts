/** Six graphs of the core without a layout of their own, for the page beside this file and the tests of the stage. */
import type { Core, Graph, Ids, Tensor } from "../../web/core/index.js";

const ids = (...rows: readonly (readonly number[])[]): Ids => ({
  shape: rows.length === 1 ? [rows[0]!.length] : [rows.length, rows[0]!.length],
  data: Int32Array.from(rows.flat()),
});

function normal(core: Core, seed: number, shape: number[]): Tensor {
  const random = core.randomState(seed);
  const drawn = random.randn(shape);
  random.delete();
  return drawn;
}

/** Draws the parameters of a layer, hands them to `build`, and frees them. */
function withParameters(core: Core, build: (parameters: ReturnType<Core["parameters"]>) => unknown): void {
  const parameters = core.parameters();
  try {
    build(parameters);
  } finally {
    parameters.delete();
  }
}

export const graphs = {
  /** The Transformer of six and six layers over two sequences of ids, with a loss. */
  transformer(core: Core, graph: Graph): void {
    withParameters(core, (parameters) => {
      parameters.draw("seq2seq", { dModel: 8, dFf: 16, vocabulary: 12 }, 7);
      graph.seq2seq(ids([3, 1, 4, 1, 5]), ids([0, 2, 7, 1]), parameters, { numHeads: 2 });
    });
  },
  /** A Vision Transformer over an image of 12 by 12 pixels. */
  vit(core: Core, graph: Graph): void {
    withParameters(core, (parameters) => {
      const sizes = {
        dModel: 12,
        dFf: 24,
        numLayers: 4,
        imageSize: [12, 12],
        patchSize: 4,
        numClasses: 5,
      } as const;
      parameters.draw("visionTransformer", sizes, 5);
      const image = graph.leaf("image", normal(core, 3, [3, 12, 12]));
      graph.visionTransformer(image, parameters, { numHeads: 3, numLayers: 4 });
    });
  },
  /** BERT on a batch of two sentences, with a vocabulary large enough for a map. */
  bert(core: Core, graph: Graph): void {
    withParameters(core, (parameters) => {
      parameters.draw("bert", { dModel: 16, dFf: 32, numLayers: 3, vocabulary: 300 }, 11);
      graph.bert(ids([2, 40, 71, 5, 9, 3], [2, 8, 8, 150, 299, 3]), parameters, {
        numHeads: 4,
        numLayers: 3,
        segmentIds: ids([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]),
      });
    });
  },
  word2vec(core: Core, graph: Graph): void {
    withParameters(core, (parameters) => {
      parameters.draw("word2vec", { vocabulary: 6, dim: 3 }, 42);
      graph.cbow(ids([0, 3, 5]), { shape: [3, 2], data: Int32Array.of(1, 2, 4, 5, 0, 2) }, parameters);
    });
  },
  /** Three nodes: two leaves and their product. */
  product(_core: Core, graph: Graph): void {
    const A = graph.leaf("A", { shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) });
    const B = graph.leaf("B", { shape: [2, 2], data: Float64Array.of(5, 6, 7, 8) });
    graph.matmul(A, B, { name: "C" });
  },
  /** Two thousand nodes: a recurrent network that is written out over 498 steps. */
  long(core: Core, graph: Graph): void {
    withParameters(core, (parameters) => {
      parameters.draw("recurrent", { inputSize: 4, hiddenSize: 6 }, 9);
      graph.recurrent(graph.leaf("x", normal(core, 2, [498, 4])), parameters);
    });
  },
} satisfies Record<string, (core: Core, graph: Graph) => void>;

export type GraphName = keyof typeof graphs;
