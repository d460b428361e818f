/** The tensors of the block lab: the whole block, with how wide rows are along the path, and layer norm alone. */
import { vocabularyOf, type BlockNumbers } from "../../config/labs/block.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Axes, Tensor } from "../../telling/declaration.js";
import { inputNode, pathNodes } from "./path.js";
import type { Say } from "./strings.js";

/** Every occurrence of a word by its own name: "the", then "the (2)". */
function rowNames({ tokens }: BlockNumbers): string[] {
  const seen = new Map<string, number>();
  return tokens.map((token) => {
    const count = (seen.get(token) ?? 0) + 1;
    seen.set(token, count);
    return count === 1 ? token : `${token} (${count})`;
  });
}

/** The symbol of a tensor on the residual path. */
function pathSymbol(numbers: BlockNumbers, node: string): string {
  if (node === inputNode(numbers)) return "X_0";
  const after = numbers.norm === "post" ? "norm" : "residual";
  const text = node.startsWith(after) ? "X" : numbers.norm === "post" ? "S" : "N";
  return `${text}_${node.slice(-1)}`;
}

const subscripts = ["₀", "₁", "₂"];

/** The places of the path by their symbols: "X₁". */
const placeNames = (numbers: BlockNumbers): string[] =>
  pathNodes(numbers).map((node) => {
    const [text, sub] = pathSymbol(numbers, node).split("_");
    return `${text}${subscripts[Number(sub)]}`;
  });

const parameter = { role: "weight", family: "parameters" } as const;
const byWord = { axes: "word D" };
const attended = { stop: "attend", family: "attention" };
const unlettered = { letters: "" };

/** What stands on the axes of the block's tensors, and of those of layer norm alone. */
export function axesOf(numbers: BlockNumbers, say: Say): Axes {
  const word = ["L", rowNames(numbers)] as const;
  return {
    word,
    query: word,
    key: word,
    head: ["h", Array.from({ length: numbers.heads }, (_, n) => say("head", { n }))],
    entry: ["V", vocabularyOf(numbers)],
    place: ["", placeNames(numbers)],
    once: ["1"],
    rule: ["", rulesOf(numbers, say).map(({ name }) => name)],
    divisor: ["", [say("divisor.n"), say("divisor.less")]],
  };
}

export function blockTensors(numbers: BlockNumbers, say: Say): Tensor[] {
  const dropping = numbers.dropout > 0;
  const matrix = { ...parameter, single: say("single.weight"), turned: true, editable: true };
  const projection = { ...matrix, stop: "attend", axes: "D D" };
  const gain = { key: "gain", symbol: "γ", ...parameter, editable: true, axes: "D", letters: "1×D" };
  const ofHead = { ...attended, at: [0, null, null] };
  const scores = { ...ofHead, family: "scores", axes: "head query key", meaning: "asks" };
  const weight = { role: "attention", fill: "probability", family: "weights" } as const;
  const weights = { ...scores, ...weight, single: say("single.weights") };
  const dropped = { single: say("single.dropped") };
  const inNetwork = { stop: "feed", family: "hidden", axes: "word d_ff" };
  const measure = { family: "measures", axes: "word place", ...unlettered };
  const bias = { key: "bias", ...parameter };
  const rows: Tensor[] = [
    { node: "E", stop: "embed", symbol: "E", ...parameter, editable: true, axes: "entry D" },
    { node: "embedded", stop: "embed", symbol: "X", ...byWord },
    { node: "PE", stop: "embed", symbol: "P", ...byWord },
    { node: "x", stop: "embed", symbol: dropping ? "X^′" : "X_0", ...byWord },
    { node: "dropped", stop: "embed", symbol: "X_0", ...byWord },
    ...Object.entries({ Q: "query", K: "key", V: "value" } as const).flatMap(([symbol, role]): Tensor[] => {
      const [node, key] = [`self_attn.${symbol.toLowerCase()}_proj_weight`, `W_${symbol}`];
      return [
        { node, key, symbol: key, ...projection, editable: false },
        { node: `self_attn.${symbol}`, symbol, ...attended, role, ...byWord },
      ];
    }),
    {
      node: "self_attn.K_T",
      symbol: "K^T",
      ...ofHead,
      role: "key",
      axes: "head d_k word",
      single: say("single.K"),
    },
    { node: "self_attn.scores", symbol: "S", ...scores },
    { node: "self_attn.scaled", symbol: "S^′", ...scores },
    { node: "self_attn.weights", symbol: "A", ...weights },
    { node: "self_attn.dropped", key: "weights.dropped", symbol: "A^*", ...weights },
    { node: "self_attn.V_heads", key: "V", symbol: "V", ...ofHead, role: "value", axes: "head word d_k" },
    { node: "self_attn.heads", symbol: "O", ...ofHead, role: "output", axes: "head word d_k" },
    { node: "self_attn.concat", symbol: "C", ...attended, role: "output", ...byWord },
    { node: "self_attn.out_proj.weight", key: "W_O", symbol: "W_O", ...projection },
    { node: "self_attn.output", key: "attention", symbol: "Z", ...attended, role: "output", ...byWord },
    ...([1, 2] as const).flatMap((sum): Tensor[] => {
      const [add, norm] = [`add${sum}`, `norm${sum}`];
      const added = sum === 1 ? "Z^*" : "F^*";
      const symbol = (node: string): string => pathSymbol(numbers, node);
      return [
        {
          node: `dropout${sum}`,
          key: "added",
          stop: add,
          symbol: added,
          role: "output",
          ...byWord,
          ...dropped,
        },
        { node: `residual${sum}`, key: "residual", stop: add, symbol: symbol(`residual${sum}`), ...byWord },
        { node: `${norm}.weight`, stop: norm, ...gain },
        { node: norm, key: "norm", stop: norm, symbol: symbol(norm), ...byWord },
      ];
    }),
    { node: "linear1.weight", key: "W_1", stop: "feed", symbol: "W_1", ...matrix, axes: "d_ff D" },
    { node: "linear1", symbol: "H", ...inNetwork },
    { node: "activation", symbol: "H⁺", ...inNetwork },
    { node: "dropout", key: "dropped", symbol: "H^*", ...inNetwork },
    { node: "linear2.weight", key: "W_2", stop: "feed", symbol: "W_2", ...matrix, axes: "D d_ff" },
    { node: "linear2", stop: "feed", symbol: "F", role: "output", ...byWord },
    // Added to every row inside a step: they stand in the note, not on the stage.
    ...["Q", "K", "V"].map((letter): Tensor => {
      const node = `self_attn.${letter.toLowerCase()}_proj_bias`;
      return { node, symbol: `b_${letter}`, ...bias, axes: "D" };
    }),
    { node: "self_attn.out_proj.bias", symbol: "b_O", ...bias, axes: "D" },
    { node: "linear1.bias", symbol: "b_1", ...bias, axes: "d_ff" },
    { node: "linear2.bias", symbol: "b_2", ...bias, axes: "D" },
    { node: "norm1.bias", symbol: "β", ...bias, axes: "D" },
    { node: "norm2.bias", symbol: "β", ...bias, axes: "D" },
    { node: "path", symbol: "x", ...measure, axes: "word place D" },
    { node: "path_squares", key: "squares", symbol: "d²", ...measure, axes: "word place D" },
    { node: "variances", symbol: "σ²", ...measure },
    { node: "means", stop: "measure", symbol: "μ", ...measure },
    { node: "deviations", stop: "measure", symbol: "σ", ...measure },
  ];
  const absent = dropping ? [] : ["dropped", "self_attn.dropped", "dropout", "dropout1", "dropout2"];
  return rows.filter(({ node }) => !absent.includes(node)).map((row) => ({ family: "path", ...row }));
}

/** The rows that layer norm alone compares: the node of each, and its name. */
export function rulesOf({ claim }: BlockNumbers, say: Say): { node: string; name: string }[] {
  const nodes = ["biased", "unbiased", ...(claim ? ["claim"] : [])] as const;
  return nodes.map((node) => ({ node, name: say(`rule.${node}` as "rule.claim") }));
}

/** Whether the text's row has deviation 1 by neither rule: neither made it. But for the epsilon under the root and a text's rounding. */
export function fromNeither({ claim }: BlockNumbers, snapshots: Snapshots): boolean {
  const measured = snapshots.get("row_deviations");
  return claim !== null && measured !== undefined && ![4, 5].some((at) => isOne(measured.data[at] ?? NaN));
}
const isOne = (deviation: number): boolean => deviation > 0.99 && deviation < 1.01;

export function normTensors(numbers: BlockNumbers, say: Say): Tensor[] {
  const rules = rulesOf(numbers, say);
  const row = { axes: "once n" };
  const one = { axes: "once once", ...unlettered };
  const two = { axes: "once divisor", ...unlettered };
  const squares = { stop: "spread", family: "squares" };
  const tensors: Tensor[] = [
    { node: "x", key: "row", stop: "centre", symbol: "x", ...row, editable: true },
    { node: "mean", stop: "centre", symbol: "μ", ...one },
    { node: "centred", stop: "centre", symbol: "d", ...row },
    { node: "squares", symbol: "d²", ...squares, ...row },
    { node: "total", symbol: "Σ", ...squares, ...one },
    { node: "variance", symbol: "σ²", ...squares, ...two },
    { node: "deviation", stop: "spread", symbol: "σ", ...two },
    ...rules.map(({ node, name }): Tensor => ({
      node,
      name,
      key: node === "claim" ? "claim" : "normed",
      stop: "divide",
      symbol: node === "claim" ? "y^?" : "y",
      role: node === "claim" ? "activation" : "output",
      family: "normed",
      ...row,
      ...(node === "claim" && { editable: true }),
    })),
    {
      node: "row_deviations",
      key: "deviation",
      stop: "divide",
      symbol: "σ",
      family: "normed",
      axes: "rule divisor",
      ...unlettered,
    },
  ];
  return tensors.map((tensor) => ({ family: "row", ...tensor }));
}
