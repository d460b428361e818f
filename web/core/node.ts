/** A node of a graph in JavaScript: a handle without numbers, valid as long as its graph. */
import { refuse } from "./arguments.js";
import type { BooleanMask, DataType, FloatData, Ids, Tensor, TensorData } from "./tensor.js";

/** An operand of an operation: a node of its graph, or numbers that become an unnamed leaf. */
export type Operand = Node | Tensor<FloatData>;
export type IdsOperand = Node | Ids;
export type MaskOperand = Node | BooleanMask | Tensor<FloatData>;

/** The graph of a node, which holds its numbers. */
interface Owner {
  value(node: Node): Tensor<TensorData>;
}

/** A handle. Its numbers stay in the graph: `graph.value` copies them. */
export class Node {
  readonly #graph: Owner;
  /** Only of a boolean mask with its own fill: what masked scores become. */
  readonly fill?: number;

  /** @internal */
  constructor(
    graph: Owner,
    readonly id: number,
    readonly name: string,
    readonly shape: readonly number[],
    readonly op: string,
    /** The type of its numbers: a precision, ids or a boolean mask. */
    readonly dataType: DataType,
    fill?: number,
  ) {
    this.#graph = graph;
    if (fill !== undefined) this.fill = fill;
    Object.freeze(this.shape);
    Object.freeze(this);
  }

  /** @internal True only for objects made by this constructor, whatever their prototype is. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && #graph in value;
  }

  /** Whether `value` is a node of `graph`. Throws Error when it is a node of another one. */
  static isOf(graph: Owner, operation: string, argument: string, value: unknown): value is Node {
    if (!(value instanceof Node)) return false;
    if (value.#graph === graph) return true;
    return refuse(operation, argument, "a node of this graph", `${value.name} of another graph`);
  }

  /** @internal A copy of a node's numbers. */
  static valueOf(node: Node): Tensor<TensorData> {
    return node.#graph.value(node);
  }
}
