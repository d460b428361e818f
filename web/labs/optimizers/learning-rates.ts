/** Learning rates over a schedule: Noam's ("Attention Is All You Need", section 5.3) and a cosine with a warm-up. */
import type { NumbersOf } from "../../config/config.js";
import type { Graph, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import { shownSteps } from "./shown-steps.js";

type Numbers = NumbersOf["optimizers"];

const one = (value: number): Tensor => ({ shape: [1, 1], data: Float64Array.of(value) });
const column = (values: readonly number[]): Tensor => ({
  shape: [values.length, 1],
  data: Float64Array.from(values),
});

/** The number of points of the curve. */
const POINTS = 160;

/** The steps of the curve, evenly along the schedule, with the end of the warm-up. */
function along({ warmup, length }: Numbers): number[] {
  const even = Array.from({ length: POINTS }, (_, at) =>
    Math.max(1, Math.round(((at + 1) * length) / POINTS)),
  );
  return [...new Set([1, ...even, Math.min(warmup, length)])].sort((a, b) => a - b);
}

/** min(d^-0.5 t w^-1.5, d^-0.5 t^-0.5). */
function noam(graph: Graph, { model, warmup }: Numbers, steps: readonly number[], after: string): void {
  const name = (node: string) => ({ name: `${node}${after}` });
  const t = graph.leaf(`t${after}`, column(steps));
  const w = graph.leaf(`w${after}`, one(warmup));
  const d = graph.leaf(`d${after}`, one(model));
  const rootD = graph.sqrt(d, name("root_d"));
  const down = graph.multiply(graph.sqrt(t, name("root_t")), rootD, name("root_t_d"));
  const falling = graph.divide(one(1), down, name("falling"));
  const power = graph.multiply(w, graph.sqrt(w, name("root_w")), name("power_w"));
  const rising = graph.divide(t, graph.multiply(power, rootD, name("power_w_d")), name("rising"));
  graph.minimum(rising, falling, name("lr"));
}

/** peak t / w in the warm-up, then peak (1 + cos(pi (t - w) / rest)) / 2. */
function cosine(core: Core, graph: Graph, numbers: Numbers, steps: readonly number[], after: string): void {
  const { peak: lr, length } = numbers;
  const warmup = Math.min(numbers.warmup, length - 1);
  graph.leaf(`t${after}`, column(steps));
  // The first step has the number 0 in the core.
  const rates = steps.map((step) => core.cosineLr(step - 1, { lr, warmup, steps: length - warmup }));
  graph.leaf(`lr${after}`, column(rates));
}

/** Adds the shown steps as nodes `t` … `lr`, and the points of the curve as the same nodes with `_curve`. */
export function learningRates(core: Core, graph: Graph, numbers: Numbers): void {
  for (const [steps, after] of [
    [shownSteps(numbers), ""],
    [along(numbers), "_curve"],
  ] as const) {
    if (numbers.schedule === "noam") noam(graph, numbers, steps, after);
    else cosine(core, graph, numbers, steps, after);
  }
}
