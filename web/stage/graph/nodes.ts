/** A graph as its stage reads it: who reads whom, which input an operation goes on from, and which nodes say nothing new. */
import type { Snapshot } from "../../marks/scene.js";

/** A node as `snapshot` gives it, with the attributes of `describe` where there are any. */
export interface GraphNode extends Readonly<Pick<Snapshot, "name" | "op" | "inputs" | "shape" | "data">> {
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Operations that compute nothing: they put numbers in another order, or take some of them. */
const rearrangements = new Set([
  "concat",
  "merge_heads",
  "patchify",
  "reshape",
  "slice",
  "split_heads",
  "transpose",
]);
/** Operations of a row operand from the left with columns from above. */
const products = new Set(["embedding", "linear", "matmul"]);
/** Operations whose inputs may change places. */
const commutative = new Set(["add", "multiply"]);
/** Inputs that are whole numbers: ids, classes, positions; and the 0 and 1 of a mask. */
const wholeInputs: Readonly<Record<string, number>> = {
  embedding: 0,
  one_hot: 0,
  sinusoidal: 0,
  cross_entropy: 1,
  mask: 1,
};

/** Things by what `keyOf` says of them, in their order. */
export function grouped<Thing, Key>(
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

/** The first word of a name, "emb" of "embedding". */
export function abbreviated(name: string): string {
  const [word = ""] = name.split("_");
  return word.length > 5 ? word.slice(0, 3) : word;
}

/** Rows as drawn: the last axis but one, whatever page is shown; of a vector one. */
export const rowsOf = ({ shape }: GraphNode): number => (shape.length < 2 ? 1 : shape.at(-2)!);
export const columnsOf = ({ shape }: GraphNode): number => shape.at(-1) ?? 1;

/** An unnamed reshape that shows the same rows and columns as what it is made from is passed through. */
const saysNothing = (node: GraphNode, source: GraphNode): boolean =>
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
      const inputs = node.inputs.map((name) => this.#behind(this.node(name)));
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

  /** Its place among all nodes: after those it is made from. */
  placeOf({ name }: GraphNode): number {
    return this.#order.get(name)!;
  }

  isPassedThrough(node: GraphNode): boolean {
    const [source] = node.inputs;
    return source !== undefined && saysNothing(node, this.node(source));
  }

  /** The node itself, or what it passes through. */
  #behind(node: GraphNode): GraphNode {
    return this.isPassedThrough(node) ? this.#behind(this.node(node.inputs[0]!)) : node;
  }

  /** What a node is made from, without what is passed through. */
  inputsOf(node: GraphNode): readonly GraphNode[] {
    return this.#inputs.get(node)!;
  }

  usersOf(node: GraphNode): readonly GraphNode[] {
    return this.#users.get(node) ?? [];
  }

  /**
   * The input that a line goes on from. Of two that are added or multiplied, that which was computed last; a leaf, or numbers in
   * another order, are joined to the other.
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

  /** Numbers in another order that are only ever a factor or an addend: they are drawn where they are used, and nowhere else. */
  isOperandOnly(node: GraphNode): boolean {
    const users = this.usersOf(node);
    return (
      isRearrangement(node) &&
      users.length > 0 &&
      users.every((user) => user.op !== "concat" && this.principalOf(user) !== node)
    );
  }

  /** Whether its numbers are ids, classes, positions or a mask, which stand on no scale. */
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

  /** How a node is read, through what only puts its numbers in another order: an operation, and the place among its inputs. */
  *readingsOf(node: GraphNode): Generator<{ op: string; place: number }> {
    for (const user of this.usersOf(node)) {
      if (isRearrangement(user) && user.op !== "concat" && this.isOperandOnly(user))
        yield* this.readingsOf(user);
      else yield { op: user.op, place: this.inputsOf(user).indexOf(node) };
    }
  }
}
