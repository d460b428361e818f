/** The tensors of the BERT lab, from the tables to the probabilities at the hidden places. */
import type { ConfigOf } from "../../config/config.js";
import {
  bertVocabulary,
  encoderOf,
  inShownLayer,
  sequenceOf,
  type BertNumbers,
} from "../../config/labs/bert.js";
import type { Words } from "../../i18n/words.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { enteringNode } from "./flow.js";
import { stringsIn } from "./strings.js";

type Config = ConfigOf<"bert">;

/** The names of the places of the sequence. Equal words are numbered: "the", "the (2)". */
export function placeNames(numbers: BertNumbers): string[] {
  const counts = new Map<string, number>();
  return sequenceOf(numbers).map((token) => {
    const count = (counts.get(token) ?? 0) + 1;
    counts.set(token, count);
    return count === 1 ? token : `${token} (${count})`;
  });
}

/** The names of the hidden places; null if BERT's rule draws the places. */
export function hiddenNames(numbers: BertNumbers): string[] | null {
  if (numbers.rule === "drawn") return null;
  const names = placeNames(numbers);
  return numbers.hidden.map((place) => names[place]!);
}

export function axes({ numbers }: Config, words: Words): Axes {
  const strings = stringsIn(words);
  const place = ["L", placeNames(numbers)] as const;
  return {
    place,
    query: place,
    key: place,
    word: ["V", bertVocabulary(numbers)],
    one: [""],
    hidden: ["n", hiddenNames(numbers)],
    head: ["H", Array.from({ length: numbers.heads }, (_, head) => strings("head", { n: head }))],
    segment: ["2", [strings("segment.a"), strings("segment.b")]],
  };
}

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  const strings = stringsIn(words);
  const parameter = { role: "weight", family: "parameters" } as const;
  const table = { stop: "embed", ...parameter, editable: true } as const;
  const byPlace = { axes: "place D" };
  const ofRow = { fill: "none", family: "measures", axes: "place one" } as const;
  const weights = { role: "attention", family: "weights" } as const;
  const ofLosses = { fill: "none", family: "losses" } as const;
  const perHead = { at: [0, null, null], axes: "head query key" };
  const headRows = { at: [0, null, null], axes: "head place d_k" };
  const layer = (name: string): string => inShownLayer(numbers, name);
  const { layers, layer: shown } = encoderOf(numbers);
  const attention = (name: string): string => layer(`self_attn.${name}`);

  const rows: Tensor[] = [
    {
      node: "embeddings.word_embeddings.weight",
      symbol: "E",
      single: strings("name.tokens"),
      ...table,
      axes: "word D",
    },
    {
      node: "embeddings.position_embeddings.weight",
      symbol: "E_P",
      single: strings("name.positions"),
      ...table,
      axes: "L D",
    },
    {
      node: "embeddings.token_type_embeddings.weight",
      symbol: "E_S",
      single: strings("name.segments"),
      ...table,
      axes: "segment D",
    },
    { node: "embeddings.tokens", stop: "embed", symbol: "W", ...parameter, ...byPlace },
    { node: "embeddings.positions", stop: "embed", symbol: "P", ...parameter, ...byPlace },
    { node: "embeddings.with_positions", symbol: "W+P", ...byPlace },
    { node: "embeddings.segments", stop: "embed", symbol: "S", ...parameter, ...byPlace },
    { node: "embeddings.with_segments", stop: "add", symbol: "X", ...byPlace },
    { node: "input_means", stop: "norm", symbol: "μ", ...ofRow },
    { node: "input_deviations", stop: "norm", symbol: "σ", ...ofRow },
    { node: "embeddings.norm", stop: "norm", symbol: "X_0", ...byPlace },
    { node: attention("Q"), symbol: "Q", role: "query", ...byPlace },
    { node: attention("K"), symbol: "K", role: "key", ...byPlace },
    { node: attention("V"), symbol: "V", role: "value", ...byPlace },
    { node: attention("weights"), stop: "attend", symbol: "A", ...weights, ...perHead, meaning: "asks" },
    { node: attention("scores"), symbol: "S", ...perHead },
    { node: attention("scaled"), symbol: "S^′", ...perHead },
    ...(["Q", "K", "V"] as const).map((symbol): Tensor => ({
      node: attention(`${symbol}_heads`),
      symbol,
      key: symbol,
      ...headRows,
    })),
    { node: attention("heads"), symbol: "O", ...headRows },
    { node: attention("output"), stop: "attend", symbol: "Z", role: "output", ...byPlace },
    { node: layer("residual1"), symbol: "X+Z", ...byPlace },
    { node: layer("norm1"), stop: "layer", symbol: "X_1", ...byPlace },
    { node: layer("linear2"), stop: "layer", symbol: "F", role: "output", ...byPlace },
    { node: layer("residual2"), symbol: "X+F", ...byPlace },
    {
      node: layer("norm2"),
      stop: "layer",
      symbol: "X_2",
      ...(shown < layers - 1 && { key: "lower" }),
      ...byPlace,
    },
    ...(shown > 0
      ? [{ node: enteringNode(numbers), stop: "layer", symbol: "X_in", key: "entering", ...byPlace }]
      : []),
    { node: "head.norm", stop: "predict", symbol: "H", ...byPlace },
    { node: "head.bias", symbol: "b", ...parameter, axes: "word" },
    ...["embeddings.norm", layer("norm1"), layer("norm2"), "head.norm"].flatMap((norm): Tensor[] => [
      { node: `${norm}.weight`, symbol: "γ", ...parameter, axes: "D" },
      { node: `${norm}.bias`, symbol: "β", ...parameter, axes: "D" },
    ]),
    { node: "logits", stop: "predict", symbol: "L", family: "logits", axes: "place word" },
    { node: "asked", stop: "score", symbol: "L_?", family: "logits", axes: "hidden word" },
    { node: "probabilities", stop: "score", symbol: "p", ...weights, axes: "hidden word" },
    { node: "loss", stop: "score", symbol: "ℓ", ...ofLosses, axes: "", meaning: "loss.of" },
    { node: "losses", symbol: "ℓ", ...ofLosses, axes: "step", letters: "", origin: strings("origin.losses") },
    { node: "curve", symbol: "ℓ", ...ofLosses, axes: "step", letters: "", origin: strings("origin.losses") },
  ];
  return rows.map((row) => ({ family: "rows", ...row }));
}
