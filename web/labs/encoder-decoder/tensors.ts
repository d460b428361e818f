/** Who the tensors of lab 7 are: symbols, roles, the names of their places, what a cell means. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Role, Snapshots } from "../../marks/scene.js";
import type { Block } from "../../stage/place.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { stringsIn, type Say } from "./strings.js";
import { vocabulary, writtenOf } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;

const heads = [0, 1];

/** The three attentions, by the name of their strings: the prefix of their nodes, and where queries and keys come from. */
export const attentions = {
  encoder: { node: "encoder.self_attn", sub: "E", queries: "read", keys: "read", stop: "read" },
  self: { node: "decoder.self_attn", sub: "D", queries: "written", keys: "written", stop: "back" },
  cross: { node: "decoder.multihead_attn", sub: "C", queries: "written", keys: "read", stop: "ask" },
} as const;
export type Attention = keyof typeof attentions;

/** The weights of an attention, head by head. */
export const headsOf = (attention: Attention, of: (node: string) => Block, say: Say) => {
  const node = `${attentions[attention].node}.weights`;
  return heads.map((head) => ({
    id: `${node}-${head}`,
    tensor: { ...of(node), at: [head, null, null], name: say(`name.${attention}`, { n: head }) },
  }));
};

/** The words read, and those written so far. */
export function namesOf({ numbers }: Config, words: Words, snapshots: Snapshots) {
  const written = writtenOf(numbers, snapshots)?.read;
  const say = stringsIn(words);
  return {
    read: numbers.tokens,
    written: written ?? Array.from({ length: numbers.steps }, (_, n) => say("word", { n: n + 1 })),
  };
}

export function axes(config: Config, words: Words, snapshots: Snapshots): Axes {
  const { read, written } = namesOf(config, words, snapshots);
  const say = stringsIn(words);
  return {
    read: ["S", read],
    written: ["L", written],
    word: ["V", vocabulary],
    head: ["H", heads.map((n) => say("head", { n }))],
  };
}

export function tensors(config: Config, words: Words, snapshots: Snapshots): Tensor[] {
  const say = stringsIn(words);
  const names = namesOf(config, words, snapshots);
  /** One attention: projections, scores, weights per head. On the stage stand its weights. */
  const attending = (attention: Attention): Tensor[] => {
    const { node, sub, queries, keys, stop } = attentions[attention];
    const projected = (text: string, role: Role, of: "read" | "written"): Tensor => ({
      node: `${node}.${text}`,
      stop,
      symbol: { text, sub },
      role,
      family: "projections",
      axes: `${of} D`,
    });
    const perHead = (
      what: string,
      text: string,
      family: string,
      columns: string,
      meaning: "meaning.looks" | "meaning.head" = "meaning.looks",
    ): Tensor => ({
      node: `${node}.${what}`,
      stop,
      symbol: { text, sub },
      family,
      at: [0, null, null],
      axes: `head ${queries} ${columns}`,
      meaning: ([head = 0, row = 0, column = 0]) =>
        say(meaning, { head, row: names[queries][row] ?? "", column: names[keys][column] ?? "" }),
    });
    return [
      projected("Q", "query", queries),
      projected("K", "key", keys),
      projected("V", "value", keys),
      ...["scores", "scaled", ...(attention === "self" ? ["masked"] : [])].map((what) =>
        perHead(what, "S", "scores", keys),
      ),
      {
        ...perHead("weights", "A", "weights", keys),
        role: "attention",
        name: say(`name.${attention}`, { n: 0 }),
      },
      { ...perHead("heads", "O", "projections", "d_v", "meaning.head"), role: "output" },
    ];
  };
  const activation = (node: string, of: "read" | "written", symbol: string, stop: string): Tensor => ({
    node,
    stop,
    symbol,
    family: "activations",
    axes: `${of} D`,
  });
  const predicted = (node: string, symbol: string, stop: string): Tensor => ({
    node,
    stop,
    symbol,
    family: node,
    axes: "written word",
    meaning: "meaning.next",
  });
  const kept = { stop: "keep", family: "kept", axes: "written D" };
  return [
    activation("source.embedded", "read", "X", "read"),
    ...attending("encoder"),
    activation("memory", "read", "M", "read"),
    activation("target.embedded", "written", "Y", "back"),
    ...attending("self"),
    ...attending("cross"),
    { node: "embedding.weight", stop: "next", symbol: "E", role: "weight", family: "table", axes: "word D" },
    { ...activation("output", "written", "O", "next"), role: "output" },
    predicted("logits", "Z", "next"),
    { ...predicted("next", "P", "next"), role: "output", fill: "probability" },
    { node: "kept_keys", symbol: "K", role: "key", single: say("single.K"), ...kept },
    { node: "kept_values", symbol: "V", role: "value", single: say("single.V"), ...kept },
    { ...predicted("difference", "Δ", "keep"), fill: "difference" },
  ];
}
