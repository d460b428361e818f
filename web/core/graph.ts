/** A graph: every step is kept as a named node and can be evaluated, edited, explained and differentiated. */
import {
  choice,
  DEFAULT_MAX_BYTES,
  flag,
  integer,
  integers,
  number,
  options,
  refuse,
  text,
  refuseExtraArguments,
} from "./arguments.js";
import { dispose } from "./disposable.js";
import type { CellBlock, Explanation, NodeDescription, Origin, Snapshot } from "./description.js";
import { Node } from "./node.js";
import { Leaves } from "./leaves.js";
import type { Attributes, Inputs } from "./operations.js";
import { checkInto, copy, Memory, type ReplayInputs, type ReplayOptions, type View } from "./replay.js";
import { readNode, descriptionOf, explanationOf, snapshotOf, usesOf } from "./reading.js";
import {
  checkIds,
  checkShapeOf,
  checkTensor,
  fitsSingle,
  idBounds,
  type DataType,
  type Precision,
  type Tensor,
  type TensorData,
} from "./tensor.js";
import type { WasmGraph, WasmModule } from "./wasm.js";

export interface GraphOptions {
  /** Absent: "float64". */
  precision?: Precision;
  /** Attention as its textbook steps, each a node; absent: one fused node with the same values. */
  observe?: boolean;
  /** The memory limit of values, gradients and scratch together, in bytes; absent: 512 MB. */
  maxBytes?: number;
}

export interface BackwardOptions {
  /** Adds to the gradients that earlier calls gave the parameters, also before replays. Throws Error when there are none. */
  accumulate?: boolean;
  /** Computes only the gradients of parameters and of the nodes on the way to them. */
  parametersOnly?: boolean;
}

/** The prefix of parameter names among the inputs of a layer. */
const STATE_DICT = "stateDict.";

/** Made by `core.graph()`. Whoever makes it ends it with `delete()` or `using`. */
export class Graph extends Leaves implements Disposable {
  static {
    refuseExtraArguments(this);
  }

  override readonly precision: Precision;
  readonly observe: boolean;
  readonly maxBytes: number;
  /** @internal */
  protected override readonly module: WasmModule;
  readonly #nodes = new Map<number, Node>();
  readonly #memory: Memory;
  #wasm: WasmGraph | null;

  /** @internal */
  constructor(module: WasmModule, given?: GraphOptions) {
    super();
    const {
      precision = "float64",
      observe = false,
      maxBytes = DEFAULT_MAX_BYTES,
    } = options("graph", given, ["precision", "observe", "maxBytes"]);
    this.precision = choice("graph", "precision", precision, ["float64", "float32"]);
    this.observe = flag("graph", "observe", observe);
    this.maxBytes = integer("graph", "maxBytes", maxBytes, { min: 0 });
    this.module = module;
    this.#wasm = module.createGraph(precision === "float32", observe, maxBytes)!;
    this.#memory = new Memory(module, this.#wasm, precision);
  }

  /** @internal True only for objects made by this constructor, whatever their prototype is. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && #wasm in value;
  }

  /** The node called `name`. Throws Error when there is none. */
  node(name: string): Node {
    return this.#named("node", name);
  }

  /** A copy of the numbers of a node, given itself or by name. */
  value(node: Node | string): Tensor<TensorData> {
    const { id, shape, dataType } = this.own("value", node);
    const wasm = this.#alive("value");
    this.#memory.checkNotSkipped("value", wasm, id);
    const data = wasm.value(id);
    const typed =
      dataType === "bool" ? Uint8Array.from(data) : dataType === "int32" ? Int32Array.from(data) : data;
    return { shape: [...shape], data: typed };
  }

  /** Copies the numbers of a node into `into`, an array of its length and type, and returns `into`. */
  read<Data extends TensorData>(node: Node | string, into: Data): Data {
    const own = this.own("read", node);
    checkInto("read", own, into);
    copy(this.#memory.values("read", this.#alive("read"), own.id), into);
    return into;
  }

  /** A view of a node's numbers, without a copy. Read `view.data` again after any other call: the memory may have moved. */
  view(node: Node | string): View {
    const { id, name, shape, dataType } = this.own("view", node);
    if (dataType !== this.precision)
      refuse("view", "node", `a node holding ${this.precision}`, `${name} holding ${dataType}`);
    const data = () => this.#memory.values("view", this.#alive("view"), id);
    return {
      shape,
      get data() {
        return data();
      },
    };
  }

  /**
   * Writes `inputs` into the leaves of these names, and evaluates again, in place, every node that depends on a leaf that was ever written:
   * the same steps on other numbers. A dropout drops the same cells again, unless `redrawDropout` came before. Written numbers count as
   * typed, not as edited. Gradients are dropped. With `for`, nodes that none of the given ones depends on are skipped: the graph is then
   * stale, and reading a skipped node is refused. Throws Error when an operation refuses the numbers: the leaves then get their previous
   * numbers back, and the whole graph is evaluated with them.
   */
  replay(inputs?: ReplayInputs, given?: ReplayOptions): void {
    const wasm = this.#alive("replay");
    const targets = given === undefined ? undefined : this.#targets(given);
    this.#memory.replay(wasm, inputs === undefined ? {} : inputs, this.#leafNamed, targets);
  }

  #targets(given: ReplayOptions): number[] | undefined {
    const { for: nodes } = options("replay", given, ["for"]);
    if (nodes === undefined) return undefined;
    if (!Array.isArray(nodes) || nodes.length === 0)
      return refuse("replay", "for", "a list of at least one node", nodes);
    return nodes.map((node: Node | string) => this.own("replay", node).id);
  }

  /**
   * Draws what every dropout of the graph drops anew, so that the next `replay` drops other cells: the uniform numbers of its leaf are
   * those of RandomState([seed, step]), of step 0 those of RandomState(seed), as when it was made. Edits of these leaves are dropped. The
   * graph is then stale.
   */
  redrawDropout(step: number): void {
    integer("redrawDropout", "step", step, { min: 0, max: 2 ** 32 - 1 });
    this.#memory.redrawDropout(this.#alive("redrawDropout"), step);
  }

  /** Replaces the numbers of a leaf; returns the names of the nodes that were evaluated again. */
  set(node: Node | string, tensor: Tensor<TensorData>): string[] {
    const own = this.own("set", node);
    checkTensor("set", "tensor", tensor, [own.dataType]);
    checkShapeOf("set", "tensor", tensor, own);
    if (own.dataType === "int32") checkIds("set", "tensor", tensor, this.precision);
    this.#memory.edited(own.name);
    return this.#names(this.#alive("set").set(own.id, tensor.data as Float64Array));
  }

  /** Replaces one number of a leaf; returns the names of the nodes that were evaluated again. */
  setCell(node: Node | string, index: readonly number[], value: number): string[] {
    const { id, name, dataType } = this.own("setCell", node);
    const places = integers("setCell", "index", index, { min: 0 });
    if (dataType === "bool") integer("setCell", "value", value, { min: 0, max: 1 });
    else if (dataType === "int32") integer("setCell", "value", value, idBounds(this.precision));
    else if (!fitsSingle(number("setCell", "value", value)) && dataType === "float32")
      refuse("setCell", "value", "a number that float32 holds", value);
    this.#memory.edited(name);
    return this.#names(this.#alive("setCell").setCell(id, places, value));
  }

  /** Undoes every edit of a leaf; returns the names of the nodes that were evaluated again. */
  reset(node: Node | string): string[] {
    const { id, name } = this.own("reset", node);
    this.#memory.edited(name);
    return this.#names(this.#alive("reset").reset(id));
  }

  /** Copies of the nodes called `names`, in that order; without `names`, copies of all nodes in the order they were made. */
  snapshot(names?: readonly string[]): Snapshot[] {
    const wasm = this.#alive("snapshot");
    if (names !== undefined && !Array.isArray(names)) refuse("snapshot", "names", "a list of names", names);
    const nodes = names ? names.map((name) => this.#named("snapshot", name)) : this.#all();
    for (const { id } of nodes) this.#memory.checkNotSkipped("snapshot", wasm, id);
    return nodes.map(({ id }) => snapshotOf(wasm, id, this.#names));
  }

  /**
   * Computes the gradient of sum(gradient * node) for every node it depends on; `gradient` is all ones when absent. Throws Error when
   * an optimizer's step has changed parameters since the graph was evaluated, or the last replay skipped the node: call `replay` first.
   */
  backward(node: Node | string, gradient?: Tensor, given?: BackwardOptions): void {
    const known = ["accumulate", "parametersOnly"] as const;
    const { accumulate = false, parametersOnly = false } = options("backward", given, known);
    flag("backward", "accumulate", accumulate);
    flag("backward", "parametersOnly", parametersOnly);
    const own = this.own("backward", node);
    if (gradient !== undefined) {
      checkTensor("backward", "gradient", gradient, [this.precision]);
      checkShapeOf("backward", "gradient", gradient, own);
    }
    // The core takes undefined as all ones.
    this.#alive("backward").backward(own.id, gradient?.data as Float64Array, parametersOnly, accumulate);
  }

  /**
   * A copy of the gradient that the last `backward` gave a node: 0 where it did not reach the node. Throws Error for ids and masks,
   * which have none, when `backward` was not called before, and for nodes that one for parameters only did not ask for.
   */
  gradient(node: Node | string): Tensor {
    const { id, shape } = this.own("gradient", node);
    return { shape: [...shape], data: this.#alive("gradient").gradient(id) };
  }

  /** The arithmetic of a cell. Long rows show some terms and the sum of the rest; with `full` they show up to 4096 terms. */
  explain(node: Node | string, index: readonly number[], given?: { full?: boolean }): Explanation {
    const { full = false } = options("explain", given, ["full"]);
    const { id } = this.own("explain", node);
    const places = integers("explain", "index", index, { min: 0 });
    return explanationOf(this.#alive("explain"), id, places, flag("explain", "full", full), this.#names);
  }

  /**
   * The cells that are computed directly from a cell, in the order of their nodes. Cells of one node that fill a block are one block.
   * It does not need `backward`.
   */
  uses(node: Node | string, index: readonly number[]): CellBlock[] {
    const { id } = this.own("uses", node);
    const places = integers("uses", "index", index, { min: 0 });
    return usesOf(this.#alive("uses"), id, places, this.#names);
  }

  /** The description of every node: enough to write the graph as a program. */
  describe(): NodeDescription[] {
    const wasm = this.#alive("describe");
    return this.#all().map(({ id }) => descriptionOf(wasm, id, this.#names));
  }

  /** The memory that values, gradients and edits take, in bytes. */
  get bytes(): number {
    return this.#alive("bytes").bytes();
  }

  /** Frees the graph and all its nodes. */
  delete(): void {
    this.#wasm?.delete();
    this.#wasm = null;
    this.#nodes.clear();
  }

  [dispose](): void {
    this.delete();
  }

  protected override apply(
    operation: string,
    inputs: Inputs,
    attributes: Attributes,
    name: string,
  ): Record<string, Node> {
    const wasm = this.#alive(operation);
    const size = wasm.size();
    try {
      const stateDict: Record<string, number> = {};
      const given: Record<string, unknown> = { ...attributes, stateDict };
      for (const [argument, input] of Object.entries(inputs)) {
        if (input === undefined) continue;
        const node = this.#input(operation, argument, input.operand, input.allowed);
        if (argument.startsWith(STATE_DICT)) stateDict[argument.slice(STATE_DICT.length)] = node.id;
        else given[argument.replace("parameters.", "")] = node.id;
        if (argument.endsWith("keyMask")) checkKeyMask(operation, argument, node);
        const [, of] = /^(\w+\.)?mask$/.exec(argument) ?? [];
        if (/^(\w+\.)?mask$/.test(argument)) Object.assign(given, maskAttributes(node, attributes, of ?? ""));
      }
      return this.#nodesOf(wasm.apply(operation, given, name)) as Record<string, Node>;
    } catch (error) {
      // A tensor among the operands may already have become a leaf.
      this.truncate(size);
      throw error;
    }
  }

  /** The number of nodes. */
  protected size(operation: string): number {
    return this.#alive(operation).size();
  }

  /** Removes every node from number `size` on. */
  protected truncate(size: number): void {
    this.#alive("truncate").truncate(size);
    for (const id of this.#nodes.keys()) if (id >= size) this.#nodes.delete(id);
    this.#memory.truncate(size);
  }

  /** @internal The wasm handle, for code that reads a graph in other ways than its methods. */
  handle(operation: string): WasmGraph {
    return this.#alive(operation);
  }

  /** @internal The names of nodes, by their ids. */
  protected namesOf(ids: readonly number[]): string[] {
    return this.#names(ids);
  }

  /** @internal The node of an id. */
  nodeOf(id: number): Node {
    return this.#node(id);
  }

  /** Replaces node ids by nodes, in lists and nested roles too. Typed arrays are left as they are. */
  #nodesOf(roles: unknown): unknown {
    if (typeof roles === "number") return this.#node(roles);
    if (Array.isArray(roles)) return roles.map((role) => this.#nodesOf(role));
    if (ArrayBuffer.isView(roles)) return roles;
    return Object.fromEntries(
      Object.entries(roles as object).map(([role, inside]) => [role, this.#nodesOf(inside)]),
    );
  }

  #input(operation: string, argument: string, operand: unknown, allowed: readonly DataType[]): Node {
    const types = allowed.filter(
      (type) => (type !== "float64" && type !== "float32") || type === this.precision,
    );
    if (Node.isOf(this, operation, argument, operand)) {
      if (types.includes(operand.dataType)) return operand;
      return refuse(
        operation,
        argument,
        `a node holding ${types.join(" or ")}`,
        `${operand.name} holding ${operand.dataType}`,
      );
    }
    return this.makeLeaf(operation, argument, "", operand as Tensor<TensorData>, types, { kind: "literal" });
  }

  protected override makeLeaf(
    operation: string,
    argument: string,
    name: string,
    tensor: Tensor<TensorData>,
    allowed: readonly DataType[],
    origin: Origin,
  ): Node {
    const wasm = this.#alive(operation);
    const dataType = checkTensor(operation, argument, tensor, allowed);
    if (dataType === "int32") checkIds(operation, argument, tensor, this.precision);
    const { fill } = tensor as { fill?: unknown };
    if (fill !== undefined) {
      if (dataType !== "bool")
        refuse(operation, `${argument}.fill`, "none, for only a boolean mask has one", fill);
      number(operation, `${argument}.fill`, fill);
    }
    const content = { dataType, fill };
    return this.#node(wasm.leaf(name, [...tensor.shape], tensor.data as Float64Array, origin, content));
  }

  protected override checkLeaf(operation: string, name: string, shape: number[]): void {
    this.#alive(operation).checkLeaf(name, shape);
  }

  #all(): Node[] {
    return Array.from({ length: this.#alive("graph").size() }, (_, id) => this.#node(id));
  }

  #node(id: number): Node {
    const known = this.#nodes.get(id);
    if (known) return known;
    const { name, op, shape, dataType, fill } = readNode(this.#alive("node"), id);
    const node = new Node(this, id, name, shape, op, dataType, fill);
    this.#nodes.set(id, node);
    return node;
  }

  /** Created once, so that a replay allocates nothing. */
  readonly #leafNamed = (name: string): Node => this.#named("replay", name);

  #named(operation: string, name: string): Node {
    return this.#node(this.#alive(operation).find(operation, text(operation, "name", name)));
  }

  readonly #names = (ids: readonly number[]): string[] => ids.map((id) => this.#node(id).name);

  /** A node of this graph, given as a node or by its name. Throws Error for another. */
  protected own(operation: string, node: Node | string): Node {
    this.#alive(operation);
    if (typeof node === "string") return this.#named(operation, node);
    if (Node.isOf(this, operation, "node", node)) return node;
    return refuse(operation, "node", "a node of this graph or its name", node);
  }

  #alive(operation: string): WasmGraph {
    if (this.#wasm === null) throw new Error(`${operation}: the graph was deleted`);
    return this.#wasm;
  }
}

/** Throws Error for a key mask with a finite fill: a key mask hides its keys completely. */
function checkKeyMask(operation: string, argument: string, { fill = -Infinity }: Node): void {
  if (fill !== -Infinity)
    refuse(operation, `${argument}.fill`, "-Infinity or none; a mask of another fill goes into mask", fill);
}

/** The attributes that a mask adds to an attention: whether it is boolean or added, and what masked scores become. */
function maskAttributes(mask: Node, attributes: Attributes, of: string): Attributes {
  return {
    [`${of}maskIsBoolean`]: mask.dataType === "bool",
    [`${of}fill`]: attributes[`${of}fill`] ?? mask.fill ?? -Infinity,
  };
}
