/** The stops of a layer, and the tensors on the residual path. Layers are counted from 0. */
import { inLayer, stackOf, type BlockNumbers } from "../../config/labs/block.js";

/** The stops of Play, in order. A layer without residual connections or norms has no stops for them. */
export function stopIds(numbers: BlockNumbers): string[] {
  const { part, norm } = numbers;
  if (part === "norm") return ["centre", "spread", "divide"];
  if (part === "curves") return ["bend", "share"];
  const { residual, layerNorm, layers } = stackOf(numbers);
  const all =
    norm === "post"
      ? ["embed", "attend", "add1", "norm1", "feed", "add2", "norm2", "measure", "gradients"]
      : ["embed", "norm1", "attend", "add1", "norm2", "feed", "add2", "measure", "gradients"];
  return all.filter(
    (stop) =>
      (residual || !stop.startsWith("add")) &&
      (layerNorm || !stop.startsWith("norm")) &&
      (layers > 1 || stop !== "gradients"),
  );
}

/** The nodes of a layer by their role; a norm that the layer does not have is null. */
export interface LayerNodes {
  input: string;
  /** The inputs of attention and of the feed-forward network. */
  read: readonly [string, string];
  /** The outputs of the two sub-layers, after dropout if the layer has dropout. */
  added: readonly [string, string];
  /** The sums of the two residual connections; without residual connections, the outputs of the sub-layers. */
  sums: readonly [string, string];
  norms: readonly [string | null, string | null];
  /** The tensor on the path between the sub-layers: the first operand of the second sum. */
  middle: string;
  output: string;
  /** The sums and norms after the input, in the order of the graph. */
  path: readonly string[];
}

export function layerNodes(numbers: BlockNumbers, layer = stackOf(numbers).layer): LayerNodes {
  const { residual, layerNorm } = stackOf(numbers);
  const node = (name: string): string => inLayer(layer, name);
  const hasDropout = numbers.dropout > 0;
  const first = hasDropout ? "dropped" : "x";
  const input = layer === 0 ? first : layerNodes(numbers, layer - 1).output;
  const added = [
    node(hasDropout ? "dropout1" : "self_attn.output"),
    node(hasDropout ? "dropout2" : "linear2"),
  ] as const;
  const sums = residual ? ([node("residual1"), node("residual2")] as const) : added;
  const norms = layerNorm ? ([node("norm1"), node("norm2")] as const) : ([null, null] as const);
  const [norm1, norm2] = norms;
  if (numbers.norm === "pre") {
    const path = [norm1, sums[0], norm2, sums[1]].filter((one) => one !== null);
    const read = [norm1 ?? input, norm2 ?? sums[0]] as const;
    return { input, read, added, sums, norms, middle: sums[0], output: sums[1], path };
  }
  const middle = norm1 ?? sums[0];
  const path = [sums[0], norm1, sums[1], norm2].filter((one) => one !== null);
  return { input, read: [input, middle], added, sums, norms, middle, output: norm2 ?? sums[1], path };
}

/** A place of the path: a node and its layer. The input of the first layer is in layer -1. A normalised copy is beside the path. */
export interface Place {
  node: string;
  layer: number;
  isBeside: boolean;
}

/** The path through all layers. */
export function pathPlaces(numbers: BlockNumbers): Place[] {
  const layers = [...Array(stackOf(numbers).layers).keys()];
  return [
    { node: layerNodes(numbers, 0).input, layer: -1, isBeside: false },
    ...layers.flatMap((layer) => {
      const { path, norms } = layerNodes(numbers, layer);
      return path.map((node) => ({ node, layer, isBeside: numbers.norm === "pre" && norms.includes(node) }));
    }),
  ];
}

/** The row of the output whose first number is differentiated: the last one where words look back, as it depends on all words. */
export const gradientRow = (numbers: BlockNumbers): number =>
  stackOf(numbers).causal ? numbers.tokens.length - 1 : Math.min(1, numbers.tokens.length - 1);
