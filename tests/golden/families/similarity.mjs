// Similarity of vectors: every pair of rows, neighbours, analogies, and bags of words.
import { ids, tensor } from "../fixture.mjs";

function inGraph(core, precision, work) {
  const graph = core.graph({ precision });
  try {
    return work(graph);
  } finally {
    graph.delete();
  }
}

export function run(core, { inputs, params }, precision) {
  const vectors = inputs.vectors && tensor(inputs.vectors, precision);
  switch (params.op) {
    case "pairwise":
      return inGraph(core, precision, (graph) => {
        const { dot, cosine, distance } = graph.similarity(vectors);
        return { dot: graph.value(dot), cosine: graph.value(cosine), euclid: graph.value(distance) };
      });
    case "nearest": {
      const order = core.nearest(vectors, params.query);
      return { order: { shape: [order.length], data: order } };
    }
    case "analogy": {
      const { a, b, c } = params;
      return { answer: { shape: [], data: [core.analogy(vectors, { a, b, c })] } };
    }
    case "bow":
      return inGraph(core, precision, (graph) => ({
        counts: graph.value(graph.bagOfWords(ids(inputs.ids), { vocabulary: params.vocab })),
      }));
    default:
      return undefined;
  }
}
