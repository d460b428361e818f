/** Loss functions and comparisons of a graph. */
import { choice, finiteNumber, integer } from "../arguments.js";
import type { IdsOperand, Node, Operand } from "../node.js";
import { FLOATS, numbers, optional } from "../operations.js";
import type { Named } from "../options.js";
import { ArithmeticGraph } from "./arithmetic.js";
import type * as Options from "./options.js";

const REDUCTIONS = ["mean", "sum", "none"] as const;

export class LossesGraph extends ArithmeticGraph {
  /** -sum over k of weight[k] q[k] log_softmax(logits)[k], q the target after smoothing: class ids (...), or probabilities (..., K). */
  crossEntropy(
    logits: Operand,
    target: IdsOperand | Operand,
    given?: Options.CrossEntropyOptions<Operand> & Named,
  ): Node {
    const operation = "crossEntropy";
    const known = ["weight", "reduction", "ignoreIndex", "labelSmoothing", "spread"] as const;
    const {
      weight,
      reduction = "mean",
      ignoreIndex = -100,
      labelSmoothing = 0,
      spread = "all",
    } = this.settings(operation, given, known);
    const inputs = {
      logits: numbers(logits),
      target: { operand: target, allowed: ["int32", ...FLOATS] as const },
      weight: optional(weight),
    };
    const attributes = {
      reduction: choice(operation, "reduction", reduction, REDUCTIONS),
      ignoreIndex: integer(operation, "ignoreIndex", ignoreIndex),
      labelSmoothing: finiteNumber(operation, "labelSmoothing", labelSmoothing),
      spread: choice(operation, "spread", spread, ["all", "others"]),
    };
    return this.single(operation, inputs, attributes, given);
  }

  /** target (log(target) - input); input holds log-probabilities, target probabilities. */
  klDivergence(input: Operand, target: Operand, given?: Options.KlDivergenceOptions & Named): Node {
    const { reduction = "mean" } = this.settings("klDivergence", given, ["reduction"]);
    const attributes = {
      reduction: choice("klDivergence", "reduction", reduction, [...REDUCTIONS, "batchmean"]),
    };
    return this.single("klDivergence", { input: numbers(input), target: numbers(target) }, attributes, given);
  }

  /** (input - target)^2. */
  mseLoss(input: Operand, target: Operand, given?: Options.MseLossOptions & Named): Node {
    const { reduction = "mean" } = this.settings("mseLoss", given, ["reduction"]);
    const attributes = { reduction: choice("mseLoss", "reduction", reduction, REDUCTIONS) };
    return this.single("mseLoss", { input: numbers(input), target: numbers(target) }, attributes, given);
  }

  /** a . b / (|a| |b|) of the last axis, 0 with a row of zeros; leading axes broadcast. */
  cosineSimilarity(a: Operand, b: Operand, given?: Named): Node {
    this.settings("cosineSimilarity", given, []);
    return this.single("cosineSimilarity", { a: numbers(a), b: numbers(b) }, {}, given);
  }

  /** -sum over k of p[k] log p[k] of the last axis. */
  entropy(p: Operand, given?: Named): Node {
    this.settings("entropy", given, []);
    return this.single("entropy", { p: numbers(p) }, {}, given);
  }

  /** How many cells of x each bin holds: edges[i] <= x < edges[i + 1], the last with its upper edge. */
  histogram(x: Operand, edges: Operand, given?: Named): Node {
    this.settings("histogram", given, []);
    return this.single("histogram", { x: numbers(x), edges: numbers(edges) }, {}, given);
  }
}
