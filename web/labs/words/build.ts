/** Builds the graph of the words lab, by topic: one-hot rows and counts, an analogy of given vectors, vectors learned from a text, or token ids that look up rows. */
import type { NumbersOf } from "../../config/config.js";
import { countedWords, isPlane, lookupOf, textWords, vocabularyOf } from "../../config/labs/words.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { typedLeaf, withRandom } from "../leaf.js";
import { neighbourhoods } from "./neighbourhoods.js";
import { idsOf, runOf } from "./training.js";

type Numbers = NumbersOf["words"];

/** Adds the one-hot rows of these words, (words, vocabulary). */
function oneHotRows(
  graph: Graph,
  words: readonly string[],
  vocabulary: readonly string[],
  name: string,
): Node {
  const ids = graph.leaf(`${name}_ids`, idsOf(words.map((word) => vocabulary.indexOf(word))));
  return graph.oneHot(ids, { numClasses: vocabulary.length, name });
}

function buildCounts(core: Core, graph: Graph, numbers: Numbers): void {
  const { tokens, other, dim, seed } = numbers;
  const vocabulary = countedWords(numbers);
  const table = withRandom(core, graph, seed, (random) =>
    graph.draw("E", random, "randn", { shape: [vocabulary.length, dim] }),
  );
  const rows = oneHotRows(graph, tokens, vocabulary, "onehot");
  graph.matmul(rows, table, { name: "vectors" });
  const counts = graph.sum(rows, { axis: 0, keepdim: true, name: "counts" });
  const otherRows = oneHotRows(graph, other, vocabulary, "other");
  const otherCounts = graph.sum(otherRows, { axis: 0, keepdim: true, name: "counts_other" });
  graph.subtract(counts, otherCounts, { name: "difference" });
  const allWords = oneHotRows(graph, vocabulary, vocabulary, "words");
  graph.similarity(allWords, { name: "apart" });
  graph.similarity(table, { name: "table" });
}

function buildAnalogy(graph: Graph, { x, analogy }: Numbers): void {
  const table = typedLeaf(graph, "E", x);
  graph.similarity(table, { name: "table" });
  const [first, less, plus] = (["first", "less", "plus"] as const).map((name, at) =>
    graph.slice(table, { axis: 0, start: analogy[at]!, stop: analogy[at]! + 1, name }),
  );
  const change = graph.subtract(first!, less!, { name: "change" });
  const target = graph.add(change, plus!, { name: "target" });
  const row = graph.reshape(target, { shape: [1, 1, x[0]!.length], name: "target_row" });
  graph.cosineSimilarity(row, table, { name: "closeness" });
  const components = graph.principalComponents(table, { count: 2, name: "seen" });
  const centredTarget = graph.subtract(target, components.mean, { name: "target_centred" });
  graph.matmul(centredTarget, graph.transpose(components.components, { name: "axes_T" }), {
    name: "target_seen",
  });
}

function buildLearned(core: Core, graph: Graph, numbers: Numbers): void {
  const { text, at, method, loss } = numbers;
  const vocabulary = vocabularyOf(text);
  const run = runOf(core, numbers);
  const input = graph.leaf("w_in", run.input);
  const output = graph.leaf("w_out", run.output);
  graph.leaf("losses", run.losses);
  graph.leaf("trail", run.trail);
  if (isPlane(numbers)) graph.leaf("w_in_steps", run.rows);
  const axes = graph.leaf("axes", run.axes);
  graph.similarity(input, { name: "table" });
  const centred = graph.subtract(input, graph.leaf("middle", run.middle), { name: "centred" });
  graph.matmul(centred, graph.transpose(axes, { name: "axes_T" }), { name: "places" });

  const places = neighbourhoods(numbers);
  const { id, neighbourIds } = places[at]!;
  const word = textWords(text)[at]!;
  // Skip-gram uses the neighbours of every occurrence of the word. A word without neighbours is its own neighbour.
  const relevantIds =
    method === "cbow" ? neighbourIds : places.flatMap((place) => (place.id === id ? place.neighbourIds : []));
  const neighbours = relevantIds.length > 0 ? relevantIds.map((place) => vocabulary[place]!) : [word];
  let hidden: Node;
  if (method === "skipgram") {
    const ids = graph.leaf("hidden_ids", idsOf([id]));
    hidden = graph.embedding(ids, input, { name: "hidden" });
  } else {
    const ids = graph.leaf("context_ids", idsOf(neighbours.map((one) => vocabulary.indexOf(one))));
    const context = graph.embedding(ids, input, { name: "context" });
    hidden = graph.mean(context, { axis: 0, keepdim: true, name: "hidden" });
  }
  const scores = graph.matmul(hidden, graph.transpose(output, { name: "w_out_T" }), { name: "scores" });
  const probs =
    loss === "softmax"
      ? graph.softmax(scores, { name: "probs" })
      : graph.exp(graph.logSigmoid(scores, { name: "log_sigmoid" }), { name: "probs" });
  const targets = oneHotRows(graph, method === "skipgram" ? neighbours : [word], vocabulary, "seen");
  const share = graph.mean(targets, { axis: 0, keepdim: true, name: "share" });
  graph.concat([probs, share], { axis: 0, name: "both" });
}

/** L ids look up rows of a table (N, D). The same vectors are also computed as one-hot rows (L, N) times the table. */
function buildLookup(core: Core, graph: Graph, numbers: Numbers): void {
  const { ids: idList, rows } = lookupOf(numbers);
  const table = withRandom(core, graph, numbers.seed, (random) =>
    graph.draw("E", random, "randn", { shape: [rows, numbers.dim] }),
  );
  const ids = graph.leaf("ids", idsOf(idList));
  const vectors = graph.embedding(ids, table, { name: "X" });
  const oneHot = graph.oneHot(ids, { numClasses: rows, name: "onehot" });
  const product = graph.matmul(oneHot, table, { name: "product" });
  graph.subtract(vectors, product, { name: "difference" });
}

export function build(core: Core, graph: Graph, numbers: Numbers): void {
  if (numbers.topic === "count") buildCounts(core, graph, numbers);
  else if (numbers.topic === "near") buildAnalogy(graph, numbers);
  else if (numbers.topic === "learn") buildLearned(core, graph, numbers);
  else buildLookup(core, graph, numbers);
}
