/** The tensors of the BERT lab, from the tables to the probabilities at the hidden places. */
import { bertVocabulary, sequenceOf, type BertNumbers } from "../../config/labs/bert.js";
import type { Symbol } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import type { en } from "./en.js";
import type { Say } from "./strings.js";

/** The stops of Play, in order. */
export const stopIds = ["embed", "attend", "layer", "predict", "score"] as const;
export type Stop = (typeof stopIds)[number];

type Key = keyof typeof en;

/** What most tensors have in common is left out. */
interface Draft extends Partial<
  Pick<Tensor, "role" | "fill" | "family" | "at" | "turned" | "editable" | "meaning">
> {
  node: string;
  stop: Stop | null;
  symbol: Symbol;
  name: Key;
  /** One row of it, where that has a name of its own. */
  single?: Key;
  rows: number;
  columns: number;
  letters: string;
  axes: Tensor["axes"];
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
  const { dim, heads, trained } = numbers;
  const names = placeNames(numbers);
  const length = names.length;
  const vocabulary = bertVocabulary(numbers);
  const hidden = hiddenNames(numbers);
  const headNames = Array.from({ length: heads }, (_, head) => say("head", { n: head }));
  const segments = [say("segment.a"), say("segment.b")];
  const byPlace = { rows: length, columns: dim, letters: "L×D", axes: [names, null] };
  const byWord = { rows: length, columns: vocabulary.length, letters: "L×V", axes: [names, vocabulary] };
  const asked = {
    rows: hidden?.length ?? 1,
    columns: vocabulary.length,
    letters: "n×V",
    axes: [hidden, vocabulary],
  };
  const parameter = { role: "weight", fill: "parameter", family: "parameters", editable: true } as const;

  const drafts: Draft[] = [
    {
      node: "embeddings.word_embeddings.weight",
      stop: "embed",
      symbol: { text: "E" },
      name: "name.words",
      single: "name.tokens",
      rows: vocabulary.length,
      columns: dim,
      letters: "V×D",
      axes: [vocabulary, null],
      ...parameter,
    },
    {
      node: "embeddings.position_embeddings.weight",
      stop: "embed",
      symbol: { text: "E", sub: "P" },
      name: "name.positions",
      single: "name.position",
      ...byPlace,
      axes: [null, null],
      ...parameter,
    },
    {
      node: "embeddings.token_type_embeddings.weight",
      stop: "embed",
      symbol: { text: "E", sub: "S" },
      name: "name.segments",
      single: "name.segment",
      rows: 2,
      columns: dim,
      letters: "2×D",
      axes: [segments, null],
      ...parameter,
    },
    {
      node: "embeddings.tokens",
      stop: "embed",
      symbol: { text: "W" },
      name: "name.tokens",
      ...byPlace,
    },
    {
      node: "embeddings.positions",
      stop: "embed",
      symbol: { text: "P" },
      name: "name.position",
      ...byPlace,
    },
    {
      node: "embeddings.with_positions",
      stop: null,
      symbol: { text: "W+P" },
      name: "name.with_positions",
      ...byPlace,
    },
    {
      node: "embeddings.segments",
      stop: "embed",
      symbol: { text: "S" },
      name: "name.segment",
      ...byPlace,
    },
    {
      node: "embeddings.with_segments",
      stop: "embed",
      symbol: { text: "X" },
      name: "name.sum",
      ...byPlace,
    },
    {
      node: "embeddings.norm",
      stop: "embed",
      symbol: { text: "X", sub: "0" },
      name: "name.embedded",
      ...byPlace,
    },
    ...(["Q", "K", "V"] as const).map((text): Draft => ({
      node: layer(`self_attn.${text}`),
      stop: null,
      symbol: { text },
      name: `name.${text}`,
      role: ({ Q: "query", K: "key", V: "value" } as const)[text],
      ...byPlace,
    })),
    {
      node: layer("self_attn.weights"),
      stop: "attend",
      symbol: { text: "A" },
      name: "name.weights",
      role: "attention",
      fill: "probability",
      family: "weights",
      at: [0, null, null],
      rows: length,
      columns: length,
      letters: "L×L",
      axes: [headNames, names, names],
      meaning: ([head, query, key]) =>
        say("asks", { head: headNames[head!] ?? "", query: names[query!] ?? "", key: names[key!] ?? "" }),
    },
    ...(["scores", "scaled"] as const).map((text): Draft => ({
      node: layer(`self_attn.${text}`),
      stop: null,
      symbol: text === "scores" ? { text: "S" } : { text: "S", sup: "′" },
      name: `name.${text}`,
      rows: length,
      columns: length,
      letters: "L×L",
      at: [0, null, null],
      axes: [headNames, names, names],
    })),
    ...(["Q_heads", "K_heads", "V_heads", "heads"] as const).map((node): Draft => ({
      node: layer(`self_attn.${node}`),
      stop: null,
      symbol: { text: node === "heads" ? "O" : node[0]! },
      name: node === "heads" ? "name.heads" : `name.${node[0] as "Q" | "K" | "V"}`,
      rows: length,
      columns: dim / heads,
      letters: "L×d_k",
      at: [0, null, null],
      axes: [headNames, names, null],
    })),
    {
      node: layer("self_attn.output"),
      stop: "attend",
      symbol: { text: "Z" },
      name: "name.attention",
      role: "output",
      ...byPlace,
    },
    {
      node: layer("residual1"),
      stop: null,
      symbol: { text: "X+Z" },
      name: "name.residual1",
      ...byPlace,
    },
    {
      node: layer("norm1"),
      stop: "layer",
      symbol: { text: "X", sub: "1" },
      name: "name.norm1",
      ...byPlace,
    },
    {
      node: layer("linear2"),
      stop: "layer",
      symbol: { text: "F" },
      name: "name.network",
      role: "output",
      ...byPlace,
    },
    {
      node: layer("residual2"),
      stop: null,
      symbol: { text: "X+F" },
      name: "name.residual2",
      ...byPlace,
    },
    {
      node: layer("norm2"),
      stop: "layer",
      symbol: { text: "X", sub: "2" },
      name: "name.norm2",
      ...byPlace,
    },
    {
      node: "head.norm",
      stop: "predict",
      symbol: { text: "H" },
      name: "name.head",
      ...byPlace,
    },
    {
      node: "head.bias",
      stop: null,
      symbol: { text: "b" },
      name: "name.bias",
      rows: 1,
      columns: vocabulary.length,
      letters: "V",
      at: [null],
      axes: [vocabulary],
      ...parameter,
      editable: false,
    },
    ...["embeddings.norm", layer("norm1"), layer("norm2"), "head.norm"].flatMap((norm) =>
      (["weight", "bias"] as const).map((end): Draft => ({
        node: `${norm}.${end}`,
        stop: null,
        symbol: { text: end === "weight" ? "γ" : "β" },
        name: end === "weight" ? "name.gain" : "name.shift",
        rows: 1,
        columns: dim,
        letters: "D",
        at: [null],
        axes: [null],
        ...parameter,
        editable: false,
      })),
    ),
    {
      node: "logits",
      stop: "predict",
      symbol: { text: "L" },
      name: "name.logits",
      family: "logits",
      ...byWord,
    },
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
      symbol: { text: "p" },
      name: "name.probabilities",
      role: "attention",
      fill: "probability",
      family: "weights",
      ...asked,
    },
    {
      node: "loss",
      stop: "score",
      symbol: { text: "ℓ" },
      name: "name.loss",
      fill: "none",
      family: "losses",
      rows: 1,
      columns: 1,
      letters: "",
      at: [],
      axes: [],
    },
    {
      node: "losses",
      stop: null,
      symbol: { text: "ℓ" },
      name: "name.losses",
      family: "losses",
      rows: 1,
      columns: trained + 1,
      letters: "",
      at: [null],
      axes: [null],
    },
  ];
  return drafts.map(({ stop, name, single = name, ...draft }) => ({
    role: "activation",
    fill: "activation",
    family: "rows",
    ...draft,
    name: say(name),
    single: say(single),
    step: stop === null ? -1 : stopIds.indexOf(stop),
  }));
}
