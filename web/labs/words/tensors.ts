/** The tensors of the words lab and the names of their rows and columns. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { countedWords, isPlane, lookupOf, textWords, vocabularyOf } from "../../config/labs/words.js";
import type { Words } from "../../i18n/words.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { neighbourhoods } from "./neighbourhoods.js";
import { stringsIn, type Say } from "./strings.js";

type Numbers = NumbersOf["words"];

const table = { role: "weight", family: "table" } as const;
const parameter = { role: "weight", family: "parameters" } as const;
const oneHot = { role: "query", fill: "probability", family: "onehot" } as const;
const cosine = { role: "attention", fill: "difference", family: "cosine" } as const;
const shares = { fill: "probability", family: "probs" } as const;

/** The tensors of all steps of the core's `similarity` of words. `more` adds properties to some of them, by step. */
function similarity(prefix: string, more: Readonly<Record<string, Partial<Tensor>>>): Tensor[] {
  const pairs = "word word";
  const rows: Tensor[] = [
    { node: "transposed", symbol: "X^T", axes: "number word" },
    { node: "dot", symbol: "a·b", axes: pairs },
    { node: "rows", symbol: "a", axes: "word number number" },
    { node: "cosine", symbol: "cos", axes: pairs },
    { node: "difference", key: "differences", symbol: "a−b", axes: `${pairs} number` },
    { node: "squares", symbol: "(a−b)²", axes: `${pairs} number` },
    { node: "squared_distance", symbol: "|a−b|²", axes: pairs },
    { node: "distance", symbol: "|a−b|", axes: pairs },
  ];
  return rows.map((row) => ({ ...row, ...more[row.node], node: `${prefix}.${row.node}` }));
}

function countTensors(): Tensor[] {
  const counts = { stop: "count", role: "value", family: "apart", axes: "number word" } as const;
  const apart = { stop: "compare", role: "key", family: "apart" } as const;
  const rows: Tensor[] = [
    { node: "E", symbol: "E", ...table, axes: "word number", editable: true },
    { node: "onehot_ids", key: "ids", symbol: "i", axes: "token" },
    { node: "onehot", symbol: "X", ...oneHot, axes: "token word" },
    {
      node: "vectors",
      symbol: "V",
      role: "output",
      fill: "parameter",
      family: "table",
      axes: "token number",
    },
    { node: "counts", symbol: "n", ...counts },
    { node: "other_ids", key: "ids", symbol: "i", axes: "other" },
    { node: "other", stop: "count", symbol: "X_2", ...oneHot, axes: "other word" },
    { node: "counts_other", symbol: "n_2", ...counts },
    { node: "difference", symbol: "n−n_2", ...counts, role: "attention", fill: "activation" },
    { node: "words_ids", key: "ids", symbol: "i", axes: "word" },
    { node: "words", stop: "compare", symbol: "I", axes: "word word" },
    ...similarity("apart", { dot: apart, distance: apart }),
    ...similarity("table", { cosine: { stop: "compare", ...cosine } }),
  ];
  return rows.map((row) => ({ stop: "lookup", ...row }));
}

function nearTensors({ names, analogy }: Numbers): Tensor[] {
  const [a, b, c] = analogy.map((place) => names[place] ?? "") as [string, string, string];
  const one = { stop: "riddle", ...table, axes: "number number", slots: { a, b, c } } as const;
  const rows: Tensor[] = [
    { node: "E", symbol: "E", ...table, axes: "word number", editable: true },
    ...similarity("table", { cosine: { ...cosine, key: "cosine.near" } }),
    { node: "first", symbol: "a", ...one, name: a },
    { node: "less", symbol: "b", ...one, name: b },
    { node: "plus", symbol: "c", ...one, name: c },
    { node: "change", symbol: "a−b", ...one },
    { node: "target", symbol: "t", ...one, role: "output", fill: "parameter" },
    { node: "target_row", key: "rows", stop: "riddle", symbol: "t", axes: "number number number" },
    { node: "closeness", stop: "riddle", symbol: "cos", ...cosine, axes: "number word" },
    { node: "seen.mean", symbol: "m", axes: "number number" },
    { node: "seen.centred", symbol: "E−m", axes: "word number" },
    { node: "seen.components", key: "directions", symbol: "u", axes: "number number" },
    { node: "seen.explained_variance", key: "variance", symbol: "λ", axes: "number" },
    { node: "seen.output", key: "places", symbol: "p", axes: "word number" },
    { node: "target_centred", key: "centred", symbol: "t−m", axes: "number number" },
    { node: "axes_T", key: "directions", symbol: "u", axes: "number number" },
    { node: "target_seen", key: "places", symbol: "p", axes: "number number" },
  ];
  return rows.map((row) => ({ stop: "near", ...row }));
}

/** The selected word and the words that it predicts (skip-gram), or that predict it (CBOW). */
export function selectedWord(numbers: Numbers): { word: string; neighbours: string[] } {
  const vocabulary = vocabularyOf(numbers.text);
  const word = textWords(numbers.text)[numbers.at] ?? "";
  const places = neighbourhoods(numbers);
  const here = places[numbers.at];
  const neighbourIds =
    numbers.method === "cbow"
      ? (here?.neighbourIds ?? [])
      : places.flatMap((place) => (place.id === here?.id ? place.neighbourIds : []));
  return {
    word,
    neighbours: neighbourIds.length > 0 ? neighbourIds.map((id) => vocabulary[id]!) : [word],
  };
}

function learnTensors(numbers: Numbers, say: Say): Tensor[] {
  const { method, loss } = numbers;
  const vocabulary = vocabularyOf(numbers.text);
  const { word } = selectedWord(numbers);
  const isSkipgram = method === "skipgram";
  const learnedOrigin = { origin: say("origin.learned") };
  const directions = { origin: say("origin.directions"), axes: "number number" };
  const targetAxis = isSkipgram ? "neighbour" : "looked";
  const perWord = { stop: "predict", axes: "number word" };
  const perWordPair = { ...perWord, meaning: ([, j = 0]: number[]) => `${word} → ${vocabulary[j] ?? ""}` };
  const rows: Tensor[] = [
    { node: "w_in", symbol: "W", ...parameter, axes: "word number", ...learnedOrigin },
    { node: "w_out", symbol: "U", ...parameter, axes: "word number", ...learnedOrigin },
    { node: "losses", symbol: "L", axes: "time", ...learnedOrigin },
    { node: "trail", symbol: "p", axes: "time word number", ...learnedOrigin },
    ...(isPlane(numbers)
      ? [{ node: "w_in_steps", symbol: "W", axes: "time word number", ...learnedOrigin }]
      : []),
    ...similarity("table", {
      distance: {
        key: "distance.from",
        slots: { word },
        at: [vocabulary.indexOf(word), null],
        turned: true,
        fill: "none",
      },
      cosine: { key: "cosine.near" },
    }),
    { node: "axes", key: "directions", symbol: "u", ...directions },
    { node: "middle", key: "mean", symbol: "m", ...directions },
    { node: "centred", symbol: "W−m", axes: "word number" },
    { node: "axes_T", key: "directions", symbol: "u^T", axes: "number number" },
    {
      node: "places",
      symbol: "p",
      role: "query",
      axes: "word way",
      meaning: ([i = 0]) => vocabulary[i] ?? "",
    },
    ...(isSkipgram
      ? [{ node: "hidden_ids", key: "ids", symbol: "i", axes: "looked" }]
      : [
          { node: "context_ids", key: "ids", symbol: "i", axes: "neighbour" },
          { node: "context", stop: "predict", symbol: "C", role: "query", axes: "neighbour number" } as const,
        ]),
    {
      node: "hidden",
      key: isSkipgram ? "hidden" : "hidden.cbow",
      slots: { word },
      stop: "predict",
      symbol: "h",
      role: "query",
      family: "vectors",
      axes: "number number",
    },
    { node: "w_out_T", symbol: "U^T", ...parameter, ...perWord },
    { node: "scores", symbol: "s", family: "vectors", ...perWordPair },
    ...(loss === "negative" ? [{ node: "log_sigmoid", symbol: "log σ", ...perWordPair }] : []),
    { node: "probs", symbol: "p", role: "attention", ...shares, ...perWordPair },
    { node: "seen_ids", key: "ids", symbol: "i", axes: targetAxis },
    { node: "seen", symbol: "X", axes: `${targetAxis} word` },
    { node: "share", symbol: "q", role: "value", ...shares, ...perWordPair },
    { node: "both", symbol: "p, q", role: "attention", ...shares, ...perWord, axes: "both word" },
  ];
  return rows.map((row) => ({ stop: "map", ...row }));
}

/** Token ids, the rows that they look up, and the same rows as a product. */
function lookupTensors(): Tensor[] {
  const rows = { role: "output", fill: "parameter", family: "table", axes: "id number" } as const;
  const atMultiply = { stop: "multiply" } as const;
  return [
    {
      node: "ids",
      key: "token_ids",
      symbol: "i",
      stop: "lookup",
      role: "query",
      fill: "none",
      axes: "id",
      turned: true,
    },
    {
      node: "E",
      symbol: "E",
      stop: "lookup",
      ...table,
      axes: "row number",
      editable: true,
      meaning: "meaning.row",
    },
    { node: "X", symbol: "X", stop: "lookup", ...rows },
    { node: "onehot", symbol: "O", ...atMultiply, ...oneHot, axes: "id row", meaning: "meaning.one" },
    { node: "product", symbol: "OE", ...atMultiply, ...rows },
    { node: "difference", symbol: "X−OE", ...atMultiply, ...rows, meaning: "" },
  ];
}

/** The names of the places: the words of the table, those of the two sentences, and the selected word with its neighbours. */
export function axes({ numbers }: ConfigOf<"words">, words: Words): Axes {
  const say = stringsIn(words);
  const { topic, steps } = numbers;
  const tableWords = {
    count: () => countedWords(numbers),
    near: () => numbers.names,
    learn: () => vocabularyOf(numbers.text),
    lookup: () => [],
  };
  const { word, neighbours } = selectedWord(numbers);
  return {
    word: ["", tableWords[topic]()],
    token: ["", numbers.tokens],
    other: ["", numbers.other],
    looked: ["", [word]],
    neighbour: ["", neighbours],
    time: ["", Array.from({ length: steps + 1 }, (_, n) => say("step", { n }))],
    way: ["", ["x", "y"]],
    both: ["", [say("row.predicted"), say("row.text")]],
    number: [""],
    id: ["", lookupOf(numbers).ids.map(String)],
    row: [""],
  };
}

export function tensors({ numbers }: ConfigOf<"words">, words: Words): Tensor[] {
  const tensorsOf = { count: countTensors, near: nearTensors, learn: learnTensors, lookup: lookupTensors };
  return tensorsOf[numbers.topic](numbers, stringsIn(words));
}
