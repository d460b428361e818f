/** A node of a graph, as JavaScript holds it: a light handle, valid as long as its graph. */
import { refuse } from "./arguments.js";
import type { BooleanMask, DataType, FloatData, Ids, Tensor } from "./tensor.js";

/** What an operation of a graph takes: one of its nodes, or numbers that become an unnamed leaf. */
export type Operand = Node | Tensor<FloatData>;
export type IdsOperand = Node | Ids;
export type MaskOperand = Node | BooleanMask | Tensor<FloatData>;

/** A handle. Its numbers stay in the graph: see `graph.value`. */
export class Node {
  readonly #graph: object;

  /** @internal */
  constructor(
    graph: object,
    readonly id: number,
    readonly name: string,
    readonly shape: readonly number[],
    readonly op: string,
    /** What it holds; a boolean mask and ids stay what they are. */
    readonly dataType: DataType,
    /** What a boolean mask puts where it is 0. */
    readonly fill?: number,
  ) {
    this.#graph = graph;
    Object.freeze(this.shape);
    Object.freeze(this);
  }

  /** Whether `value` is a node of `graph`. Throws Error when it is a node of another one. */
  static isOf(graph: object, operation: string, argument: string, value: unknown): value is Node {
    if (!(value instanceof Node)) return false;
    if (value.#graph === graph) return true;
    return refuse(operation, argument, "a node of this graph", `${value.name} of another graph`);
  }
}
