/** Who the tensors of lab 7 are: symbols, roles, the names of their places, what a cell means. */
import type { ConfigOf } from "../../config/config.js";
import { own, type OwnWords, type Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
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

type Plain = Omit<Tensor, "rows" | "columns"> & { of: "source" | "target"; across: number };

function plain(names: Rows, given: Plain): Tensor {
  const { of, across, ...rest } = given;
  return { ...rest, rows: names[of].length, columns: across };
}

interface Attention {
  /** The prefix of its nodes. */
  node: string;
  words: "encoder" | "self" | "cross";
  sub: string;
  queries: "source" | "target";
  keys: "source" | "target";
  masked: boolean;
  step: number;
}

const attentions: readonly Attention[] = [
  {
    node: "encoder.self_attn",
    words: "encoder",
    sub: "E",
    queries: "source",
    keys: "source",
    masked: false,
    step: 0,
  },
  {
    node: "decoder.self_attn",
    words: "self",
    sub: "D",
    queries: "target",
    keys: "target",
    masked: true,
    step: 1,
  },
  {
    node: "decoder.multihead_attn",
    words: "cross",
    sub: "C",
    queries: "target",
    keys: "source",
    masked: false,
    step: 2,
  },
];

/** One attention: projections, scores, weights per head. On the stage stand its weights. */
function attending(names: Rows, words: Words, attention: Attention): Tensor[] {
  const say = ownWords(words);
  const [queries, keys] = [names[attention.queries], names[attention.keys]];
  const headNames = Array.from({ length: heads }, (_, n) => say("head", { n }));
  const letters = { source: "S", target: "L" } as const;
  const projected = (what: "Q" | "K" | "V", role: Tensor["role"], of: "source" | "target"): Tensor =>
    plain(names, {
      node: `${attention.node}.${what}`,
      of,
      across: width,
      role,
      fill: "activation",
      family: "projections",
      symbol: { text: what, sub: attention.sub },
      name: say(`name.${what}`),
      single: say(`single.${what}`),
      letters: `${letters[of]}×D`,
      step: attention.step,
      axes: [names[of], null],
    });
  const compared = (what: "scores" | "scaled" | "masked" | "weights"): Tensor => {
    const weights = what === "weights";
    return {
      node: `${attention.node}.${what}`,
      rows: queries.length,
      columns: keys.length,
      role: weights ? "attention" : "activation",
      fill: weights ? "probability" : "activation",
      family: weights ? "weights" : "scores",
      symbol: { text: weights ? "A" : "S", sub: attention.sub },
      name: weights ? say(`name.${attention.words}`, { n: 0 }) : say(`name.${what}`),
      single: weights ? say(`single.${attention.words}`) : say(`name.${what}`),
      letters: `${letters[attention.queries]}×${letters[attention.keys]}`,
      step: attention.step,
      at: [0, null, null],
      axes: [headNames, queries, keys],
      meaning: ([head = 0, row = 0, column = 0]) =>
        say("meaning.looks", { head, row: queries[row] ?? "", column: keys[column] ?? "" }),
    };
  };
  return [
    projected("Q", "query", attention.queries),
    projected("K", "key", attention.keys),
    projected("V", "value", attention.keys),
    compared("scores"),
    compared("scaled"),
    ...(attention.masked ? [compared("masked")] : []),
    compared("weights"),
    {
      ...compared("weights"),
      node: `${attention.node}.heads`,
      columns: width / heads,
      role: "output",
      fill: "activation",
      family: "projections",
      symbol: { text: "O", sub: attention.sub },
      name: say("name.heads"),
      single: say("name.heads"),
      letters: `${letters[attention.queries]}×d_v`,
      axes: [headNames, queries, null],
      meaning: ([head = 0, row = 0]) => say("meaning.head", { head, row: queries[row] ?? "" }),
    },
  ];
}

export function tensors(config: Config, words: Words, snapshots: Snapshots): Tensor[] {
  const say = ownWords(words);
  const names = rowsOf(config, words, snapshots);
  const { source, target } = names;
  const activation = (
    node: string,
    of: "source" | "target",
    text: string,
    name: "X" | "memory" | "Y" | "output",
    step: number,
  ): Tensor =>
    plain(names, {
      node,
      of,
      across: width,
      role: node === "output" ? "output" : "activation",
      fill: "activation",
      family: "activations",
      symbol: { text },
      name: say(`name.${name}`),
      single: say(`single.${name}`),
      letters: of === "source" ? "S×D" : "L×D",
      step,
      axes: [of === "source" ? source : target, null],
    });
  const predicted = (node: "logits" | "next" | "difference", step: number): Tensor =>
    plain(names, {
      node,
      of: "target",
      across: vocabulary.length,
      role: node === "next" ? "output" : "activation",
      fill: node === "next" ? "probability" : node === "difference" ? "difference" : "activation",
      family: node,
      symbol: { text: { logits: "Z", next: "P", difference: "Δ" }[node] },
      name: say(`name.${node}`),
      single: say(`single.${node}`),
      letters: "L×V",
      step,
      axes: [target, vocabulary],
      meaning: ([row = 0, column = 0]) =>
        say("meaning.next", { row: target[row] ?? "", column: vocabulary[column] ?? "" }),
    });
  const kept = (node: "kept_keys" | "kept_values", text: "K" | "V"): Tensor =>
    plain(names, {
      node,
      of: "target",
      across: width,
      role: text === "K" ? "key" : "value",
      fill: "activation",
      family: "kept",
      symbol: { text },
      name: say(`name.${node}`),
      single: say(`single.${text}`),
      letters: "L×D",
      step: 4,
      axes: [target, null],
    });
  const [encoder, self, cross] = attentions.map((attention) => attending(names, words, attention));
  return [
    activation("source.embedded", "source", "X", "X", 0),
    ...encoder!,
    activation("memory", "source", "M", "memory", 0),
    activation("target.embedded", "target", "Y", "Y", 1),
    ...self!,
    ...cross!,
    {
      node: "embedding.weight",
      rows: vocabulary.length,
      columns: width,
      role: "weight",
      fill: "parameter",
      family: "table",
      symbol: { text: "E" },
      name: say("name.table"),
      single: say("single.table"),
      letters: "V×D",
      step: 3,
      axes: [vocabulary, null],
    },
    activation("output", "target", "O", "output", 3),
    predicted("logits", 3),
    predicted("next", 3),
    kept("kept_keys", "K"),
    kept("kept_values", "V"),
    predicted("difference", 4),
  ];
}
