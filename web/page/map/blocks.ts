/** The blocks of the map: tensors of the translation model, which the lab "encoder-decoder" trained and computes. */
import type { ConfigOf, LabId } from "../../config/config.js";
import type { Fill, Snapshots, Symbol } from "../../marks/scene.js";
import type { Block as Tensor } from "../../stage/place.js";
import { vocabulary } from "../../labs/encoder-decoder/vocabulary.js";
import { blockIds, staveOf, type BlockId } from "./places.js";
import type { MapWords } from "./words.js";

export type ModelConfig = ConfigOf<"encoder-decoder">;

/** What a block is; its name and its sentence follow from it. */
export type Kind =
  "words" | "places" | "input" | "self" | "masked" | "cross" | "sum" | "network" | "memory" | "next";

interface BlockRow {
  kind: Kind;
  node: string;
  symbol: Symbol;
  /** The lab that it opens. */
  lab: LabId;
}

const attention = (sub: string): Symbol => ({ text: "A", sub });
const sum = (sub: string): Symbol => ({ text: "X", sub });

export const blocks: { readonly [B in BlockId]: BlockRow } = {
  "encoder.words": { kind: "words", node: "source.embedding", symbol: { text: "E" }, lab: "words" },
  "encoder.places": {
    kind: "places",
    node: "source.positional_encoding",
    symbol: { text: "P" },
    lab: "positions",
  },
  "encoder.input": { kind: "input", node: "source.embedded", symbol: { text: "X" }, lab: "positions" },
  "encoder.self": {
    kind: "self",
    node: "encoder.self_attn.weights",
    symbol: attention("E"),
    lab: "attention",
  },
  "encoder.sum1": { kind: "sum", node: "encoder.norm1", symbol: sum("1"), lab: "block" },
  "encoder.network": { kind: "network", node: "encoder.activation", symbol: { text: "F" }, lab: "block" },
  "encoder.sum2": { kind: "sum", node: "encoder.norm2", symbol: sum("2"), lab: "block" },
  "encoder.memory": { kind: "memory", node: "memory", symbol: { text: "M" }, lab: "encoder-decoder" },
  "decoder.words": { kind: "words", node: "target.embedding", symbol: { text: "E" }, lab: "words" },
  "decoder.places": {
    kind: "places",
    node: "target.positional_encoding",
    symbol: { text: "P" },
    lab: "positions",
  },
  "decoder.input": { kind: "input", node: "target.embedded", symbol: { text: "Y" }, lab: "positions" },
  "decoder.self": {
    kind: "masked",
    node: "decoder.self_attn.weights",
    symbol: attention("D"),
    lab: "multi-head",
  },
  "decoder.sum1": { kind: "sum", node: "decoder.norm1", symbol: sum("1"), lab: "block" },
  "decoder.cross": {
    kind: "cross",
    node: "decoder.multihead_attn.weights",
    symbol: attention("C"),
    lab: "encoder-decoder",
  },
  "decoder.sum2": { kind: "sum", node: "decoder.norm2", symbol: sum("2"), lab: "block" },
  "decoder.network": { kind: "network", node: "decoder.activation", symbol: { text: "F" }, lab: "block" },
  "decoder.sum3": { kind: "sum", node: "decoder.norm3", symbol: sum("3"), lab: "block" },
  "decoder.next": { kind: "next", node: "next", symbol: { text: "P" }, lab: "losses" },
};

/** The two scales of the map, with their fills. */
export const families: ReadonlyMap<string, Fill> = new Map([
  ["activations", "activation"],
  ["weights", "probability"],
]);

/** The blocks whose numbers are weights: one matrix for each head. */
export const attentions: readonly Kind[] = ["self", "masked", "cross"];

export const blockOfNode = (node: string): BlockId | undefined =>
  blockIds.find((id) => blocks[id].node === node);

/** The cells of the masked attention that are hidden: those that its mask, a tensor of the model, does not allow. */
function hiddenBy(mask: Snapshots extends ReadonlyMap<string, infer S> ? S | undefined : never): boolean[][] {
  const [rows = 0, columns = 0] = mask?.shape ?? [];
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => mask?.data[row * columns + column] === 0),
  );
}

/** The matrices of a block: of an attention one for each head. None before its numbers are computed. */
export function tensorsOf(id: BlockId, snapshots: Snapshots, strings: MapWords): Tensor[] {
  const { kind, node, symbol } = blocks[id];
  const snapshot = snapshots.get(node);
  if (!snapshot) return [];
  const [rows = 0, columns = 0] = snapshot.shape.slice(-2);
  const common = { node, symbol, letters: "", step: 0, rows, columns };
  if (!attentions.includes(kind)) {
    const isNext = kind === "next";
    return [
      {
        ...common,
        name: strings(`name.${kind}`),
        role: isNext ? "output" : "activation",
        fill: isNext ? "probability" : "activation",
        family: isNext ? "weights" : "activations",
      },
    ];
  }
  const masked = kind === "masked" ? hiddenBy(snapshots.get("decoder.self_attn.causal")) : undefined;
  return Array.from({ length: snapshot.shape[0] ?? 0 }, (_, head) => ({
    ...common,
    at: [head, null, null],
    symbol: { text: symbol.text, sub: `${symbol.sub}${head}` },
    name: strings("name.head", { n: head }),
    role: "attention",
    fill: "probability",
    family: "weights",
    ...(masked ? { masked } : {}),
  }));
}

/** The numbers of rows and columns of a block, which follow from the settings; the columns of activations are not counted. */
export function sizeOf(id: BlockId, { numbers }: ModelConfig): { rows: number; keys: number } {
  const [source, target] = [numbers.tokens.length, numbers.steps];
  const rows = staveOf(id) === "encoder" ? source : target;
  const { kind } = blocks[id];
  return { rows, keys: kind === "cross" ? source : kind === "next" ? vocabulary.length : rows };
}
