/** The tensors of the encoder-decoder lab: their symbols and roles, the names of their rows and columns, and the meanings of their cells. */
import type { ConfigOf } from "../../config/config.js";
import { layerName, modelOf, PAIR, type EncoderDecoderNumbers } from "../../config/labs/encoder-decoder.js";
import type { Words } from "../../i18n/words.js";
import type { Role, Snapshots } from "../../marks/scene.js";
import type { Block } from "../../stage/place.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { stringsIn, type Strings } from "./strings.js";
import { vocabularyOf, decodedWords } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;

/** The three attentions of a layer: their part and its attention, the subscript of their symbols, the words of their queries and keys, and their stop. The keys here are keys of strings too. */
const attentions = {
  encoder: {
    part: "encoder",
    own: "self_attn",
    sub: "E",
    queries: "source",
    keys: "source",
    stop: "read",
  },
  self: { part: "decoder", own: "self_attn", sub: "D", queries: "target", keys: "target", stop: "back" },
  cross: { part: "decoder", own: "multihead_attn", sub: "C", queries: "target", keys: "source", stop: "ask" },
} as const;
export type Attention = keyof typeof attentions;

/** The name of an attention of a layer: `attentionOf("cross", 0)` is decoder.multihead_attn. */
function attentionOf(attention: Attention, layer: number): string {
  const { part, own } = attentions[attention];
  return `${layerName(part, layer)}.${own}`;
}

/** The node of the weights of an attention of the shown layer. */
export const weightsOf = (attention: Attention, numbers: EncoderDecoderNumbers): string =>
  `${attentionOf(attention, modelOf(numbers).layer)}.weights`;

/** The heads that are shown. */
export function shownHeads(numbers: EncoderDecoderNumbers): number[] {
  const { heads, head } = modelOf(numbers);
  return Array.from({ length: Math.min(PAIR, heads - head) }, (_, n) => head + n);
}

/** The weights of an attention, one tensor for each head that is shown. */
export const headsOf = (
  attention: Attention,
  numbers: EncoderDecoderNumbers,
  of: (node: string) => Block,
  strings: Strings,
) => {
  const node = weightsOf(attention, numbers);
  const { sub } = attentions[attention];
  return shownHeads(numbers).map((head) => ({
    id: `${node}-${head}`,
    tensor: {
      ...of(node),
      at: [head, null, null],
      symbol: { text: "A", sub: `${sub}${head}` },
      name: strings(`name.${attention}`, { n: head }),
    },
  }));
};

/** The words of the rows: the source sentence, and the words that went into the decoder, or "word 1", "word 2" ... before they are computed. */
export function wordsOfRows({ numbers }: Config, words: Words, snapshots: Snapshots) {
  const target = decodedWords(numbers, snapshots)?.inputs;
  const strings = stringsIn(words);
  return {
    source: numbers.tokens,
    target: target ?? Array.from({ length: numbers.steps }, (_, n) => strings("word", { n: n + 1 })),
  };
}

export function axes(config: Config, words: Words, snapshots: Snapshots): Axes {
  const { source, target } = wordsOfRows(config, words, snapshots);
  const strings = stringsIn(words);
  const heads = Array.from({ length: modelOf(config.numbers).heads }, (_, n) => strings("head", { n }));
  return {
    source: ["S", source],
    target: ["L", target],
    word: ["V", vocabularyOf(config.numbers)],
    head: ["H", heads],
  };
}

export function tensors(config: Config, words: Words, snapshots: Snapshots): Tensor[] {
  const strings = stringsIn(words);
  const names = wordsOfRows(config, words, snapshots);
  const { head: shownHead, layer: shownLayer, layers } = modelOf(config.numbers);
  /** The projections, the scores and the weights by head of one attention of a layer. The stage shows the weights of the shown layer. */
  const attentionOfLayer = (attention: Attention, layer: number): Tensor[] => {
    const { sub, queries, keys } = attentions[attention];
    const stop = layer === shownLayer ? attentions[attention].stop : null;
    const node = attentionOf(attention, layer);
    // What stands on the stage needs no number: the settings say which layer that is.
    const named = (name: string): string =>
      layer === shownLayer ? name : strings("name.layer", { name, n: layer });
    const projection = (text: string, role: Role, rows: "source" | "target"): Tensor => ({
      node: `${node}.${text}`,
      stop,
      symbol: { text, sub },
      role,
      family: "projections",
      axes: `${rows} D`,
      name: named(strings(`name.${text}` as "name.Q")),
    });
    const perHead = (
      what: string,
      text: string,
      family: string,
      columns: string,
      name = strings(`name.${what}` as "name.heads"),
      meaning: "meaning.looks" | "meaning.head" = "meaning.looks",
    ): Tensor => ({
      node: `${node}.${what}`,
      stop,
      symbol: { text, sub },
      family,
      at: [shownHead, null, null],
      name: named(name),
      axes: `head ${queries} ${columns}`,
      meaning: ([head = 0, row = 0, column = 0]) =>
        strings(meaning, { head, row: names[queries][row] ?? "", column: names[keys][column] ?? "" }),
    });
    return [
      projection("Q", "query", queries),
      projection("K", "key", keys),
      projection("V", "value", keys),
      ...["scores", "scaled", ...(attention === "self" ? ["masked"] : [])].map((what) =>
        perHead(what, "S", "scores", keys),
      ),
      {
        ...perHead("weights", "A", "weights", keys, strings(`name.${attention}`, { n: shownHead })),
        role: "attention",
        single: strings(`single.${attention}`),
      },
      {
        ...perHead("heads", "O", "projections", "d_v", strings("name.heads"), "meaning.head"),
        role: "output",
      },
    ];
  };
  const attentionTensors = (attention: Attention): Tensor[] =>
    Array.from({ length: layers }, (_, layer) => attentionOfLayer(attention, layer)).flat();
  const activation = (node: string, rows: "source" | "target", symbol: string, stop: string): Tensor => ({
    node,
    stop,
    symbol,
    family: "activations",
    axes: `${rows} D`,
  });
  const prediction = (node: string, symbol: string, stop: string): Tensor => ({
    node,
    stop,
    symbol,
    family: node,
    axes: "target word",
    meaning: "meaning.next",
  });
  const cached = { stop: "keep", family: "kept", axes: "target D" };
  return [
    activation("source.embedded", "source", "X", "read"),
    ...attentionTensors("encoder"),
    activation("memory", "source", "M", "read"),
    activation("target.embedded", "target", "Y", "back"),
    ...attentionTensors("self"),
    ...attentionTensors("cross"),
    { node: "embedding.weight", stop: "next", symbol: "E", role: "weight", family: "table", axes: "word D" },
    { ...activation("output", "target", "O", "next"), role: "output" },
    prediction("logits", "Z", "next"),
    { ...prediction("next", "P", "next"), role: "output", fill: "probability" },
    { node: "kept_keys", symbol: "K", role: "key", single: strings("single.K"), ...cached },
    { node: "kept_values", symbol: "V", role: "value", single: strings("single.V"), ...cached },
    { ...prediction("difference", "Δ", "keep"), fill: "difference" },
  ];
}
