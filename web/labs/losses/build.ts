/** The graph of the losses lab: targets with their losses and KL divergences, or dropout (section 5.4). */
import { ACTIVATIONS, type LossesNumbers } from "../../config/labs/losses.js";
import type { Graph, Node } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { typedLeaf, withRandom } from "../leaf.js";

/** The number of logits on the chart: from 2 below to 10 above the logit at which the right class has probability 1/2. */
export const SWEPT = 49;
const PER_UNIT = 4;
const BELOW = -2;

/** The probabilities of the right class that the chart marks on its second axis. */
export const MARKED = [0.25, 0.5, 0.75, 0.99, 0.999, 0.9999];

const numberLeaf = (graph: Graph, name: string, value: number): Node =>
  graph.leaf(name, { shape: [1], data: Float64Array.of(value) });

/** The smoothed targets of both rules: eps / K for every class, or eps / (K - 1) for every class but the right one. */
function smoothed(graph: Graph, oneHot: Node, numbers: LossesNumbers): { all: Node; others: Node } {
  const one = numberLeaf(graph, "one", 1);
  const epsilon = numberLeaf(graph, "epsilon", numbers.smoothing);
  const classes = numberLeaf(graph, "classes", numbers.classes.length);
  const keptShare = graph.multiply(oneHot, graph.subtract(one, epsilon, { name: "keep" }), { name: "kept" });
  const wrong = graph.subtract(one, oneHot, { name: "wrong" });
  const each = graph.divide(epsilon, classes, { name: "share_all" });
  const other = graph.divide(epsilon, graph.subtract(classes, one, { name: "wrong_classes" }), {
    name: "share_others",
  });
  return {
    all: graph.add(keptShare, each, { name: "y_all" }),
    others: graph.add(keptShare, graph.multiply(wrong, other, { name: "spread_others" }), {
      name: "y_others",
    }),
  };
}

/** The loss, entropy and KL divergence of one target, for each row and as means, and the gradient of the loss. */
function addLosses(
  graph: Graph,
  suffix: string,
  target: Node,
  { logits, logP, p, rows }: Record<"logits" | "logP" | "p" | "rows", Node>,
): void {
  const named = (name: string) => ({ name: `${name}${suffix}` });
  const mean = (x: Node, name: string) => graph.mean(x, { axis: 0, keepdim: true, ...named(name) });
  mean(graph.crossEntropy(logits, target, { reduction: "none", ...named("loss") }), "loss_mean");
  mean(graph.entropy(target, named("entropy")), "entropy_mean");
  const terms = graph.klDivergence(logP, target, { reduction: "none", ...named("kl_terms") });
  mean(graph.sum(terms, { axis: -1, ...named("kl") }), "kl_mean");
  graph.divide(graph.subtract(p, target, named("off")), rows, named("gradient"));
}

/** The logarithm of p / (1 - p): how far above `level` the logit of a class lies that has probability p. */
function logOdds(graph: Graph, p: Node, suffix: string): Node {
  const rest = graph.subtract(graph.node("one"), p, { name: `rest_share_${suffix}` });
  return graph.subtract(
    graph.log(p, { name: `log_share_${suffix}` }),
    graph.log(rest, { name: `log_rest_${suffix}` }),
    { name: `odds_${suffix}` },
  );
}

/** The loss of each row under the three targets, and the probability of its right class, at other logits of that class. */
function addChart(graph: Graph, logits: Node, oneHot: Node, numbers: LossesNumbers): void {
  const [rows, classes] = [numbers.targets.length, numbers.classes.length];
  const right = graph.leaf("right", {
    shape: [rows, classes],
    data: Uint8Array.from(
      numbers.targets.flatMap((target) => numbers.classes.map((_, at) => Number(at !== target))),
    ),
  });
  // The logit at which the right class has probability 1/2: the logarithm of the sum of the others' exponentials.
  const hidden = graph.mask(logits, right, { fill: -1e300, name: "without_target" });
  const first = Int32Array.from(numbers.targets, (target) => Number(target === 0));
  const picked = graph.oneHot(graph.leaf("other", { shape: [rows], data: first }), {
    numClasses: classes,
    name: "other_class",
  });
  const pick = (x: Node, name: string) =>
    graph.sum(graph.multiply(x, picked, { name: `${name}_cells` }), { axis: -1, keepdim: true, name });
  const level = graph.subtract(
    pick(logits, "other_logit"),
    pick(graph.logSoftmax(hidden, { name: "other_log_p" }), "other_log"),
    { name: "level" },
  );
  const steps = graph.add(
    graph.scale(graph.absoluteIndex({ length: SWEPT, dim: 1, name: "places" }), {
      divisor: PER_UNIT,
      name: "quarters",
    }),
    numberLeaf(graph, "below", BELOW),
    { name: "steps" },
  );
  const grid = graph.add(level, graph.reshape(steps, { shape: [1, SWEPT], name: "steps_row" }), {
    name: "swept",
  });
  const one = graph.node("one");
  const reshaped = (x: Node, shape: number[], name: string) => graph.reshape(x, { shape, name });
  const rest = graph.multiply(
    reshaped(logits, [rows, 1, classes], "logits_wide"),
    reshaped(graph.subtract(one, oneHot, { name: "not_target" }), [rows, 1, classes], "not_target_wide"),
    { name: "rest" },
  );
  const sweptLogits = graph.add(
    rest,
    graph.multiply(
      reshaped(grid, [rows, SWEPT, 1], "swept_wide"),
      reshaped(oneHot, [rows, 1, classes], "one_hot_wide"),
      { name: "moved" },
    ),
    { name: "swept_logits" },
  );
  const targetCells = graph.multiply(
    graph.softmax(sweptLogits, { name: "swept_probabilities" }),
    graph.node("one_hot_wide"),
    { name: "swept_p_cells" },
  );
  graph.sum(targetCells, { axis: -1, name: "swept_p" });
  const marked = graph.leaf("marked_p", { shape: [1, MARKED.length], data: Float64Array.from(MARKED) });
  graph.add(level, logOdds(graph, marked, "marked"), { name: "marked_logits" });
  const ids = graph.leaf("swept_targets", {
    shape: [rows, SWEPT],
    data: Int32Array.from(numbers.targets.flatMap((target) => new Array<number>(SWEPT).fill(target))),
  });
  const labelSmoothing = numbers.smoothing;
  graph.crossEntropy(sweptLogits, ids, { reduction: "none", name: "swept_loss" });
  graph.crossEntropy(sweptLogits, ids, { reduction: "none", labelSmoothing, name: "swept_loss_all" });
  graph.crossEntropy(sweptLogits, ids, {
    reduction: "none",
    labelSmoothing,
    spread: "others",
    name: "swept_loss_others",
  });
  const here = graph.leaf("best_targets", { shape: [rows, 1], data: Int32Array.from(numbers.targets) });
  // The present logit of the right class, and the logit of the least loss: p is the target at level + log(y / (1 - y)).
  graph.sum(graph.multiply(logits, oneHot, { name: "target_cells" }), { axis: -1, name: "target_logit" });
  for (const rule of ["all", "others"] as const) {
    const share = graph.sum(graph.multiply(graph.node(`y_${rule}`), oneHot, { name: `y_target_${rule}` }), {
      axis: -1,
      keepdim: true,
      name: `target_share_${rule}`,
    });
    const best = graph.add(level, logOdds(graph, share, rule), { name: `best_${rule}` });
    const at = graph.multiply(reshaped(best, [rows, 1, 1], `best_wide_${rule}`), graph.node("one_hot_wide"), {
      name: `best_cells_${rule}`,
    });
    graph.crossEntropy(graph.add(rest, at, { name: `best_logits_${rule}` }), here, {
      reduction: "none",
      labelSmoothing,
      spread: rule,
      name: `least_${rule}`,
    });
  }
}

function buildLosses(core: Core, graph: Graph, numbers: LossesNumbers): void {
  const [rows, classes] = [numbers.targets.length, numbers.classes.length];
  const logits = numbers.logits
    ? typedLeaf(graph, "logits", numbers.logits)
    : withRandom(core, graph, numbers.seed, (random) =>
        graph.draw("logits", random, "randn", { shape: [rows, classes] }),
      );
  const targets = graph.leaf("targets", { shape: [rows], data: Int32Array.from(numbers.targets) });
  const p = graph.softmax(logits, { name: "p" });
  const logP = graph.logSoftmax(logits, { name: "log_p" });
  graph.scale(logP, { factor: -1, name: "surprise" });
  const oneHot = graph.oneHot(targets, { numClasses: classes, name: "y" });
  const { all, others } = smoothed(graph, oneHot, numbers);
  const prediction = { logits, logP, p, rows: numberLeaf(graph, "rows", rows) };
  addLosses(graph, "", oneHot, prediction);
  addLosses(graph, "_all", all, prediction);
  addLosses(graph, "_others", others, prediction);
  addChart(graph, logits, oneHot, numbers);
  // The same means from the functions as users call them.
  const labelSmoothing = numbers.smoothing;
  graph.crossEntropy(logits, targets, { name: "cross_entropy" });
  graph.crossEntropy(logits, targets, { labelSmoothing, name: "cross_entropy_all" });
  graph.crossEntropy(logits, targets, { labelSmoothing, spread: "others", name: "cross_entropy_others" });
  graph.klDivergence(logP, all, { reduction: "batchmean", name: "kl_batchmean_all" });
  graph.klDivergence(logP, others, { reduction: "batchmean", name: "kl_batchmean_others" });
}

/** Several draws of dropout of the same activations, and the means of the first n draws with and without the division by 1 - p. */
function buildDropout(core: Core, graph: Graph, numbers: LossesNumbers): void {
  const { draws, seed, dropout: p } = numbers;
  const [x, u] = withRandom(core, graph, seed, (random) => [
    graph.draw("x", random, "randn", { shape: [ACTIVATIONS] }),
    graph.draw("u", random, "uniform", { shape: [draws, ACTIVATIONS] }),
  ]);
  const zeros = graph.leaf("zeros", { shape: [draws, 1], data: new Float64Array(draws) });
  const again = graph.add(zeros, x!, { name: "x_again" });
  const dropped = graph.dropout(again, { p, u: u!, name: "dropped" });
  // Row n has a one for each of the first n draws.
  const lower = Float64Array.from({ length: draws * draws }, (_, at) =>
    Number(at % draws <= Math.floor(at / draws)),
  );
  const first = graph.leaf("first", { shape: [draws, draws], data: lower });
  const counts = graph.sum(first, { axis: -1, keepdim: true, name: "counts" });
  const running = graph.divide(graph.matmul(first, dropped, { name: "totals" }), counts, { name: "running" });
  const keep = graph.subtract(numberLeaf(graph, "one", 1), numberLeaf(graph, "rate", p), { name: "keep" });
  graph.multiply(running, keep, { name: "unscaled" });
  graph.multiply(x!, keep, { name: "x_kept" });
  graph.mean(dropped, { axis: 0, name: "mean" });
}

export function build(core: Core, graph: Graph, numbers: LossesNumbers): void {
  if (numbers.topic === "dropout") buildDropout(core, graph, numbers);
  else buildLosses(core, graph, numbers);
}
