/** The tensors of the words lab: who they are, what their places are called, what their cells become. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { countedWords, textWords, vocabularyOf } from "../../config/labs/words.js";
import type { Words } from "../../i18n/words.js";
import type { Fill, Role, Symbol } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import { said, type OwnKey } from "./strings.js";
import { neighbourhoods } from "./neighbourhoods.js";

type Numbers = NumbersOf["words"];
type Axis = readonly string[] | null;

interface Look {
  symbol: Symbol | string;
  role?: Role;
  fill?: Fill;
  family?: string;
  name: string;
  single?: string;
  step?: number;
  meaning?: Tensor["meaning"];
  origin?: string;
  editable?: boolean;
}

/** A tensor by the names of its places: rows and columns are those of its last two axes. */
function tensor(node: string, axes: readonly Axis[], look: Look): Tensor {
  const { symbol, role = "activation", fill = "activation", family = "other", name, step = 0 } = look;
  return {
    node,
    role,
    fill,
    family,
    symbol: typeof symbol === "string" ? { text: symbol } : symbol,
    name,
    single: look.single ?? name,
    step,
    axes: [...axes],
    ...(look.meaning ? { meaning: look.meaning } : {}),
    ...(look.origin ? { origin: look.origin } : {}),
    ...(look.editable ? { editable: true } : {}),
  };
}

/** The other words for two words of one list: "dog · man". */
const pairOf =
  (names: readonly string[]) =>
  ([i, j]: number[]): string =>
    `${names[i ?? 0] ?? ""} · ${names[j ?? 0] ?? ""}`;

/** Every step of the core's `similarity`, by the names of its rows. */
function similarity(
  prefix: string,
  names: readonly string[],
  words: Words,
  looks: { dot?: Partial<Look>; cosine?: Partial<Look>; distance?: Partial<Look> },
): Tensor[] {
  const text = said(words);
  const square = { meaning: pairOf(names) };
  const of = (node: string, axes: Axis[], look: Look) => tensor(`${prefix}.${node}`, axes, look);
  return [
    of("transposed", [null, names], {
      symbol: { text: "X", sup: "T" },
      name: text("name.transposed"),
    }),
    of("dot", [names, names], { symbol: "a·b", name: text("name.dot"), ...square, ...looks.dot }),
    of("rows", [names, null, null], { symbol: "a", name: text("name.rows") }),
    of("cosine", [names, names], {
      symbol: "cos",
      name: text("name.cosine"),
      ...square,
      ...looks.cosine,
    }),
    of("difference", [names, names, null], { symbol: "a−b", name: text("name.differences") }),
    of("squares", [names, names, null], { symbol: "(a−b)²", name: text("name.squares") }),
    of("squared_distance", [names, names], {
      symbol: "|a−b|²",
      name: text("name.squared"),
      ...square,
    }),
    of("distance", [names, names], {
      symbol: "|a−b|",
      name: text("name.distance"),
      ...square,
      ...looks.distance,
    }),
  ];
}

function count(numbers: Numbers, words: Words): Tensor[] {
  const text = said(words);
  const vocabulary = countedWords(numbers);
  const { tokens, other } = numbers;
  const ids = (node: string, names: readonly string[]) =>
    tensor(node, [names], { symbol: "i", name: text("name.ids") });
  const apart = { role: "key", fill: "activation", family: "apart", step: 2 } as const;
  return [
    tensor("E", [vocabulary, null], {
      symbol: "E",
      role: "weight",
      fill: "parameter",
      family: "table",
      name: text("name.E"),
      single: text("single.E"),
      editable: true,
    }),
    ids("onehot_ids", tokens),
    tensor("onehot", [tokens, vocabulary], {
      symbol: "X",
      role: "query",
      fill: "probability",
      family: "onehot",
      name: text("name.onehot"),
      single: text("single.onehot"),
    }),
    tensor("vectors", [tokens, null], {
      symbol: "V",
      role: "output",
      fill: "parameter",
      family: "table",
      name: text("name.vectors"),
      single: text("single.vectors"),
      meaning: ([i]) => tokens[i ?? 0] ?? "",
    }),
    tensor("counts", [null, vocabulary], {
      symbol: "n",
      role: "value",
      family: "apart",
      name: text("name.counts"),
      step: 1,
    }),
    ids("other_ids", other),
    tensor("other", [other, vocabulary], {
      symbol: { text: "X", sub: "2" },
      role: "query",
      fill: "probability",
      family: "onehot",
      name: text("name.other"),
      step: 1,
    }),
    tensor("counts_other", [null, vocabulary], {
      symbol: { text: "n", sub: "2" },
      role: "value",
      family: "apart",
      name: text("name.counts_other"),
      step: 1,
    }),
    tensor("difference", [null, vocabulary], {
      symbol: { text: "n−n", sub: "2" },
      role: "attention",
      family: "apart",
      name: text("name.difference"),
      step: 1,
    }),
    ids("words_ids", vocabulary),
    tensor("words", [vocabulary, vocabulary], {
      symbol: "I",
      name: text("name.words"),
      step: 2,
    }),
    ...similarity("apart", vocabulary, words, { dot: apart, distance: apart }),
    ...similarity("table", vocabulary, words, {
      cosine: { role: "attention", fill: "difference", family: "cosine", step: 2 },
    }),
  ];
}

function near(numbers: Numbers, words: Words): Tensor[] {
  const text = said(words);
  const { names, analogy } = numbers;
  const [a, b, c] = analogy.map((place) => names[place] ?? "") as [string, string, string];
  const row = (node: string, symbol: Symbol | string, name: string, more: Partial<Look> = {}) =>
    tensor(node, [null, null], {
      symbol,
      role: "weight",
      fill: "parameter",
      family: "table",
      name,
      step: 1,
      ...more,
    });
  const seen = (node: string, axes: Axis[], symbol: string, key: OwnKey, more: Partial<Look> = {}) =>
    tensor(node, axes, { symbol, name: text(key), ...more });
  return [
    tensor("E", [names, null], {
      symbol: "E",
      role: "weight",
      fill: "parameter",
      family: "table",
      name: text("name.E"),
      single: text("single.E"),
      editable: true,
      meaning: ([i]) => names[i ?? 0] ?? "",
    }),
    ...similarity("table", names, words, {
      cosine: {
        role: "attention",
        fill: "difference",
        family: "cosine",
        name: text("name.cosine.near"),
      },
    }),
    row("first", "a", a),
    row("less", "b", b),
    row("plus", "c", c),
    row("change", "a−b", text("name.change", { a, b })),
    row("target", "t", text("name.target", { a, b, c }), {
      role: "output",
    }),
    tensor("target_row", [null, null, null], {
      symbol: "t",
      name: text("name.rows"),
      step: 1,
    }),
    tensor("closeness", [null, names], {
      symbol: "cos",
      role: "attention",
      fill: "difference",
      family: "cosine",
      name: text("name.closeness"),
      step: 1,
      meaning: ([, j]) => names[j ?? 0] ?? "",
    }),
    seen("seen.mean", [null, null], "m", "name.mean"),
    seen("seen.centred", [names, null], "E−m", "name.centred"),
    seen("seen.components", [null, null], "u", "name.directions"),
    seen("seen.explained_variance", [null], "λ", "name.variance"),
    seen("seen.output", [names, null], "p", "name.places"),
    seen("target_centred", [null, null], "t−m", "name.centred"),
    seen("axes_T", [null, null], "u", "name.directions"),
    seen("target_seen", [null, null], "p", "name.places"),
  ];
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

function learn(numbers: Numbers, words: Words): Tensor[] {
  const text = said(words);
  const { method, loss, steps } = numbers;
  const vocabulary = vocabularyOf(numbers.text);
  const { word, around } = lookedAt(numbers);
  const seenNames = method === "skipgram" ? around : [word];
  const times = Array.from({ length: steps + 1 }, (_, n) => text("step", { n }));
  const learned = text("origin.learned");
  const wide = (node: string, symbol: Symbol | string, key: OwnKey, more: Partial<Look> = {}) =>
    tensor(node, [null, vocabulary], {
      symbol,
      name: text(key),
      step: 1,
      meaning: ([, j]) => `${word} → ${vocabulary[j ?? 0] ?? ""}`,
      ...more,
    });
  const small = (
    node: string,
    axes: Axis[],
    symbol: Symbol | string,
    key: OwnKey,
    more: Partial<Look> = {},
  ) => tensor(node, axes, { symbol, name: text(key), ...more });
  return [
    small("w_in", [vocabulary, null], "W", "name.w_in", {
      role: "weight",
      fill: "parameter",
      family: "parameters",
      origin: learned,
      meaning: ([i]) => vocabulary[i ?? 0] ?? "",
    }),
    small("w_out", [vocabulary, null], "U", "name.w_out", {
      role: "weight",
      fill: "parameter",
      family: "parameters",
      origin: learned,
    }),
    small("losses", [times], "L", "name.losses", { origin: learned }),
    small("trail", [times, vocabulary, null], "p", "name.trail", { origin: learned }),
    small("axes", [null, null], "u", "name.directions", { origin: text("origin.directions") }),
    small("middle", [null, null], "m", "name.mean", { origin: text("origin.directions") }),
    small("centred", [vocabulary, null], "W−m", "name.centred"),
    small("axes_T", [null, null], { text: "u", sup: "T" }, "name.directions"),
    small("places", [vocabulary, ["x", "y"]], "p", "name.places", {
      role: "query",
      meaning: ([i]) => vocabulary[i ?? 0] ?? "",
    }),
    ...(method === "skipgram"
      ? [small("hidden_ids", [[word]], "i", "name.ids")]
      : [
          small("context_ids", [around], "i", "name.ids"),
          small("context", [around, null], "C", "name.context", {
            role: "query",
            step: 1,
          }),
        ]),
    tensor("hidden", [null, null], {
      symbol: "h",
      role: "query",
      fill: "activation",
      family: "vectors",
      name: method === "skipgram" ? text("name.hidden", { word }) : text("name.hidden.cbow"),
      step: 1,
    }),
    tensor("w_out_T", [null, vocabulary], {
      symbol: { text: "U", sup: "T" },
      role: "weight",
      fill: "parameter",
      family: "parameters",
      name: text("name.w_out_T"),
      step: 1,
    }),
    wide("scores", "s", "name.scores", { family: "vectors" }),
    ...(loss === "negative" ? [wide("log_sigmoid", "log σ", "name.log_sigmoid")] : []),
    wide("probs", "p", "name.probs", {
      role: "attention",
      fill: "probability",
      family: "probs",
    }),
    small("seen_ids", [seenNames], "i", "name.ids"),
    small("seen", [seenNames, vocabulary], "X", "name.seen"),
    wide("share", "q", "name.share", {
      role: "value",
      fill: "probability",
      family: "probs",
    }),
    tensor("both", [[text("row.predicted"), text("row.text")], vocabulary], {
      symbol: "p, q",
      role: "attention",
      fill: "probability",
      family: "probs",
      name: text("name.both"),
      step: 1,
    }),
  ];
}

export function tensors({ numbers }: ConfigOf<"words">, words: Words): Tensor[] {
  if (numbers.topic === "count") return count(numbers, words);
  return numbers.topic === "near" ? near(numbers, words) : learn(numbers, words);
}
