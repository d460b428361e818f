/** Reads descriptions, snapshots and explanations of nodes from the core, as plain data. */
import type {
  CellBlock,
  Explanation,
  ExplanationRegion,
  ExplanationRow,
  NodeDescription,
  Origin,
  Snapshot,
} from "./description.js";
import type { DataType } from "./tensor.js";
import type { WasmGraph } from "./wasm.js";

/** A node as the core describes it, with ids in place of nodes. */
export interface Described {
  name: string;
  op: string;
  inputs: number[];
  shape: number[];
  dataType: DataType;
  /** Only of a mask with its own fill: what masked scores become. */
  fill?: number;
  attributes: Record<string, unknown>;
  origin: Record<string, unknown>;
}

/** A row, and a block of cells, in which tensors are named by their place among a node's inputs. */
export interface ExplainedRow {
  role: string;
  operands: { input: number; index: number[]; value: number; rootOf?: number }[];
  rest?: { count: number; value?: number };
  value?: number;
  zeroWithinRounding?: true;
}

export interface Explained {
  rows: ExplainedRow[];
  sources: { input: number; from: number[]; to: number[] }[];
  /** The settings of the operation, or the origin of a leaf. */
  attributes: Record<string, unknown>;
  slips?: Record<string, number>;
}

/** The place that stands for the gradient of the node itself. */
const OUTPUT_GRADIENT = -2;

/** Looks up the names of nodes by their ids. */
export type Names = (ids: readonly number[]) => string[];

export function readNode(wasm: WasmGraph, id: number): Described {
  return wasm.describe(id) as Described;
}

export function descriptionOf(wasm: WasmGraph, id: number, names: Names): NodeDescription {
  const { name, op, inputs, shape, dataType, attributes, origin } = readNode(wasm, id);
  const description = { name, op, inputs: names(inputs), shape, dataType, attributes };
  return op === "leaf" ? { ...description, origin: origin as unknown as Origin } : description;
}

export function snapshotOf(wasm: WasmGraph, id: number, names: Names): Snapshot {
  const { name, op, inputs, shape } = readNode(wasm, id);
  const values = wasm.value(id);
  const data = values instanceof Float64Array ? values : Float64Array.from(values);
  return { name, op, inputs: names(inputs), shape, data, edited: wasm.edited(id) as number[][] };
}

/** Functions that replace places by the names of a node's inputs, in a row and in a block of cells. A number that is not a cell of a tensor has no name. */
export function convertersOf({ name, inputs }: Described, names: Names) {
  const inputNames = names(inputs);
  const place = (input: number) =>
    input === OUTPUT_GRADIENT ? { node: name, gradient: true as const } : { node: inputNames[input] ?? "" };
  return {
    row: ({ operands, ...row }: ExplainedRow): ExplanationRow => ({
      ...row,
      operands: operands.map(({ input, ...operand }) => ({ ...place(input), ...operand })),
    }),
    region: ({ input, from, to }: Explained["sources"][number]): ExplanationRegion => ({
      ...place(input),
      from,
      to,
    }),
  };
}

export function explanationOf(
  wasm: WasmGraph,
  id: number,
  index: number[],
  full: boolean,
  names: Names,
): Explanation {
  const node = readNode(wasm, id);
  const { rows, sources, ...rest } = wasm.explain(id, index, full) as Explained;
  const { row, region } = convertersOf(node, names);
  return {
    node: node.name,
    op: node.op,
    index,
    value: rows.at(-1)!.value!,
    rows: rows.map(row),
    sources: sources.map(region),
    ...rest,
  };
}

/** Merges the blocks of each node into the smallest block around them. */
export function blocksAround(blocks: readonly CellBlock[]): CellBlock[] {
  const nodes = new Map<string, CellBlock>();
  for (const { node, from, to } of blocks) {
    const known = nodes.get(node) ?? { node, from, to };
    nodes.set(node, {
      node,
      from: known.from.map((place, axis) => (from[axis]! < place ? from[axis]! : place)),
      to: known.to.map((place, axis) => (to[axis]! > place ? to[axis]! : place)),
    });
  }
  return [...nodes.values()];
}

export function usesOf(wasm: WasmGraph, id: number, index: number[], names: Names): CellBlock[] {
  const uses = wasm.uses(id, index) as { node: number; from: number[]; to: number[] }[];
  return uses.map(({ node, from, to }) => ({ node: names([node])[0]!, from, to }));
}
