/** The graph of the whole core: it also explains gradients, counts costs and writes programs. */
import { choice, flag, integers, options, refuse, refuseExtraArguments } from "../arguments.js";
import type { CellBlock, Cost, Explanation, GradientExplanation, NodeDescription } from "../description.js";
import type { Node } from "../node.js";
import { gradientExplanationOf } from "./gradient-explanation.js";
import { visibleBlocks, visibleExplanation, visibleGradient, type Literal } from "./passed-over.js";
import type { TransformerModule } from "./wasm.js";
import { WordsGraph } from "./words.js";

/** Options of the Python program that computes the numbers of a graph. */
export interface ProgramOptions {
  language: "numpy" | "pytorch";
  /** The nodes that the program computes and compares with the graph's numbers. */
  nodes?: readonly (Node | string)[];
}

/** The graph of the whole library: every operation, and programs that compute what it computes. */
export class TransformerGraph extends WordsGraph {
  static {
    refuseExtraArguments(this);
  }

  /** @internal */
  declare protected readonly module: TransformerModule;

  /** The description of every node, with its floating-point operations and its number of parameters. */
  override describe(): (NodeDescription & Cost)[] {
    const costs = this.module.costs(this.handle("describe")) as Cost[];
    return super.describe().map((node, id) => ({ ...node, ...costs[id]! }));
  }

  /** The floating-point operations of one forward pass, and the number of parameters. */
  cost(): Cost {
    const costs = this.module.costs(this.handle("cost")) as Cost[];
    const sum = (of: keyof Cost) => costs.reduce((total, cost) => total + cost[of], 0);
    return { flops: sum("flops"), parameters: sum("parameters") };
  }

  /**
   * The number of steps that cannot run in parallel: on the longest path, the nodes that read the same parameter, each computed
   * from the one before. It is the number of positions in a recurrent layer, and 1 in attention and in a convolution.
   */
  sequentialSteps(): number {
    return this.module.sequentialSteps(this.handle("sequentialSteps"));
  }

  /**
   * Marks a node as an intermediate step, which only reshapes numbers or is not drawn; returns the node. `explain`, `explainGradient` and
   * `uses` skip marked nodes, as they skip those that a layer marks: they name the cells before or after them instead.
   */
  passOver(node: Node): Node {
    const { id } = this.own("passOver", node);
    this.module.passOver(this.handle("passOver"), id);
    this.#passedOver = null;
    return node;
  }

  override explain(node: Node | string, index: readonly number[], given?: { full?: boolean }): Explanation {
    const explanation = super.explain(node, index, given);
    return this.#passes()
      ? visibleExplanation(this.#literal, explanation, given?.full ?? false)
      : explanation;
  }

  override uses(node: Node | string, index: readonly number[]): CellBlock[] {
    const blocks = super.uses(node, index);
    return this.#passes() ? visibleBlocks(this.#literal, blocks) : blocks;
  }

  /** How the gradient of a cell is computed. Throws Error for a node without gradients, and when `backward` was not called before. */
  explainGradient(
    node: Node | string,
    index: readonly number[],
    given?: { full?: boolean },
  ): GradientExplanation {
    const operation = "explainGradient";
    const { full = false } = options(operation, given, ["full"]);
    const { id } = this.own(operation, node);
    const places = integers(operation, "index", index, { min: 0 });
    const explanation = this.#gradient(id, places, flag(operation, "full", full));
    return this.#passes() ? visibleGradient(this.#literal, explanation, full) : explanation;
  }

  /**
   * A Python program that computes `nodes`, and everything they depend on, with NumPy or PyTorch alone, and
   * compares its numbers with the graph's. When `nodes` is absent, it computes every node that no other node reads.
   */
  program(given: ProgramOptions): string {
    const { language, nodes } = options("program", given, ["language", "nodes"]);
    choice("program", "language", language, ["numpy", "pytorch"]);
    const handle = this.handle("program");
    if (nodes !== undefined && (!Array.isArray(nodes) || nodes.length === 0))
      return refuse("program", "nodes", "a list of at least one node", nodes);
    const ids = (nodes ?? []).map((node: Node | string) => this.own("program", node).id);
    return this.module.program(handle, language, ids);
  }

  /** The names of the marked nodes, and the size of the graph they were read from. */
  #passedOver: { size: number; names: ReadonlySet<string> } | null = null;

  #names(): ReadonlySet<string> {
    const size = this.size("explain");
    if (this.#passedOver?.size !== size) {
      const ids = this.module.passedOver(this.handle("explain"));
      this.#passedOver = { size, names: new Set(this.namesOf(ids as number[])) };
    }
    return this.#passedOver!.names;
  }

  #passes(): boolean {
    return this.#names().size > 0;
  }

  #gradient(id: number, index: number[], full: boolean): GradientExplanation {
    const names = (ids: readonly number[]) => this.namesOf(ids);
    return gradientExplanationOf(this.module, this.handle("explainGradient"), id, index, full, names);
  }

  readonly #literal: Literal = {
    explain: ({ node, index }, full) => super.explain(node, index, { full }),
    explainGradient: ({ node, index }, full) =>
      this.#gradient(this.own("explainGradient", node).id, [...index], full),
    uses: ({ node, index }) => super.uses(node, index),
    isPassedOver: (node) => this.#names().has(node),
  };
}
