/** A session that can train: a cell that a selector selects is explained as the number that it shows. */
import { GRADIENT, MOVE, SELECTED } from "../../config/selector.js";
import type { Explained } from "../messages.js";
import { plainExplanation } from "./plain-explanation.js";
import { TransformerSession } from "./transformer-session.js";

/** The ends of the names of what an optimizer makes of the gradient of a parameter. */
const IN_OPTIMIZER = [".m", ".v", ".momentum", MOVE];

export class TrainingSession extends TransformerSession {
  /** A selected number is explained as the cell of its tensor, or of the gradient of the loss by that, which the optimizer uses. */
  override explain(node: string, index: number[], full = false): Explained {
    const explained = super.explain(node, index, full);
    const uses = explained.uses.filter((use) => !use.node.startsWith(SELECTED));
    const [source] = explained.sources;
    if (node !== SELECTED || !source) return { ...explained, uses };
    const { node: name, from } = source;
    if (!name.endsWith(GRADIENT)) return { ...super.explain(name, from, full), node, index, uses: [] };
    const graph = this.gradientsFrom(this.graph("explain"), { node: "loss", index: [] });
    const explainGradient = (of: string, at: readonly number[]) => graph.explainGradient(of, at, { full });
    const of = name.slice(0, -GRADIENT.length);
    const names = new Set(graph.describe().map((one) => one.name));
    const taken = IN_OPTIMIZER.map((part) => of + part).filter((one) => names.has(one));
    return {
      ...plainExplanation(explainGradient(of, from), explainGradient),
      node,
      index,
      uses: taken.map((one) => this.usedIn({ node: one, from, to: from }, from)),
    };
  }
}
