/** Who the tensors of lab 7 are: symbols, roles, the names of their places, what a cell means. */
import type { ConfigOf } from "../../config/config.js";
import { own, type OwnWords, type Words } from "../../i18n/words.js";
import type { Role, Snapshots } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import { en } from "./en.js";
import { vocabulary, writtenOf } from "./vocabulary.js";
import { zhCN } from "./zh-CN.js";

type Config = ConfigOf<"encoder-decoder">;

/** Widths of the translator. */
export const width = 8;
export const heads = 2;

export const ownWords = (words: Words): OwnWords<typeof en> => own(words, { en, "zh-CN": zhCN });

/** The stops of Play. */
export const stopIds = ["read", "back", "ask", "next", "keep"] as const;
type Stop = (typeof stopIds)[number];

/** Names of the rows: the words read, those written so far, and after each the word that was chosen, once it is computed. */
interface Rows {
  source: readonly string[];
  target: readonly string[];
  chosen: readonly string[] | null;
}

export function rowsOf({ numbers }: Config, words: Words, snapshots: Snapshots): Rows {
  const written = writtenOf(numbers, snapshots);
  const say = ownWords(words);
  const target = written?.read ?? Array.from({ length: numbers.steps }, (_, n) => say("word", { n: n + 1 }));
  return { source: numbers.tokens, target, chosen: written?.chosen ?? null };
}

interface Attention {
  /** The prefix of its nodes. */
  node: string;
  words: "encoder" | "self" | "cross";
  sub: string;
  queries: "source" | "target";
  keys: "source" | "target";
  stop: Stop;
}

const attentions: readonly Attention[] = [
  { node: "encoder.self_attn", words: "encoder", sub: "E", queries: "source", keys: "source", stop: "read" },
  { node: "decoder.self_attn", words: "self", sub: "D", queries: "target", keys: "target", stop: "back" },
  {
    node: "decoder.multihead_attn",
    words: "cross",
    sub: "C",
    queries: "target",
    keys: "source",
    stop: "ask",
  },
];

const letters = { source: "S", target: "L" } as const;

/** One attention: projections, scores, weights per head. On the stage stand its weights. */
function attending(names: Rows, words: Words, attention: Attention): Tensor[] {
  const say = ownWords(words);
  const { node, sub, stop } = attention;
  const [queries, keys] = [names[attention.queries], names[attention.keys]];
  const headNames = Array.from({ length: heads }, (_, n) => say("head", { n }));
  const projected = (what: "Q" | "K" | "V", role: Role, of: "source" | "target"): Tensor => ({
    node: `${node}.${what}`,
    stop,
    symbol: { text: what, sub },
    role,
    family: "projections",
    name: say(`name.${what}`),
    single: say(`single.${what}`),
    letters: `${letters[of]}×D`,
    axes: [names[of], null],
  });
  const perHead = { stop, at: [0, null, null], axes: [headNames, queries, keys] };
  const looks = ([head = 0, row = 0, column = 0]: number[]): string =>
    say("meaning.looks", { head, row: queries[row] ?? "", column: keys[column] ?? "" });
  const compared = (what: "scores" | "scaled" | "masked"): Tensor => ({
    ...perHead,
    node: `${node}.${what}`,
    symbol: { text: "S", sub },
    family: "scores",
    name: say(`name.${what}`),
    letters: `${letters[attention.queries]}×${letters[attention.keys]}`,
    meaning: looks,
  });
  return [
    projected("Q", "query", attention.queries),
    projected("K", "key", attention.keys),
    projected("V", "value", attention.keys),
    compared("scores"),
    compared("scaled"),
    ...(attention.words === "self" ? [compared("masked")] : []),
    {
      ...compared("scores"),
      node: `${node}.weights`,
      symbol: { text: "A", sub },
      role: "attention",
      family: "weights",
      name: say(`name.${attention.words}`, { n: 0 }),
      single: say(`single.${attention.words}`),
    },
    {
      ...perHead,
      node: `${node}.heads`,
      symbol: { text: "O", sub },
      role: "output",
      family: "projections",
      name: say("name.heads"),
      letters: `${letters[attention.queries]}×d_v`,
      axes: [headNames, queries, null],
      meaning: ([head = 0, row = 0]) => say("meaning.head", { head, row: queries[row] ?? "" }),
    },
  ];
}

export function tensors(config: Config, words: Words, snapshots: Snapshots): Tensor[] {
  const say = ownWords(words);
  const names = rowsOf(config, words, snapshots);
  const { target } = names;
  type Named = "X" | "memory" | "Y" | "output";
  const activation = (
    node: string,
    of: "source" | "target",
    symbol: string,
    name: Named,
    stop: Stop,
  ): Tensor => ({
    node,
    stop,
    symbol,
    ...(node === "output" && { role: "output" }),
    family: "activations",
    name: say(`name.${name}`),
    single: say(`single.${name}`),
    letters: `${letters[of]}×D`,
    axes: [names[of], null],
  });
  const predicted = (node: "logits" | "next" | "difference", symbol: string, stop: Stop): Tensor => ({
    node,
    stop,
    symbol,
    family: node,
    name: say(`name.${node}`),
    single: say(`single.${node}`),
    letters: "L×V",
    axes: [target, vocabulary],
    meaning: ([row = 0, column = 0]) =>
      say("meaning.next", { row: target[row] ?? "", column: vocabulary[column] ?? "" }),
  });
  const kept = (node: "kept_keys" | "kept_values", symbol: "K" | "V"): Tensor => ({
    node,
    stop: "keep",
    symbol,
    role: symbol === "K" ? "key" : "value",
    family: "kept",
    name: say(`name.${node}`),
    single: say(`single.${symbol}`),
    letters: "L×D",
    axes: [target, null],
  });
  const [encoder, self, cross] = attentions.map((attention) => attending(names, words, attention));
  return [
    activation("source.embedded", "source", "X", "X", "read"),
    ...encoder!,
    activation("memory", "source", "M", "memory", "read"),
    activation("target.embedded", "target", "Y", "Y", "back"),
    ...self!,
    ...cross!,
    {
      node: "embedding.weight",
      stop: "next",
      symbol: "E",
      role: "weight",
      family: "table",
      name: say("name.table"),
      single: say("single.table"),
      letters: "V×D",
      axes: [vocabulary, null],
    },
    activation("output", "target", "O", "output", "next"),
    predicted("logits", "Z", "next"),
    { ...predicted("next", "P", "next"), role: "output", fill: "probability" },
    kept("kept_keys", "K"),
    kept("kept_values", "V"),
    { ...predicted("difference", "Δ", "keep"), fill: "difference" },
  ];
}
