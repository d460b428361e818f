/** What the core says of its nodes, as plain data: descriptions, snapshots, explanations. */
import type { Explanation, NodeDescription, Origin, Snapshot } from "./description.js";
import type { DataType } from "./tensor.js";
import type { WasmGraph } from "./wasm.js";

/** A node as the core describes it; nodes are their numbers. */
export interface Described {
  name: string;
  op: string;
  inputs: number[];
  shape: number[];
  attributes: Record<string, unknown>;
  origin: Record<string, unknown>;
}

interface Explained {
  rows: {
    role: string;
    operands: { input: number; index: number[]; value: number; rootOf?: number }[];
    rest?: { count: number; value?: number };
    value?: number;
  }[];
  sources: { input: number; from: number[]; to: number[] }[];
  /** The settings of the op, or the origin of a leaf. */
  attributes: Record<string, unknown>;
}

/** The names of nodes. */
type Names = (ids: readonly number[]) => string[];

export function described(wasm: WasmGraph, id: number): Described {
  return wasm.describe(id) as Described;
}

export function descriptionOf(
  wasm: WasmGraph,
  id: number,
  dataType: DataType,
  names: Names,
): NodeDescription {
  const { name, op, inputs, shape, attributes, origin } = described(wasm, id);
  const description = { name, op, inputs: names(inputs), shape, dataType, attributes };
  return op === "leaf" ? { ...description, origin: origin as unknown as Origin } : description;
}

export function snapshotOf(wasm: WasmGraph, id: number, names: Names): Snapshot {
  const { name, op, inputs, shape } = described(wasm, id);
  const data = Float64Array.from(wasm.value(id));
  return { name, op, inputs: names(inputs), shape, data, edited: wasm.edited(id) as number[][] };
}

export function explanationOf(
  wasm: WasmGraph,
  id: number,
  index: number[],
  full: boolean,
  names: Names,
): Explanation {
  const { name, op, inputs } = described(wasm, id);
  const { rows, sources, attributes } = wasm.explain(id, index, full) as Explained;
  const inputNames = names(inputs);
  // A number that stands in no tensor has no input.
  const nodeOf = (input: number): string => inputNames[input] ?? "";
  return {
    node: name,
    op,
    index,
    value: rows.at(-1)!.value!,
    rows: rows.map(({ operands, ...row }) => ({
      ...row,
      operands: operands.map(({ input, ...operand }) => ({ node: nodeOf(input), ...operand })),
    })),
    sources: sources.map(({ input, ...region }) => ({ node: nodeOf(input), ...region })),
    attributes,
  };
}
