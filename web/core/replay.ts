/** Replays a graph: writes numbers into its leaves and reads its nodes in place, with as little work as possible. */
import { refuse, withArticle } from "./arguments.js";
import type { Node } from "./node.js";
import {
  checkIds,
  checkShapeOf,
  checkTensor,
  type FloatData,
  type Precision,
  type Tensor,
  type TensorData,
} from "./tensor.js";
import type { WasmGraph, WasmModule } from "./wasm.js";

/** Numbers for the leaves of a graph, by their names. */
export type ReplayInputs = Readonly<Record<string, Tensor<TensorData>>>;

export interface ReplayOptions {
  /** Evaluates only the nodes that these depend on; absent: all. */
  for?: readonly (Node | string)[];
}

/** A view of the numbers of one node in the core's memory. */
export interface View {
  readonly shape: readonly number[];
  /**
   * The numbers themselves, not a copy. Only read them: the graph does not notice writes. Read `data` again after any other call
   * of the core. Throws Error when the graph was deleted.
   */
  readonly data: FloatData;
}

/** A leaf that replays write to. */
interface Place {
  node: Node;
  /** Its numbers in wasm memory. When the memory grows, all earlier views of it become empty. */
  memory: FloatData;
  /** The numbers it had before a replay. It gets them back when the replay is refused. */
  before: FloatData;
  /** Whether its numbers already count as typed. */
  isTyped: boolean;
}

/** @internal The views of node memory that a graph keeps, by node id. */
export class Memory {
  readonly #module: WasmModule;
  readonly #precision: Precision;
  readonly #address: number;
  readonly #values: (FloatData | undefined)[] = [];
  readonly #inputs = new Map<string, Place>();
  /** Whether a replay may have skipped nodes since the last replay of the whole graph; the core knows which. */
  #maySkip = false;

  constructor(module: WasmModule, wasm: WasmGraph, precision: Precision) {
    this.#module = module;
    this.#precision = precision;
    this.#address = wasm.address();
  }

  /** Throws Error for a node that the last replay skipped. */
  checkNotSkipped(operation: string, wasm: WasmGraph, id: number): void {
    if (this.#maySkip) wasm.checkNotSkipped(id, operation);
  }

  /** The current numbers of a node. */
  values(operation: string, wasm: WasmGraph, id: number): FloatData {
    this.checkNotSkipped(operation, wasm, id);
    const known = this.#values[id];
    if (known !== undefined && known.length > 0) return known;
    return (this.#values[id] = wasm.memory(id, false) as FloatData);
  }

  /**
   * Writes `inputs` into the leaves of these names, and evaluates again every node that depends on a leaf that was ever written; with
   * `targets` only those that these nodes depend on. When an input does not fit, nothing is written; when an operation refuses one, the
   * whole graph is evaluated with the previous numbers again.
   */
  replay(
    wasm: WasmGraph,
    inputs: ReplayInputs,
    nodeOf: (name: string) => Node,
    targets: readonly number[] | undefined,
  ): void {
    if (typeof inputs !== "object" || inputs === null)
      refuse("replay", "inputs", "tensors by the names of leaves", inputs);
    for (const name in inputs) {
      const place = this.#placeOf(wasm, name, nodeOf);
      this.#check(name, place, inputs[name]!);
      copy(place.memory, place.before);
    }
    try {
      for (const name in inputs) copy(inputs[name]!.data, this.#placeOf(wasm, name, nodeOf).memory);
      if (targets === undefined) this.#replayAll();
      else this.#replayFor(wasm, targets);
    } catch (error) {
      this.#takeBack(wasm, inputs, nodeOf);
      throw error;
    }
    for (const name in inputs) {
      const place = this.#inputs.get(name)!;
      if (place.isTyped) continue;
      wasm.markTyped(place.node.id);
      place.isTyped = true;
    }
  }

  /** Draws the numbers of every dropout anew. */
  redrawDropout(wasm: WasmGraph, step: number): void {
    wasm.redrawDropout(step);
    for (const place of this.#inputs.values()) place.isTyped = false; // such a leaf is drawn again
  }

  #replayAll(): void {
    this.#module._graph_replay(this.#address);
    this.#maySkip = false;
  }

  #replayFor(wasm: WasmGraph, targets: readonly number[]): void {
    this.#maySkip = true;
    wasm.replayFor(targets as number[]);
  }

  /** Forgets that a leaf counts as typed, because it was edited: the next replay that writes to it sets that again. */
  edited(name: string): void {
    this.#inputs.delete(name);
  }

  /** Forgets every node from number `size` on. */
  truncate(size: number): void {
    if (this.#values.length > size) this.#values.length = size;
    for (const [name, { node }] of this.#inputs) if (node.id >= size) this.#inputs.delete(name);
  }

  /** The leaf called `name`, with a valid view of its memory. */
  #placeOf(wasm: WasmGraph, name: string, nodeOf: (name: string) => Node): Place {
    let place = this.#inputs.get(name);
    if (place === undefined) {
      const node = nodeOf(name);
      if (node.op !== "leaf") refuse("replay", name, "a leaf", `a node computed by ${node.op}`);
      const memory = wasm.memory(node.id, true) as FloatData;
      place = { node, memory, before: memory.slice(), isTyped: false };
      this.#inputs.set(name, place);
    }
    if (place.memory.length === 0) place.memory = wasm.memory(place.node.id, true) as FloatData;
    return place;
  }

  /** Gives the leaves of a refused replay their previous numbers, and evaluates the graph with them. */
  #takeBack(wasm: WasmGraph, inputs: ReplayInputs, nodeOf: (name: string) => Node): void {
    for (const name in inputs) {
      const { memory, before } = this.#placeOf(wasm, name, nodeOf);
      copy(before, memory);
    }
    try {
      this.#replayAll();
    } catch {
      // This fails only when there is no memory left. The graph then stays stale, and says so in every later Error.
    }
  }

  #check(name: string, { node, memory }: Place, tensor: Tensor<TensorData>): void {
    // The usual case: everything fits, and checking it allocates no string.
    const { constructor, length } = memory;
    if (
      node.dataType === this.#precision &&
      length > 0 &&
      typeof tensor === "object" &&
      tensor !== null &&
      tensor.data?.constructor === constructor &&
      tensor.data.length === length &&
      sameShape(tensor.shape, node.shape)
    )
      return;
    checkTensor("replay", name, tensor, [node.dataType]);
    checkShapeOf("replay", name, tensor, node);
    if (node.dataType === "int32") checkIds("replay", name, tensor, this.#precision);
  }
}

function sameShape(a: unknown, b: readonly number[]): boolean {
  if (!Array.isArray(a) || a.length !== b.length) return false;
  for (let axis = 0; axis < b.length; axis++) if (a[axis] !== b[axis]) return false;
  return true;
}

/** For fewer numbers than this, a loop is faster than the engine's own copy. */
const FEW = 32;

/** Copies numbers. */
export function copy(from: TensorData, to: TensorData): void {
  if (from.length > FEW) return to.set(from);
  for (let i = 0; i < from.length; i++) to[i] = from[i]!;
}

const ARRAYS = { float64: Float64Array, float32: Float32Array, int32: Int32Array, bool: Uint8Array };

/** Throws Error unless `into` is an array with the type and length of `node`. */
export function checkInto(operation: string, node: Node, into: unknown): void {
  const { name } = ARRAYS[node.dataType];
  if (!(into instanceof ARRAYS[node.dataType]))
    refuse(operation, "into", `${withArticle(name)} for ${node.name}`, into);
  const cells = node.shape.reduce((product, size) => product * size, 1);
  if ((into as TensorData).length !== cells)
    throw new Error(
      `${operation}: into has ${(into as TensorData).length} numbers, expected ${cells} of ${node.name}`,
    );
}
