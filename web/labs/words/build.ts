/** The graph of the words lab: words as one-hot rows and counts, given vectors compared, vectors learned from a text at one step, or ids that look up rows. */
import type { NumbersOf } from "../../config/config.js";
import { countedWords, lookupOf, textWords, vocabularyOf } from "../../config/labs/words.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { typedLeaf, withRandom } from "../leaf.js";
import { neighbourhoods } from "./neighbourhoods.js";
import { idsOf, runOf } from "./training.js";

type Numbers = NumbersOf["words"];

/** A row of words as one-hot rows over the vocabulary. */
function oneHot(graph: Graph, words: readonly string[], vocabulary: readonly string[], name: string): Node {
  const ids = graph.leaf(`${name}_ids`, idsOf(words.map((word) => vocabulary.indexOf(word))));
  return graph.oneHot(ids, { numClasses: vocabulary.length, name });
}

function count(core: Core, graph: Graph, numbers: Numbers): void {
  const { tokens, other, dim, seed } = numbers;
  const vocabulary = countedWords(numbers);
  const table = withRandom(core, graph, seed, (random) =>
    graph.draw("E", random, "randn", { shape: [vocabulary.length, dim] }),
  );
  const rows = oneHot(graph, tokens, vocabulary, "onehot");
  graph.matmul(rows, table, { name: "vectors" });
  const counts = graph.sum(rows, { axis: 0, keepdim: true, name: "counts" });
  const others = oneHot(graph, other, vocabulary, "other");
  const counted = graph.sum(others, { axis: 0, keepdim: true, name: "counts_other" });
  graph.subtract(counts, counted, { name: "difference" });
  const each = oneHot(graph, vocabulary, vocabulary, "words");
  graph.similarity(each, { name: "apart" });
  graph.similarity(table, { name: "table" });
}

function near(graph: Graph, { x, analogy }: Numbers): void {
  const table = typedLeaf(graph, "E", x);
  graph.similarity(table, { name: "table" });
  const [first, less, plus] = (["first", "less", "plus"] as const).map((name, at) =>
    graph.slice(table, { axis: 0, start: analogy[at]!, stop: analogy[at]! + 1, name }),
  );
  const change = graph.subtract(first!, less!, { name: "change" });
  const target = graph.add(change, plus!, { name: "target" });
  const row = graph.reshape(target, { shape: [1, 1, x[0]!.length], name: "target_row" });
  graph.cosineSimilarity(row, table, { name: "closeness" });
  const seen = graph.principalComponents(table, { count: 2, name: "seen" });
  const moved = graph.subtract(target, seen.mean, { name: "target_centred" });
  graph.matmul(moved, graph.transpose(seen.components, { name: "axes_T" }), { name: "target_seen" });
}

function learn(core: Core, graph: Graph, numbers: Numbers): void {
  const { text, at, method, loss } = numbers;
  const vocabulary = vocabularyOf(text);
  const run = runOf(core, numbers);
  const input = graph.leaf("w_in", run.input);
  const output = graph.leaf("w_out", run.output);
  graph.leaf("losses", run.losses);
  graph.leaf("trail", run.trail);
  const axes = graph.leaf("axes", run.axes);
  const centred = graph.subtract(input, graph.leaf("middle", run.middle), { name: "centred" });
  graph.matmul(centred, graph.transpose(axes, { name: "axes_T" }), { name: "places" });

  const places = neighbourhoods(numbers);
  const { id, around } = places[at]!;
  const word = textWords(text)[at]!;
  // Skip-gram meets a word wherever it stands. A word without neighbours stands for itself.
  const met = method === "cbow" ? around : places.flatMap((place) => (place.id === id ? place.around : []));
  const neighbours = met.length > 0 ? met.map((place) => vocabulary[place]!) : [word];
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
  const seen = oneHot(graph, method === "skipgram" ? neighbours : [word], vocabulary, "seen");
  const share = graph.mean(seen, { axis: 0, keepdim: true, name: "share" });
  graph.concat([probs, share], { axis: 0, name: "both" });
}

/** (L) ids look up rows of a table (N, D); the same by one-hot rows (L, N) times the table. */
function lookUp(core: Core, graph: Graph, numbers: Numbers): void {
  const { ids: given, rows } = lookupOf(numbers);
  const table = withRandom(core, graph, numbers.seed, (random) =>
    graph.draw("E", random, "randn", { shape: [rows, numbers.dim] }),
  );
  const ids = graph.leaf("ids", idsOf(given));
  const vectors = graph.embedding(ids, table, { name: "X" });
  const oneHotRows = graph.oneHot(ids, { numClasses: rows, name: "onehot" });
  const product = graph.matmul(oneHotRows, table, { name: "product" });
  graph.subtract(vectors, product, { name: "difference" });
}

export function build(core: Core, graph: Graph, numbers: Numbers): void {
  if (numbers.topic === "count") count(core, graph, numbers);
  else if (numbers.topic === "near") near(graph, numbers);
  else if (numbers.topic === "learn") learn(core, graph, numbers);
  else lookUp(core, graph, numbers);
}
