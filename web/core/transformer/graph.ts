/** A graph with everything: gradients explained, costs counted, programs written out. */
import { choice, flag, integers, options, refuse, makeExact } from "../arguments.js";
import type { Cost, GradientExplanation, NodeDescription } from "../description.js";
import type { Node } from "../node.js";
import { gradientExplanationOf } from "./gradient-explanation.js";
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

  /** How the gradient of a cell was made. Throws Error for a node that the last `backward` did not reach. */
  explainGradient(
    node: Node | string,
    index: readonly number[],
    given?: { full?: boolean },
  ): GradientExplanation {
    const operation = "explainGradient";
    const { full = false } = options(operation, given, ["full"]);
    const { id } = this.own(operation, node);
    const places = integers(operation, "index", index, { min: 0 });
    const names = (ids: readonly number[]) => this.namesOf(ids);
    const wholly = flag(operation, "full", full);
    return gradientExplanationOf(this.module, this.handle(operation), id, places, wholly, names);
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
}
