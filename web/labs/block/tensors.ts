/** The tensors of the whole block: embedding and positions, both sub-layers, sums and norms, and how wide rows are along the path. */
import type { BlockNumbers } from "../../config/labs/block.js";
import { vocabularyOf } from "../../config/labs/block.js";
import type { Role, Symbol } from "../../marks/scene.js";
import type { Tensor } from "../../telling/telling.js";
import type { en } from "./en.js";
import { inputNode, pathNodes, stopIds } from "./path.js";
import type { Say } from "./strings.js";

/** What most tensors have in common is left out. */
interface Draft {
  node: string;
  stop: string;
  symbol: Symbol;
  name: keyof typeof en;
  single: keyof typeof en;
  rows: number;
  columns: number;
  letters: string;
  role?: Role;
  fill?: Tensor["fill"];
  family?: string;
  axes: Tensor["axes"];
  at?: (number | null)[];
  turned?: boolean;
  editable?: boolean;
  meaning?: Tensor["meaning"];
}

/** Every occurrence of a word by its own name: "the", then "the (2)". */
export function rowNames({ tokens }: BlockNumbers): string[] {
  const seen = new Map<string, number>();
  return tokens.map((token) => {
    const count = (seen.get(token) ?? 0) + 1;
    seen.set(token, count);
    return count === 1 ? token : `${token} (${count})`;
  });
}

/** The symbol of a tensor on the residual path. */
export function pathSymbol(numbers: BlockNumbers, node: string): Symbol {
  if (node === inputNode(numbers)) return { text: "X", sub: "0" };
  const sub = node.slice(-1);
  const after = numbers.norm === "post" ? "norm" : "residual";
  if (node.startsWith(after)) return { text: "X", sub };
  return { text: numbers.norm === "post" ? "S" : "N", sub };
}

export function blockTensors(numbers: BlockNumbers, say: Say): Tensor[] {
  const { tokens, dim, heads, hidden } = numbers;
  const length = tokens.length;
  const width = dim / heads;
  const words = rowNames(numbers);
  const vocabulary = vocabularyOf(numbers);
  const stops = stopIds(numbers);
  const headNames = Array.from({ length: heads }, (_, head) => say("head", { n: head }));
  const dropping = numbers.dropout > 0;
  const byWord = { rows: length, columns: dim, letters: "L×D", axes: [words, null] };
  const perHead = { axes: [headNames, words, words], rows: length, columns: length, letters: "L×L" };
  const parameter = { role: "weight", fill: "parameter", family: "parameters" } as const;
  const asks = ([head, query, key]: number[]): string =>
    say("asks", { head: headNames[head!] ?? "", query: words[query!] ?? "", key: words[key!] ?? "" });

  const drafts: Draft[] = [
    {
      node: "E",
      stop: "embed",
      symbol: { text: "E" },
      name: "name.E",
      single: "single.E",
      rows: vocabulary.length,
      columns: dim,
      letters: "V×D",
      ...parameter,
      editable: true,
      axes: [vocabulary, null],
    },
    {
      node: "embedded",
      stop: "embed",
      symbol: { text: "X" },
      name: "name.embedded",
      single: "single.embedded",
      ...byWord,
    },
    {
      node: "PE",
      stop: "embed",
      symbol: { text: "P" },
      name: "name.PE",
      single: "single.PE",
      ...byWord,
    },
    {
      node: "x",
      stop: "embed",
      symbol: dropping ? { text: "X", sup: "′" } : { text: "X", sub: "0" },
      name: "name.x",
      single: "single.x",
      ...byWord,
    },
    {
      node: "dropped",
      stop: "embed",
      symbol: { text: "X", sub: "0" },
      name: "name.dropped",
      single: "single.dropped",
      ...byWord,
    },
    ...(["q", "k", "v"] as const).flatMap((letter): Draft[] => {
      const role = ({ q: "query", k: "key", v: "value" } as const)[letter];
      const upper = letter.toUpperCase() as "Q" | "K" | "V";
      return [
        {
          node: `self_attn.${letter}_proj_weight`,
          stop: "attend",
          symbol: { text: "W", sub: upper },
          name: `name.W_${upper}`,
          single: "single.weight",
          rows: dim,
          columns: dim,
          letters: "D×D",
          ...parameter,
          turned: true,
          axes: [null, null],
        },
        {
          node: `self_attn.${upper}`,
          stop: "attend",
          symbol: { text: upper },
          name: `name.${upper}`,
          single: `single.${upper}`,
          ...byWord,
          role,
          family: "attention",
        },
      ];
    }),
    {
      node: "self_attn.K_T",
      stop: "attend",
      symbol: { text: "K", sup: "T" },
      name: "name.K_T",
      single: "single.K",
      rows: width,
      columns: length,
      letters: "d_k×L",
      role: "key",
      family: "attention",
      at: [0, null, null],
      axes: [headNames, null, words],
    },
    {
      node: "self_attn.scores",
      stop: "attend",
      symbol: { text: "S" },
      name: "name.scores",
      single: "single.scores",
      ...perHead,
      family: "scores",
      at: [0, null, null],
      meaning: asks,
    },
    {
      node: "self_attn.scaled",
      stop: "attend",
      symbol: { text: "S", sup: "′" },
      name: "name.scaled",
      single: "single.scaled",
      ...perHead,
      family: "scores",
      at: [0, null, null],
      meaning: asks,
    },
    {
      node: "self_attn.weights",
      stop: "attend",
      symbol: { text: "A" },
      name: "name.weights",
      single: "single.weights",
      ...perHead,
      role: "attention",
      fill: "probability",
      family: "weights",
      at: [0, null, null],
      meaning: asks,
    },
    {
      node: "self_attn.dropped",
      stop: "attend",
      symbol: { text: "A", sup: "*" },
      name: "name.weights.dropped",
      single: "single.weights",
      ...perHead,
      role: "attention",
      fill: "probability",
      family: "weights",
      at: [0, null, null],
      meaning: asks,
    },
    {
      node: "self_attn.V_heads",
      stop: "attend",
      symbol: { text: "V" },
      name: "name.V",
      single: "single.V",
      rows: length,
      columns: width,
      letters: "L×d_k",
      role: "value",
      family: "attention",
      at: [0, null, null],
      axes: [headNames, words, null],
    },
    {
      node: "self_attn.heads",
      stop: "attend",
      symbol: { text: "O" },
      name: "name.heads",
      single: "single.heads",
      rows: length,
      columns: width,
      letters: "L×d_k",
      role: "output",
      family: "attention",
      at: [0, null, null],
      axes: [headNames, words, null],
    },
    {
      node: "self_attn.concat",
      stop: "attend",
      symbol: { text: "C" },
      name: "name.concat",
      single: "single.concat",
      ...byWord,
      role: "output",
      family: "attention",
    },
    {
      node: "self_attn.out_proj.weight",
      stop: "attend",
      symbol: { text: "W", sub: "O" },
      name: "name.W_O",
      single: "single.weight",
      rows: dim,
      columns: dim,
      letters: "D×D",
      ...parameter,
      turned: true,
      editable: true,
      axes: [null, null],
    },
    {
      node: "self_attn.output",
      stop: "attend",
      symbol: { text: "Z" },
      name: "name.attention",
      single: "single.attention",
      ...byWord,
      role: "output",
      family: "attention",
    },
    ...([1, 2] as const).flatMap((sum): Draft[] => [
      {
        node: `dropout${sum}`,
        stop: `add${sum}`,
        symbol: { text: sum === 1 ? "Z" : "F", sup: "*" },
        name: "name.added",
        single: "single.dropped",
        ...byWord,
        role: "output",
      },
      {
        node: `residual${sum}`,
        stop: `add${sum}`,
        symbol: pathSymbol(numbers, `residual${sum}`),
        name: "name.residual",
        single: "single.residual",
        ...byWord,
      },
      {
        node: `norm${sum}.weight`,
        stop: `norm${sum}`,
        symbol: { text: "γ" },
        name: "name.gain",
        single: "single.gain",
        rows: 1,
        columns: dim,
        letters: "1×D",
        ...parameter,
        editable: true,
        at: [null],
        axes: [null],
      },
      {
        node: `norm${sum}`,
        stop: `norm${sum}`,
        symbol: pathSymbol(numbers, `norm${sum}`),
        name: "name.norm",
        single: "single.norm",
        ...byWord,
      },
    ]),
    {
      node: "linear1.weight",
      stop: "feed",
      symbol: { text: "W", sub: "1" },
      name: "name.W_1",
      single: "single.weight",
      rows: dim,
      columns: hidden,
      letters: "D×d_ff",
      ...parameter,
      turned: true,
      editable: true,
      axes: [null, null],
    },
    {
      node: "linear1",
      stop: "feed",
      symbol: { text: "H" },
      name: "name.linear1",
      single: "single.linear1",
      rows: length,
      columns: hidden,
      letters: "L×d_ff",
      family: "hidden",
      axes: [words, null],
    },
    {
      node: "activation",
      stop: "feed",
      symbol: { text: "H⁺" },
      name: "name.activation",
      single: "single.activation",
      rows: length,
      columns: hidden,
      letters: "L×d_ff",
      family: "hidden",
      axes: [words, null],
    },
    {
      node: "dropout",
      stop: "feed",
      symbol: { text: "H", sup: "*" },
      name: "name.dropped",
      single: "single.dropped",
      rows: length,
      columns: hidden,
      letters: "L×d_ff",
      family: "hidden",
      axes: [words, null],
    },
    {
      node: "linear2.weight",
      stop: "feed",
      symbol: { text: "W", sub: "2" },
      name: "name.W_2",
      single: "single.weight",
      rows: hidden,
      columns: dim,
      letters: "d_ff×D",
      ...parameter,
      turned: true,
      editable: true,
      axes: [null, null],
    },
    {
      node: "linear2",
      stop: "feed",
      symbol: { text: "F" },
      name: "name.linear2",
      single: "single.linear2",
      ...byWord,
      role: "output",
    },
    // Added to every row inside a step: they stand in the note, not on the stage.
    ...biases(numbers).map(([node, width, symbol]): Draft => ({
      node,
      stop: "",
      symbol,
      name: "name.bias",
      single: "single.bias",
      rows: 1,
      columns: width,
      letters: "",
      ...parameter,
      at: [null],
      axes: [null],
    })),
    ...(
      [
        ["path", "x", "path", dim],
        ["path_squares", "d²", "squares", dim],
        ["variances", "σ²", "variances"],
        ["means", "μ", "means"],
        ["deviations", "σ", "deviations"],
      ] as const
    ).map(([node, text, name, depth]): Draft => {
      const places = pathNodes(numbers).map((place) => symbolName(pathSymbol(numbers, place)));
      return {
        node,
        stop: node === "means" || node === "deviations" ? "measure" : "",
        symbol: { text },
        name: `name.${name}`,
        single: `single.${name}`,
        rows: length,
        columns: 5,
        letters: "",
        family: "measures",
        axes: depth ? [words, places, null] : [words, places],
      };
    }),
  ];
  const absent = new Set(dropping ? [] : ["dropped", "self_attn.dropped", "dropout", "dropout1", "dropout2"]);
  return drafts
    .filter(({ node }) => !absent.has(node))
    .map(({ stop, name, single, ...draft }) => ({
      role: "activation",
      fill: "activation",
      family: "path",
      ...draft,
      name: say(name),
      single: say(single),
      step: stops.indexOf(stop),
    }));
}

function biases({ dim, hidden }: BlockNumbers): [node: string, width: number, symbol: Symbol][] {
  return [
    ["self_attn.q_proj_bias", dim, { text: "b", sub: "Q" }],
    ["self_attn.k_proj_bias", dim, { text: "b", sub: "K" }],
    ["self_attn.v_proj_bias", dim, { text: "b", sub: "V" }],
    ["self_attn.out_proj.bias", dim, { text: "b", sub: "O" }],
    ["linear1.bias", hidden, { text: "b", sub: "1" }],
    ["linear2.bias", dim, { text: "b", sub: "2" }],
    ["norm1.bias", dim, { text: "β" }],
    ["norm2.bias", dim, { text: "β" }],
  ];
}

const subscripts: Readonly<Record<string, string>> = { "0": "₀", "1": "₁", "2": "₂" };

/** "X₁", where a symbol cannot be set. */
export function symbolName({ text, sub = "" }: Symbol): string {
  return text + (subscripts[sub] ?? sub);
}
