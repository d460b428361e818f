/** A graph with everything: gradients explained, costs counted, programs written out. */
import { choice, flag, integers, options, refuse, makeExact } from "../arguments.js";
import type { CellBlock, Cost, Explanation, GradientExplanation, NodeDescription } from "../description.js";
import type { Node } from "../node.js";
import { gradientExplanationOf } from "./gradient-explanation.js";
import { blocksSeen, explanationSeen, gradientSeen, type Literal } from "./passed-over.js";
import type { TransformerModule } from "./wasm.js";
import { WordsGraph } from "./words.js";

export interface ProgramOptions {
  language: "numpy" | "pytorch";
  /** What it computes, and compares with the graph's numbers. */
  nodes?: readonly (Node | string)[];
}

export class TransformerGraph extends WordsGraph {
  static {
    makeExact(this);
  }

  /** @internal */
  declare protected readonly module: TransformerModule;

  /** Every node, with its operations and parameters. */
  override describe(): (NodeDescription & Cost)[] {
    const costs = this.module.costs(this.handle("describe")) as Cost[];
    return super.describe().map((node, id) => ({ ...node, ...costs[id]! }));
  }

  /** The operations of one forward pass, and how many numbers are parameters. */
  cost(): Cost {
    const costs = this.module.costs(this.handle("cost")) as Cost[];
    const sum = (of: keyof Cost) => costs.reduce((total, cost) => total + cost[of], 0);
    return { flops: sum("flops"), parameters: sum("parameters") };
  }

  /**
   * How many steps must wait for one another: on the path where they are most, the nodes that read the same parameter, each computed
   * from the one before. As many as positions in a recurrent layer, 1 in attention and in a convolution.
   */
  sequentialSteps(): number {
    return this.module.sequentialSteps(this.handle("sequentialSteps"));
  }

  /**
   * Marks a node as a step in between, which only carries numbers or stands on no stage; gives it back. `explain`, `explainGradient` and
   * `uses` pass over such steps, as over those that a layer marks: they speak of what these were made from, or are made into.
   */
  passOver(node: Node): Node {
    const { id } = this.own("passOver", node);
    this.module.passOver(this.handle("passOver"), id);
    this.#passedOver = null;
    return node;
  }

  override explain(node: Node | string, index: readonly number[], given?: { full?: boolean }): Explanation {
    const explanation = super.explain(node, index, given);
    return this.#passes() ? explanationSeen(this.#literal, explanation, given?.full ?? false) : explanation;
  }

  override uses(node: Node | string, index: readonly number[]): CellBlock[] {
    const blocks = super.uses(node, index);
    return this.#passes() ? blocksSeen(this.#literal, blocks) : blocks;
  }

  /** How the gradient of a cell was made. Throws Error for a node that has none, and when no `backward` went before. */
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
    return this.#passes() ? gradientSeen(this.#literal, explanation, full) : explanation;
  }

  /**
   * A Python program that computes `nodes`, and what they depend on, with NumPy or PyTorch and nothing of ours, and
   * compares its numbers with the graph's; absent: every node that no other reads.
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

  /** What is passed over, and of how many nodes. */
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
