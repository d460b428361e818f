/** A graph as its stage needs it: which nodes read a node, which input is the principal one, and which nodes are passed over. */
import type { Snapshot } from "../../marks/scene.js";

/** A node as `snapshot` returns it, with the attributes from `describe` if there are any. */
export interface GraphNode extends Readonly<Pick<Snapshot, "name" | "op" | "inputs" | "shape" | "data">> {
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Operations that compute nothing: they reorder numbers or select some of them. */
const rearrangements = new Set([
  "concat",
  "merge_heads",
  "patchify",
  "reshape",
  "slice",
  "split_heads",
  "transpose",
]);
/** Operations of rows at the left with columns above. */
const products = new Set(["embedding", "linear", "matmul"]);
/** Operations whose inputs can be swapped. */
const commutative = new Set(["add", "multiply"]);
/** The inputs that are integers: ids, classes, positions, and the 0 and 1 of a mask. */
const wholeInputs: Readonly<Record<string, number>> = {
  embedding: 0,
  one_hot: 0,
  sinusoidal: 0,
  cross_entropy: 1,
  mask: 1,
};

/** Groups things by their key and keeps their order. */
export function groupBy<Thing, Key>(
  things: Iterable<Thing>,
  keyOf: (thing: Thing) => Key,
): Map<Key, Thing[]> {
  const groups = new Map<Key, Thing[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}

export const isUnnamed = (name: string): boolean => name.startsWith("#");
export const isRearrangement = ({ op }: GraphNode): boolean => rearrangements.has(op);
export const isProduct = ({ op }: GraphNode): boolean => products.has(op);

/** The last part of a name: "weight" of "norm1.weight". */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** The first word of a name, cut to three letters if it is long: "emb" for "embedding". */
export function abbreviate(name: string): string {
  const [word = ""] = name.split("_");
  return word.length > 5 ? word.slice(0, 3) : word;
}

/** The number of rows as drawn: the size of the last axis but one, whatever page is shown; 1 for a vector. */
export const rowsOf = ({ shape }: GraphNode): number => (shape.length < 2 ? 1 : shape.at(-2)!);
export const columnsOf = ({ shape }: GraphNode): number => shape.at(-1) ?? 1;

/** Whether a node is an unnamed reshape with the same rows and columns as its input. Such nodes are not drawn. */
const showsSameMatrix = (node: GraphNode, source: GraphNode): boolean =>
  node.op === "reshape" &&
  isUnnamed(node.name) &&
  rowsOf(node) === rowsOf(source) &&
  columnsOf(node) === columnsOf(source);

export class GraphNodes {
  readonly all: readonly GraphNode[];
  readonly #byName: ReadonlyMap<string, GraphNode>;
  readonly #order: ReadonlyMap<string, number>;
  readonly #inputs = new Map<GraphNode, readonly GraphNode[]>();
  readonly #users = new Map<GraphNode, GraphNode[]>();

  constructor(all: readonly GraphNode[]) {
    this.all = all;
    this.#byName = new Map(all.map((node) => [node.name, node]));
    this.#order = new Map(all.map(({ name }, at) => [name, at]));
    for (const node of all) {
      const inputs = node.inputs.map((name) => this.#withoutPassedThrough(this.node(name)));
      this.#inputs.set(node, inputs);
      if (this.isPassedThrough(node)) continue;
      for (const input of new Set(inputs)) {
        const users = this.#users.get(input);
        if (users) users.push(node);
        else this.#users.set(input, [node]);
      }
    }
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  node(name: string): GraphNode {
    const found = this.#byName.get(name);
    if (!found) throw new Error(`the graph has no node called ${name}`);
    return found;
  }

  /** The node's place in the order of the graph. */
  placeOf({ name }: GraphNode): number {
    return this.#order.get(name)!;
  }

  isPassedThrough(node: GraphNode): boolean {
    const [source] = node.inputs;
    return source !== undefined && showsSameMatrix(node, this.node(source));
  }

  /** The node itself, or the node that it passes through. */
  #withoutPassedThrough(node: GraphNode): GraphNode {
    return this.isPassedThrough(node) ? this.#withoutPassedThrough(this.node(node.inputs[0]!)) : node;
  }

  /** A node's inputs; nodes that are passed through are replaced by their own input. */
  inputsOf(node: GraphNode): readonly GraphNode[] {
    return this.#inputs.get(node)!;
  }

  usersOf(node: GraphNode): readonly GraphNode[] {
    return this.#users.get(node) ?? [];
  }

  /**
   * The input from which a line continues to this node. For a sum or an elementwise product it is the input computed last; a leaf
   * or a rearrangement is drawn as the other operand.
   */
  principalOf(node: GraphNode): GraphNode {
    const inputs = this.inputsOf(node);
    if (!commutative.has(node.op)) return inputs[0]!;
    const computed = inputs.filter((input) => input.op !== "leaf" && !isRearrangement(input));
    return (
      computed.reduce<GraphNode | null>(
        (last, input) => (last && this.placeOf(last) >= this.placeOf(input) ? last : input),
        null,
      ) ?? inputs[0]!
    );
  }

  /** Whether a node only rearranges numbers and is only ever a second operand. Such nodes are drawn only where they are used. */
  isOperandOnly(node: GraphNode): boolean {
    const users = this.usersOf(node);
    return (
      isRearrangement(node) &&
      users.length > 0 &&
      users.every((user) => user.op !== "concat" && this.principalOf(user) !== node)
    );
  }

  /** Whether its numbers are ids, classes, positions or a mask. Such numbers have no colour scale. */
  isWhole(node: GraphNode): boolean {
    const users = this.usersOf(node);
    return (
      node.op === "leaf" &&
      users.length > 0 &&
      users.every(
        (user) => wholeInputs[user.op] !== undefined && this.inputsOf(user)[wholeInputs[user.op]!] === node,
      )
    );
  }

  /** The operations that read a node, directly or through a rearrangement, and the node's place among their inputs. */
  *readingsOf(node: GraphNode): Generator<{ op: string; place: number }> {
    for (const user of this.usersOf(node)) {
      if (isRearrangement(user) && user.op !== "concat" && this.isOperandOnly(user))
        yield* this.readingsOf(user);
      else yield { op: user.op, place: this.inputsOf(user).indexOf(node) };
    }
  }
}
