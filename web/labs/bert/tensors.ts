/** The tensors of the BERT lab, from the tables to the probabilities at the hidden places. */
import { bertVocabulary, sequenceOf, type BertNumbers } from "../../config/labs/bert.js";
import type { Tensor } from "../../telling/telling.js";
import type { en } from "./en.js";
import type { Say } from "./strings.js";

/** The stops of Play, in order. */
export const stopIds = ["embed", "attend", "layer", "predict", "score"] as const;
export type Stop = (typeof stopIds)[number];

type Key = keyof typeof en;

/** A tensor by the keys of its names. */
interface Row extends Omit<Tensor, "stop" | "name" | "single"> {
  stop?: Stop;
  name: Key;
  /** One row of it, where that has a name of its own. */
  single?: Key;
}

/** Every place of the sequence by its own name: "the", then "the (2)". */
export function placeNames(numbers: BertNumbers): string[] {
  const seen = new Map<string, number>();
  return sequenceOf(numbers).map((token) => {
    const count = (seen.get(token) ?? 0) + 1;
    seen.set(token, count);
    return count === 1 ? token : `${token} (${count})`;
  });
}

/** Names of the hidden places, where they are known before they are drawn. */
export function hiddenNames(numbers: BertNumbers): string[] | null {
  if (numbers.rule === "drawn") return null;
  const names = placeNames(numbers);
  return numbers.hidden.map((place) => names[place]!);
}

const layer = (name: string): string => `layers.0.${name}`;

export function bertTensors(numbers: BertNumbers, say: Say): Tensor[] {
  const names = placeNames(numbers);
  const vocabulary = bertVocabulary(numbers);
  const hidden = hiddenNames(numbers);
  const headNames = Array.from({ length: numbers.heads }, (_, head) => say("head", { n: head }));
  const segments = [say("segment.a"), say("segment.b")];
  const byPlace = { letters: "L×D", axes: [names, null] };
  const byWord = { family: "logits", letters: "L×V", axes: [names, vocabulary] };
  const asked = { letters: "n×V", axes: [hidden, vocabulary] };
  const parameter = { role: "weight", family: "parameters" } as const;
  const table = { stop: "embed", ...parameter, editable: true } as const;
  const perHead = { at: [0, null, null], letters: "L×L", axes: [headNames, names, names] };
  const ofHead = { at: [0, null, null], letters: "L×d_k", axes: [headNames, names, null] };
  const asks = ([head, query, key]: number[]): string =>
    say("asks", { head: headNames[head!] ?? "", query: names[query!] ?? "", key: names[key!] ?? "" });
  const norms = ["embeddings.norm", layer("norm1"), layer("norm2"), "head.norm"];

  const rows: Row[] = [
    {
      node: "embeddings.word_embeddings.weight",
      symbol: "E",
      name: "name.words",
      single: "name.tokens",
      ...table,
      letters: "V×D",
      axes: [vocabulary, null],
    },
    {
      node: "embeddings.position_embeddings.weight",
      symbol: { text: "E", sub: "P" },
      name: "name.positions",
      single: "name.position",
      ...table,
      letters: "L×D",
      axes: [null, null],
    },
    {
      node: "embeddings.token_type_embeddings.weight",
      symbol: { text: "E", sub: "S" },
      name: "name.segments",
      single: "name.segment",
      ...table,
      letters: "2×D",
      axes: [segments, null],
    },
    { node: "embeddings.tokens", stop: "embed", symbol: "W", name: "name.tokens", ...byPlace },
    { node: "embeddings.positions", stop: "embed", symbol: "P", name: "name.position", ...byPlace },
    { node: "embeddings.with_positions", symbol: "W+P", name: "name.with_positions", ...byPlace },
    { node: "embeddings.segments", stop: "embed", symbol: "S", name: "name.segment", ...byPlace },
    { node: "embeddings.with_segments", stop: "embed", symbol: "X", name: "name.sum", ...byPlace },
    {
      node: "embeddings.norm",
      stop: "embed",
      symbol: { text: "X", sub: "0" },
      name: "name.embedded",
      ...byPlace,
    },
    ...(["Q", "K", "V"] as const).map((symbol): Row => {
      const role = ({ Q: "query", K: "key", V: "value" } as const)[symbol];
      return { node: layer(`self_attn.${symbol}`), symbol, name: `name.${symbol}`, role, ...byPlace };
    }),
    {
      node: layer("self_attn.weights"),
      stop: "attend",
      symbol: "A",
      name: "name.weights",
      role: "attention",
      family: "weights",
      ...perHead,
      meaning: asks,
    },
    { node: layer("self_attn.scores"), symbol: "S", name: "name.scores", ...perHead },
    { node: layer("self_attn.scaled"), symbol: { text: "S", sup: "′" }, name: "name.scaled", ...perHead },
    { node: layer("self_attn.Q_heads"), symbol: "Q", name: "name.Q", ...ofHead },
    { node: layer("self_attn.K_heads"), symbol: "K", name: "name.K", ...ofHead },
    { node: layer("self_attn.V_heads"), symbol: "V", name: "name.V", ...ofHead },
    { node: layer("self_attn.heads"), symbol: "O", name: "name.heads", ...ofHead },
    {
      node: layer("self_attn.output"),
      stop: "attend",
      symbol: "Z",
      name: "name.attention",
      role: "output",
      ...byPlace,
    },
    { node: layer("residual1"), symbol: "X+Z", name: "name.residual1", ...byPlace },
    { node: layer("norm1"), stop: "layer", symbol: { text: "X", sub: "1" }, name: "name.norm1", ...byPlace },
    { node: layer("linear2"), stop: "layer", symbol: "F", name: "name.network", role: "output", ...byPlace },
    { node: layer("residual2"), symbol: "X+F", name: "name.residual2", ...byPlace },
    { node: layer("norm2"), stop: "layer", symbol: { text: "X", sub: "2" }, name: "name.norm2", ...byPlace },
    { node: "head.norm", stop: "predict", symbol: "H", name: "name.head", ...byPlace },
    { node: "head.bias", symbol: "b", name: "name.bias", ...parameter, letters: "V", axes: [vocabulary] },
    ...norms.flatMap((norm): Row[] => [
      { node: `${norm}.weight`, symbol: "γ", name: "name.gain", ...parameter, letters: "D", axes: [null] },
      { node: `${norm}.bias`, symbol: "β", name: "name.shift", ...parameter, letters: "D", axes: [null] },
    ]),
    { node: "logits", stop: "predict", symbol: "L", name: "name.logits", ...byWord },
    {
      node: "asked",
      stop: "score",
      symbol: { text: "L", sub: "?" },
      name: "name.asked",
      family: "logits",
      ...asked,
    },
    {
      node: "probabilities",
      stop: "score",
      symbol: "p",
      name: "name.probabilities",
      role: "attention",
      family: "weights",
      ...asked,
    },
    { node: "loss", stop: "score", symbol: "ℓ", name: "name.loss", fill: "none", family: "losses", axes: [] },
    { node: "losses", symbol: "ℓ", name: "name.losses", family: "losses", axes: [null] },
  ];
  return rows.map(({ name, single = name, ...row }) => ({
    family: "rows",
    ...row,
    name: say(name),
    single: say(single),
  }));
}
