/** The tensors of the attention lab: who they are, how large, which step of Play shows them. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { keyCount } from "../../config/labs/attention.js";
import type { Words } from "../../i18n/words.js";
import { isOwn } from "./own.js";
import { emptyRows, hidden } from "./mask.js";
import type { Block } from "../../stage/place.js";

/** Whether a small network compares the words, not a dot product. */
export const isAdditive = ({ score }: AttentionNumbers): boolean => score === "additive";
/** Whether scores are divided: additive ones never are. */
export const isScaled = (numbers: AttentionNumbers): boolean => numbers.scale && !isAdditive(numbers);

/** The steps that these numbers have, in order. */
export function stepIds(numbers: AttentionNumbers): string[] {
  return [
    "words",
    "project",
    ...(isAdditive(numbers) ? ["add"] : []),
    "compare",
    ...(isScaled(numbers) ? ["scale"] : []),
    ...(numbers.mask === "none" ? [] : ["mask"]),
    "softmax",
    "mix",
  ];
}

/** The nodes that scores pass through on their way to the weights. */
export function logitNodes(numbers: AttentionNumbers): string[] {
  return ["scores", ...(isScaled(numbers) ? ["scaled"] : []), ...(numbers.mask === "none" ? [] : ["masked"])];
}

/** "word 3", or the word itself. Words that are only numbers of their places are said in the reader's language. */
export function wordNames(tokens: readonly string[], words: Words): string[] {
  return tokens.map((token, place) =>
    token === `word_${place + 1}` ? words("labs.word", { n: place + 1 }) : token,
  );
}

/** A number as a subscript: ₁₂. */
const lowered = (n: number): string =>
  String(n).replace(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit)));

/** What the network has in its middle. */
export const HIDDEN = { text: "tanh(q+k)" };

export type AttentionNode =
  | "X"
  | "M"
  | "W_Q"
  | "W_K"
  | "W_V"
  | "Q"
  | "K"
  | "V"
  | "K_T"
  | "hidden"
  | "v"
  | "scores"
  | "scaled"
  | "masked"
  | "weights"
  | "output";

/** The blocks of a Config, by node; of `hidden` the matrix of one query. `mask` itself is not drawn: it is what `masked` shows. */
export function attentionBlocks(
  config: ConfigOf<"attention">,
  words: Words,
  query = 0,
): Record<AttentionNode, Block> {
  const { numbers } = config;
  const { dim, keyDim, valueDim, tokens } = numbers;
  const length = tokens.length;
  const keys = keyCount(numbers);
  const cross = numbers.memory.length > 0;
  const [l, s] = cross ? ["L", "S"] : ["S", "S"];
  const at = (id: string) => stepIds(numbers).indexOf(id);
  // X and the projections say nothing that the reader's own Q, K and V do not: what is typed into these is theirs.
  const own = isOwn(numbers);
  const typed = (node: "Q" | "K" | "V") => (own ? { editable: true, leaf: `W_${node}` } : {});
  const empty = numbers.mask === "none" ? [] : emptyRows(numbers, length, keys);
  const block = (
    node: AttentionNode,
    rows: number,
    columns: number,
    role: Block["role"],
    family: string,
    letters: string,
    step: string,
    more: Partial<Block> & Pick<Block, "symbol">,
  ): Block => ({
    node,
    rows,
    columns,
    role,
    family,
    letters,
    name: words(`labs.name.${node}`),
    step: at(step),
    fill: family === "parameters" ? "parameter" : family === "weights" ? "probability" : "activation",
    ...more,
  });
  return {
    X: block("X", length, dim, "activation", "vectors", `${l}×D`, "words", {
      symbol: { text: "X" },
      editable: true,
    }),
    M: block("M", keys, dim, "activation", "vectors", `${s}×D`, "words", {
      symbol: { text: "M" },
      editable: true,
    }),
    W_Q: block("W_Q", dim, keyDim, "weight", "parameters", "D×d_k", "project", {
      symbol: { text: "W", sub: "Q" },
      editable: true,
    }),
    W_K: block("W_K", dim, keyDim, "weight", "parameters", "D×d_k", "project", {
      symbol: { text: "W", sub: "K" },
      editable: true,
    }),
    W_V: block("W_V", dim, valueDim, "weight", "parameters", "D×d_v", "project", {
      symbol: { text: "W", sub: "V" },
      editable: true,
    }),
    Q: block("Q", length, keyDim, "query", "vectors", `${l}×d_k`, own ? "words" : "project", {
      symbol: { text: "Q" },
      ...typed("Q"),
    }),
    K: block("K", keys, keyDim, "key", "vectors", `${s}×d_k`, "project", {
      symbol: { text: "K" },
      ...typed("K"),
    }),
    V: block("V", keys, valueDim, "value", "vectors", `${s}×d_v`, "project", {
      symbol: { text: "V" },
      ...typed("V"),
    }),
    // Additive attention turns no keys: the stage does.
    K_T: isAdditive(numbers)
      ? block("K", keyDim, keys, "key", "vectors", `d_k×${s}`, "add", {
          symbol: { text: "K", sup: "T" },
          turned: true,
        })
      : block("K_T", keyDim, keys, "key", "vectors", `d_k×${s}`, "compare", {
          symbol: { text: "K", sup: "T" },
        }),
    hidden: block("hidden", keyDim, keys, "activation", "vectors", `d_k×${s}`, "add", {
      symbol: { text: `tanh(q${lowered(query)}+k)` },
      at: [query, null, null],
      turned: true,
    }),
    v: block("v", keyDim, 1, "weight", "parameters", "d_k", "compare", {
      symbol: { text: "v" },
      at: [null],
      turned: true,
      editable: true,
    }),
    scores: block("scores", length, keys, "activation", "scores", `${l}×${s}`, "compare", {
      symbol: { text: "S" },
    }),
    scaled: block("scaled", length, keys, "activation", "scores", `${l}×${s}`, "scale", {
      symbol: { text: "S/√d" },
    }),
    masked: block("masked", length, keys, "activation", "scores", `${l}×${s}`, "mask", {
      symbol: { text: "S+M" },
      paintable: true,
      masked: hidden(numbers, length, keys),
      emptyRows: empty,
    }),
    weights: block("weights", length, keys, "attention", "weights", `${l}×${s}`, "softmax", {
      symbol: { text: "A" },
      emptyRows: empty,
    }),
    output: block("output", length, valueDim, "output", "vectors", `${l}×d_v`, "mix", {
      symbol: { text: "O" },
      emptyRows: empty,
    }),
  };
}
