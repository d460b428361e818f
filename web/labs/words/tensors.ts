/** The tensors of the words lab: who they are and what their places are called. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { countedWords, textWords, vocabularyOf } from "../../config/labs/words.js";
import type { Words } from "../../i18n/words.js";
import { tensorsOf, type Row } from "../../telling/rows.js";
import type { Tensor } from "../../telling/telling.js";
import { neighbourhoods } from "./neighbourhoods.js";
import { sayIn, type Say } from "./strings.js";

type Numbers = NumbersOf["words"];

const table = { role: "weight", family: "table" } as const;
const parameter = { role: "weight", family: "parameters" } as const;
const oneHot = { role: "query", fill: "probability", family: "onehot" } as const;
const cosine = { role: "attention", fill: "difference", family: "cosine" } as const;
const shares = { fill: "probability", family: "probs" } as const;

/** Every step of the core's `similarity` of words; `more` is what more is said of some. */
function similarity(prefix: string, more: Readonly<Record<string, Partial<Row>>>): Row[] {
  const pairs = "word word";
  const rows: Row[] = [
    { node: "transposed", symbol: "X^T", on: "number word" },
    { node: "dot", symbol: "a·b", on: pairs },
    { node: "rows", symbol: "a", on: "word number number" },
    { node: "cosine", symbol: "cos", on: pairs },
    { node: "difference", key: "differences", symbol: "a−b", on: `${pairs} number` },
    { node: "squares", symbol: "(a−b)²", on: `${pairs} number` },
    { node: "squared_distance", symbol: "|a−b|²", on: pairs },
    { node: "distance", symbol: "|a−b|", on: pairs },
  ];
  return rows.map((row) => ({ ...row, ...more[row.node], node: `${prefix}.${row.node}` }));
}

function count(numbers: Numbers, say: Say): Tensor[] {
  const axes = {
    token: ["", numbers.tokens],
    other: ["", numbers.other],
    word: ["", countedWords(numbers)],
    number: [""],
  } as const;
  const counts = { stop: "count", role: "value", family: "apart", on: "number word" } as const;
  const apart = { stop: "compare", role: "key", family: "apart" } as const;
  const rows: Row[] = [
    { node: "E", symbol: "E", ...table, on: "word number", editable: true },
    { node: "onehot_ids", key: "ids", symbol: "i", on: "token" },
    { node: "onehot", symbol: "X", ...oneHot, on: "token word" },
    { node: "vectors", symbol: "V", role: "output", fill: "parameter", family: "table", on: "token number" },
    { node: "counts", symbol: "n", ...counts },
    { node: "other_ids", key: "ids", symbol: "i", on: "other" },
    { node: "other", stop: "count", symbol: "X_2", ...oneHot, on: "other word" },
    { node: "counts_other", symbol: "n_2", ...counts },
    { node: "difference", symbol: "n−n_2", ...counts, role: "attention", fill: "activation" },
    { node: "words_ids", key: "ids", symbol: "i", on: "word" },
    { node: "words", stop: "compare", symbol: "I", on: "word word" },
    ...similarity("apart", { dot: apart, distance: apart }),
    ...similarity("table", { cosine: { stop: "compare", ...cosine } }),
  ];
  return tensorsOf(say, axes, rows, { stop: "lookup" });
}

function near({ names, analogy }: Numbers, say: Say): Tensor[] {
  const [a, b, c] = analogy.map((place) => names[place] ?? "") as [string, string, string];
  const axes = { word: ["", names], number: [""] } as const;
  const one = { stop: "riddle", ...table, on: "number number", slots: { a, b, c } } as const;
  const rows: Row[] = [
    { node: "E", symbol: "E", ...table, on: "word number", editable: true },
    ...similarity("table", { cosine: { ...cosine, key: "cosine.near" } }),
    { node: "first", symbol: "a", ...one, name: a },
    { node: "less", symbol: "b", ...one, name: b },
    { node: "plus", symbol: "c", ...one, name: c },
    { node: "change", symbol: "a−b", ...one },
    { node: "target", symbol: "t", ...one, role: "output", fill: "parameter" },
    { node: "target_row", key: "rows", stop: "riddle", symbol: "t", on: "number number number" },
    { node: "closeness", stop: "riddle", symbol: "cos", ...cosine, on: "number word" },
    { node: "seen.mean", symbol: "m", on: "number number" },
    { node: "seen.centred", symbol: "E−m", on: "word number" },
    { node: "seen.components", key: "directions", symbol: "u", on: "number number" },
    { node: "seen.explained_variance", key: "variance", symbol: "λ", on: "number" },
    { node: "seen.output", key: "places", symbol: "p", on: "word number" },
    { node: "target_centred", key: "centred", symbol: "t−m", on: "number number" },
    { node: "axes_T", key: "directions", symbol: "u", on: "number number" },
    { node: "target_seen", key: "places", symbol: "p", on: "number number" },
  ];
  return tensorsOf(say, axes, rows, { stop: "near" });
}

/** The word that is looked at, and its neighbours there. */
export function lookedAt(numbers: Numbers): { word: string; around: string[] } {
  const vocabulary = vocabularyOf(numbers.text);
  const word = textWords(numbers.text)[numbers.at] ?? "";
  const places = neighbourhoods(numbers);
  const here = places[numbers.at];
  const met =
    numbers.method === "cbow"
      ? (here?.around ?? [])
      : places.flatMap((place) => (place.id === here?.id ? place.around : []));
  return { word, around: met.length > 0 ? met.map((id) => vocabulary[id]!) : [word] };
}

function learn(numbers: Numbers, say: Say): Tensor[] {
  const { method, loss, steps } = numbers;
  const vocabulary = vocabularyOf(numbers.text);
  const { word, around } = lookedAt(numbers);
  const skipgram = method === "skipgram";
  const axes = {
    word: ["", vocabulary],
    looked: ["", [word]],
    neighbour: ["", around],
    time: ["", Array.from({ length: steps + 1 }, (_, n) => say("step", { n }))],
    way: ["", ["x", "y"]],
    both: ["", [say("row.predicted"), say("row.text")]],
    number: [""],
  } as const;
  const learned = { origin: say("origin.learned") };
  const found = { origin: say("origin.directions"), on: "number number" };
  const seen = skipgram ? "neighbour" : "looked";
  const predicted = { stop: "predict", on: "number word" };
  const ofWords = { ...predicted, meaning: ([, j = 0]: number[]) => `${word} → ${vocabulary[j] ?? ""}` };
  const rows: Row[] = [
    { node: "w_in", symbol: "W", ...parameter, on: "word number", ...learned },
    { node: "w_out", symbol: "U", ...parameter, on: "word number", ...learned },
    { node: "losses", symbol: "L", on: "time", ...learned },
    { node: "trail", symbol: "p", on: "time word number", ...learned },
    { node: "axes", key: "directions", symbol: "u", ...found },
    { node: "middle", key: "mean", symbol: "m", ...found },
    { node: "centred", symbol: "W−m", on: "word number" },
    { node: "axes_T", key: "directions", symbol: "u^T", on: "number number" },
    {
      node: "places",
      symbol: "p",
      role: "query",
      on: "word way",
      meaning: ([i = 0]) => vocabulary[i] ?? "",
    },
    ...(skipgram
      ? [{ node: "hidden_ids", key: "ids", symbol: "i", on: "looked" }]
      : [
          { node: "context_ids", key: "ids", symbol: "i", on: "neighbour" },
          { node: "context", stop: "predict", symbol: "C", role: "query", on: "neighbour number" } as const,
        ]),
    {
      node: "hidden",
      key: skipgram ? "hidden" : "hidden.cbow",
      slots: { word },
      stop: "predict",
      symbol: "h",
      role: "query",
      family: "vectors",
      on: "number number",
    },
    { node: "w_out_T", symbol: "U^T", ...parameter, ...predicted },
    { node: "scores", symbol: "s", family: "vectors", ...ofWords },
    ...(loss === "negative" ? [{ node: "log_sigmoid", symbol: "log σ", ...ofWords }] : []),
    { node: "probs", symbol: "p", role: "attention", ...shares, ...ofWords },
    { node: "seen_ids", key: "ids", symbol: "i", on: seen },
    { node: "seen", symbol: "X", on: `${seen} word` },
    { node: "share", symbol: "q", role: "value", ...shares, ...ofWords },
    { node: "both", symbol: "p, q", role: "attention", ...shares, ...predicted, on: "both word" },
  ];
  return tensorsOf(say, axes, rows, { stop: "map" });
}

export function tensors({ numbers }: ConfigOf<"words">, words: Words): Tensor[] {
  return { count, near, learn }[numbers.topic](numbers, sayIn(words));
}
