/** Who the tensors of lab 7 are: symbols, roles, the names of their places, what a cell means. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Role, Snapshots } from "../../marks/scene.js";
import type { Block } from "../../stage/place.js";
import type { Tensor } from "../../telling/telling.js";
import { sayIn, type Say } from "./strings.js";
import { vocabulary, writtenOf } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;

const heads = [0, 1];

/** The three attentions, by the name of their strings: the prefix of their nodes, and where queries and keys come from. */
export const attentions = {
  encoder: { node: "encoder.self_attn", sub: "E", queries: "S", keys: "S", stop: "read" },
  self: { node: "decoder.self_attn", sub: "D", queries: "L", keys: "L", stop: "back" },
  cross: { node: "decoder.multihead_attn", sub: "C", queries: "L", keys: "S", stop: "ask" },
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

/** Names of places: S words read, L words written so far, V words of the vocabulary, H heads. */
export function places({ numbers }: Config, words: Words, snapshots: Snapshots) {
  const say = sayIn(words);
  const written = writtenOf(numbers, snapshots)?.read;
  return {
    S: numbers.tokens,
    L: written ?? Array.from({ length: numbers.steps }, (_, n) => say("word", { n: n + 1 })),
    V: vocabulary,
    H: heads.map((n) => say("head", { n })),
  };
}

export function tensors(config: Config, words: Words, snapshots: Snapshots): Tensor[] {
  const say = sayIn(words);
  const names = places(config, words, snapshots);
  /** One attention: projections, scores, weights per head. On the stage stand its weights. */
  const attending = (attention: Attention): Tensor[] => {
    const { node, sub, queries, keys, stop } = attentions[attention];
    const projected = (text: string, role: Role, of: "S" | "L"): Tensor => ({
      node: `${node}.${text}`,
      stop,
      symbol: { text, sub },
      role,
      family: "projections",
      axes: `${of}×D`,
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
      axes: `H×${queries}×${columns}`,
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
  const activation = (node: string, of: "S" | "L", symbol: string, stop: string): Tensor => ({
    node,
    stop,
    symbol,
    family: "activations",
    axes: `${of}×D`,
  });
  const predicted = (node: string, symbol: string, stop: string): Tensor => ({
    node,
    stop,
    symbol,
    family: node,
    axes: "L×V",
    meaning: ([row = 0, column = 0]) =>
      say("meaning.next", { row: names.L[row] ?? "", column: vocabulary[column] ?? "" }),
  });
  const kept = { stop: "keep", family: "kept", axes: "L×D" };
  return [
    activation("source.embedded", "S", "X", "read"),
    ...attending("encoder"),
    activation("memory", "S", "M", "read"),
    activation("target.embedded", "L", "Y", "back"),
    ...attending("self"),
    ...attending("cross"),
    { node: "embedding.weight", stop: "next", symbol: "E", role: "weight", family: "table", axes: "V×D" },
    { ...activation("output", "L", "O", "next"), role: "output" },
    predicted("logits", "Z", "next"),
    { ...predicted("next", "P", "next"), role: "output", fill: "probability" },
    { node: "kept_keys", symbol: "K", role: "key", single: say("single.K"), ...kept },
    { node: "kept_values", symbol: "V", role: "value", single: say("single.V"), ...kept },
    { ...predicted("difference", "Δ", "keep"), fill: "difference" },
  ];
}
