/** The tensors of the block lab: the layers with the deviations of rows along the path, layer norm alone, and the curves. */
import { inLayer, positionsOf, stackOf, vocabularyOf, type BlockNumbers } from "../../config/labs/block.js";
import type { Snapshots } from "../../marks/scene.js";
import { namedTensors, type Axes, type NamedTensor, type Tensor } from "../../telling/declaration.js";
import { curveGrid } from "./grid.js";
import { gradientRow, layerNodes, pathPlaces, stopIds, type Place } from "./path.js";
import type { Strings } from "./strings.js";

/** The names of rows, different for every occurrence of a word: "the", then "the (2)". */
function rowNames({ tokens }: BlockNumbers): string[] {
  const seen = new Map<string, number>();
  return tokens.map((token) => {
    const count = (seen.get(token) ?? 0) + 1;
    seen.set(token, count);
    return count === 1 ? token : `${token} (${count})`;
  });
}

/** The symbol of a sum or a norm of a layer. */
function pathSymbol(numbers: BlockNumbers, node: string): string {
  const { layerNorm } = stackOf(numbers);
  const isNorm = node.startsWith("norm");
  const isOutput = isNorm ? numbers.norm === "post" : numbers.norm === "pre" || !layerNorm;
  return `${isOutput ? "X" : isNorm ? "N" : "S"}_${node.slice(-1)}`;
}

const subscripts = ["₀", "₁", "₂"];
const superscripts = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶"];

/** The symbol of a place of the path: "X₁", in layer 2 of several "X₁⁽²⁾". Without residual connections, that of the output of a sub-layer. */
function placeName(numbers: BlockNumbers, { node, layer }: Place): string {
  if (layer < 0) return "X₀";
  const mark = stackOf(numbers).layers > 1 ? `⁽${superscripts[layer]}⁾` : "";
  const name = node.slice(inLayer(layer, "").length);
  if (name === "self_attn.output" || name === "dropout1") return `Z${mark}`;
  if (name === "linear2" || name === "dropout2") return `F${mark}`;
  const [text, sub] = pathSymbol(numbers, name).split("_");
  return `${text}${subscripts[Number(sub)]}${mark}`;
}

const parameter = { role: "weight", family: "parameters" } as const;
const byWord = { axes: "word D" };
const inAttention = { stop: "attend", family: "attention" };
const withoutLetters = { letters: "" };

/** The kinds of axes of all parts of the lab. */
export function axesOf(numbers: BlockNumbers, strings: Strings): Axes {
  const word = ["L", rowNames(numbers)] as const;
  return {
    word,
    query: word,
    key: word,
    head: ["h", Array.from({ length: numbers.heads }, (_, n) => strings("head", { n }))],
    entry: ["V", vocabularyOf(numbers)],
    position: ["", Array.from({ length: numbers.positions ?? 0 }, (_, n) => String(n))],
    place: ["", pathPlaces(numbers).map((place) => placeName(numbers, place))],
    layer: ["", Array.from({ length: stackOf(numbers).layers }, (_, at) => strings("layer", { n: at }))],
    once: ["1"],
    point: ["", curveGrid.map((x) => String(x).replace("-", "−"))],
    score: ["", ["z₀", "z₁", "z₂"]],
    rule: ["", rulesOf(numbers, strings).map(({ name }) => name)],
    divisor: ["", [strings("divisor.n"), strings("divisor.less")]],
  };
}

/** The tensors of the words and of one layer, with the node names of the first layer. */
export function blockTensors(numbers: BlockNumbers, strings: Strings): Tensor[] {
  const hasDropout = numbers.dropout > 0;
  const { residual, layerNorm, scaleEmbedding, causal } = stackOf(numbers);
  const positions = positionsOf(numbers);
  const matrix = { ...parameter, single: strings("single.weight"), turned: true, editable: true };
  const projection = { ...matrix, stop: "attend", axes: "D D" };
  const gain = { key: "gain", symbol: "γ", ...parameter, editable: true, axes: "D", letters: "1×D" };
  const ofHead = { ...inAttention, at: [0, null, null] };
  const scores = { ...ofHead, family: "scores", axes: "head query key", meaning: "asks" };
  const weight = { role: "attention", fill: "probability", family: "weights" } as const;
  const weights = { ...scores, ...weight, single: strings("single.weights") };
  const dropped = { single: strings("single.dropped") };
  const inNetwork = { stop: "feed", family: "hidden", axes: "word d_ff" };
  const bias = { key: "bias", ...parameter };
  const rows: Tensor[] = [
    { node: "E", stop: "embed", symbol: "E", ...parameter, editable: true, axes: "entry D" },
    {
      node: "embedded",
      ...(!scaleEmbedding && { key: "embedded.plain", single: strings("single.embedded") }),
      stop: "embed",
      symbol: "X",
      ...byWord,
    },
    { node: "P", symbol: "E_P", ...parameter, axes: "position D" },
    {
      node: "PE",
      ...(positions === "learned" && { key: "PE.learned", single: strings("single.PE") }),
      stop: "embed",
      symbol: "P",
      ...byWord,
    },
    {
      node: "x",
      ...(positions === "none" && {
        key: scaleEmbedding ? "embedded" : "embedded.plain",
        single: strings("single.embedded"),
      }),
      stop: "embed",
      symbol: hasDropout ? "X^′" : "X_0",
      ...byWord,
    },
    { node: "dropped", stop: "embed", symbol: "X_0", ...byWord },
    ...Object.entries({ Q: "query", K: "key", V: "value" } as const).flatMap(([symbol, role]): Tensor[] => {
      const [node, key] = [`self_attn.${symbol.toLowerCase()}_proj_weight`, `W_${symbol}`];
      return [
        { node, key, symbol: key, ...projection, editable: false },
        { node: `self_attn.${symbol}`, symbol, ...inAttention, role, ...byWord },
      ];
    }),
    {
      node: "self_attn.K_T",
      symbol: "K^T",
      ...ofHead,
      role: "key",
      axes: "head d_k word",
      single: strings("single.K"),
    },
    { node: "self_attn.scores", symbol: "S", ...scores },
    { node: "self_attn.scaled", symbol: "S^′", ...scores },
    { node: "self_attn.masked", symbol: "S+M", ...scores },
    { node: "self_attn.weights", symbol: "A", ...weights },
    { node: "self_attn.dropped", key: "weights.dropped", symbol: "A^*", ...weights },
    { node: "self_attn.V_heads", key: "V", symbol: "V", ...ofHead, role: "value", axes: "head word d_k" },
    { node: "self_attn.heads", symbol: "O", ...ofHead, role: "output", axes: "head word d_k" },
    { node: "self_attn.concat", symbol: "C", ...inAttention, role: "output", ...byWord },
    { node: "self_attn.out_proj.weight", key: "W_O", symbol: "W_O", ...projection },
    { node: "self_attn.output", key: "attention", symbol: "Z", stop: "attend", role: "output", ...byWord },
    ...([1, 2] as const).flatMap((sum): Tensor[] => {
      const [add, norm] = [`add${sum}`, `norm${sum}`];
      const added = sum === 1 ? "Z^*" : "F^*";
      const symbol = (node: string): string => pathSymbol(numbers, node);
      return [
        {
          node: `dropout${sum}`,
          key: "added",
          stop: residual ? add : sum === 1 ? "attend" : "feed",
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
    // Biases are added inside a step: the note shows them, the stage does not.
    ...["Q", "K", "V"].map((letter): Tensor => {
      const node = `self_attn.${letter.toLowerCase()}_proj_bias`;
      return { node, symbol: `b_${letter}`, ...bias, axes: "D" };
    }),
    { node: "self_attn.out_proj.bias", symbol: "b_O", ...bias, axes: "D" },
    { node: "linear1.bias", symbol: "b_1", ...bias, axes: "d_ff" },
    { node: "linear2.bias", symbol: "b_2", ...bias, axes: "D" },
    { node: "norm1.bias", symbol: "β", ...bias, axes: "D" },
    { node: "norm2.bias", symbol: "β", ...bias, axes: "D" },
  ];
  const isPresent = ({ node }: Tensor): boolean =>
    (hasDropout || !/(dropped|dropout|dropout1|dropout2)$/.test(node)) &&
    (residual || !node.startsWith("residual")) &&
    (causal || node !== "self_attn.masked") &&
    (positions === "learned" || node !== "P") &&
    (positions !== "none" || (node !== "embedded" && node !== "PE")) &&
    (layerNorm || !node.startsWith("norm"));
  return rows.filter(isPresent).map((row) => ({ family: "path", ...row }));
}

const beforeLayers = new Set(["E", "P", "embedded", "PE", "x", "dropped"]);

/** The means and deviations along the path and, with several layers, the gradient at each layer. */
function measureTensors(numbers: BlockNumbers, strings: Strings): Tensor[] {
  const { layers, layer } = stackOf(numbers);
  const measure = { family: "measures", axes: "word place", ...withoutLetters };
  const gradient = { family: "gradients", axes: "layer word D" };
  const norm = { family: "norms", axes: "layer", ...withoutLetters };
  const rows: Tensor[] = [
    { node: "path", symbol: "x", ...measure, axes: "word place D" },
    { node: "path_squares", key: "squares", symbol: "d²", ...measure, axes: "word place D" },
    { node: "variances", symbol: "σ²", ...measure },
    { node: "means", stop: "measure", symbol: "μ", ...measure },
    { node: "deviations", stop: "measure", symbol: "σ", ...measure },
    {
      node: "gradients",
      stop: "gradients",
      symbol: "G",
      ...gradient,
      at: [layer, null, null],
      name: strings("name.gradients", { n: layer }),
      origin: strings("origin.gradients", { word: rowNames(numbers)[gradientRow(numbers)] ?? "" }),
    },
    { node: "gradient_squares", symbol: "g²", ...gradient },
    { node: "gradient_sums", symbol: "Σ", ...norm },
    { node: "gradient_norms", stop: "gradients", symbol: "‖G‖", ...norm },
  ];
  return rows.filter(({ node }) => layers > 1 || !node.startsWith("gradient"));
}

/** The tensors of all layers. Those of the shown layer belong to its stops; those of the others only have names. */
export function stackTensors(numbers: BlockNumbers, strings: Strings): (Tensor | NamedTensor)[] {
  const { layers, layer } = stackOf(numbers);
  const rows = blockTensors(numbers, strings);
  const measures = measureTensors(numbers, strings);
  if (layers === 1) return [...rows, ...measures];
  const [before, inside] = [true, false].map((first) =>
    rows.filter(({ node }) => beforeLayers.has(node) === first),
  ) as [Tensor[], Tensor[]];
  const { input } = layerNodes(numbers);
  const [, first = null] = stopIds(numbers);
  const namedInside = namedTensors(strings, axesOf(numbers, strings), inside);
  const ofLayers = [...Array(layers).keys()].flatMap((n) =>
    namedInside.map((tensor): NamedTensor => {
      const node = inLayer(n, tensor.node);
      const isInput = node === input;
      return {
        ...tensor,
        node,
        name: strings("name.inLayer", { name: tensor.name, n }),
        stop: n === layer ? (tensor.stop ?? null) : isInput ? first : null,
        ...(isInput && { symbol: "X_0", role: "activation", family: "path" }),
      };
    }),
  );
  // Only the input of the shown layer is called X_0.
  const beforeShownLayer = before.map((tensor) =>
    layer > 0 && tensor.symbol === "X_0" ? { ...tensor, symbol: "X_E" } : tensor,
  );
  return [...beforeShownLayer, ...ofLayers, ...measures];
}

/** The rows that layer norm alone compares: the node of each, and its name. */
export function rulesOf({ claim }: BlockNumbers, strings: Strings): { node: string; name: string }[] {
  const nodes = ["biased", "unbiased", ...(claim ? ["claim"] : [])] as const;
  return nodes.map((node) => ({ node, name: strings(`rule.${node}` as "rule.claim") }));
}

/** Whether the claimed row has deviation 1 by neither rule, apart from the epsilon under the root and the rounding of the text. */
export function followsNoRule({ claim }: BlockNumbers, snapshots: Snapshots): boolean {
  const measured = snapshots.get("row_deviations");
  return claim !== null && measured !== undefined && ![4, 5].some((at) => isOne(measured.data[at] ?? NaN));
}
const isOne = (deviation: number): boolean => deviation > 0.99 && deviation < 1.01;

export function normTensors(numbers: BlockNumbers, strings: Strings): Tensor[] {
  const rules = rulesOf(numbers, strings);
  const row = { axes: "once n" };
  const one = { axes: "once once", ...withoutLetters };
  const two = { axes: "once divisor", ...withoutLetters };
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
      ...withoutLetters,
    },
  ];
  return tensors.map((tensor) => ({ family: "row", ...tensor }));
}

export function curveTensors(): Tensor[] {
  const bend = { stop: "bend", axes: "once point", ...withoutLetters };
  const share = { stop: "share", axes: "score point", ...withoutLetters };
  const points = { family: "points" };
  return [
    { node: "grid", symbol: "x", ...points, ...bend },
    { node: "relu", symbol: "ReLU", ...points, role: "output", ...bend },
    { node: "gelu", symbol: "GELU", ...points, role: "output", ...bend },
    { node: "direction", symbol: "1", ...points, ...withoutLetters, axes: "score once" },
    { node: "rise", symbol: "x", ...points, ...withoutLetters, axes: "score point" },
    { node: "start", symbol: "z", ...points, ...share, axes: "score once", editable: true },
    { node: "scores", key: "curve.scores", symbol: "z", ...points, ...share },
    { node: "shares", symbol: "p", role: "attention", family: "shares", ...share },
  ];
}
