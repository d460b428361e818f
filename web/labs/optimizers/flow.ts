/** The stage of the optimizers lab: charts of data, surfaces and rates, and the matrices of one step. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { hasBatches } from "../../config/labs/optimizers.js";
import { formatNote } from "../../marks/numbers.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import { mapHeight, type Chart, type Series } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { inOrder, pointsOf, valuesOf, curveUpTo, type Point } from "../../stage/series.js";
import { placeOf } from "./batches.js";
import { hasOwnRates, rateOf, runningOptimizers, settingText } from "./settings-text.js";
import { stringsIn, type Key, type Strings } from "./strings.js";
import { roles, batchRows } from "./tensors.js";
import { windows } from "./windows.js";

type Numbers = NumbersOf["optimizers"];
type Of = (node: string) => Block;

/** What the losses end at: the optimizer whose loss is lowest after all steps, or the loss of the only one that runs. */
function finding(numbers: Numbers, snapshots: Snapshots, strings: Strings): string {
  const what = strings(numbers.topic === "surface" ? "chart.height" : "chart.loss");
  const steps = strings(numbers.steps === 1 ? "steps.one" : "steps.many", { n: numbers.steps });
  const ends = runningOptimizers(numbers).map((name) => ({
    name,
    loss: valuesOf(snapshots, `${name}.loss`)[numbers.steps] ?? NaN,
  }));
  const [first, ...others] = ends.filter(({ loss }) => Number.isFinite(loss));
  // Beside the chart of the weights there is no room for it.
  if (!first || numbers.topic === "sparse") return what;
  if (ends.length === 1) return strings("chart.ends", { what, steps, loss: formatNote(first.loss) });
  const lowest = others.reduce((best, one) => (one.loss < best.loss ? one : best), first);
  return strings("chart.lowest", { what, steps, optimizer: strings(`optimizer.${lowest.name}`) });
}

/** The loss of every optimizer that runs, over the steps. */
function lossChart(numbers: Numbers, snapshots: Snapshots, strings: Strings): Chart {
  // Beside the chart of the weights, which has the names, the loss is too narrow for them.
  const several = runningOptimizers(numbers).length > 1;
  const named = several && numbers.topic !== "sparse";
  const series = runningOptimizers(numbers).flatMap((name) => {
    const node = `${name}.loss`;
    const look = {
      role: several ? roles[name] : ("activation" as const),
      ...(named && { end: strings(`optimizer.${name}`) }),
    };
    return curveUpTo(`loss-${name}-`, node, inOrder(snapshots, node), numbers.step, (at) => [at], look);
  });
  const positive = series.every(({ points }) => points.every(([, y]) => y > 0 || !Number.isFinite(y)));
  return {
    id: "loss",
    title: finding(numbers, snapshots, strings),
    x: { label: strings("axis.step"), domain: [0, numbers.steps] },
    y: { label: "", log: positive },
    series,
    step: 0,
  };
}

/** The points, the line of this step, and its distance from each point that the step sees. */
function fitChart(numbers: Numbers, snapshots: Snapshots, strings: Strings): Chart {
  const { points } = numbers;
  const batched = hasBatches(numbers);
  const seen = batchRows(numbers, snapshots);
  const node = batched ? "line" : "prediction";
  const predicted = Array.from(valuesOf(snapshots, node));
  const order = points.map((_, at) => at).sort((a, b) => points[a]![0]! - points[b]![0]!);
  const at = (i: number): Point => [points[i]![0]!, predicted[i] ?? NaN];
  const ys = points.map((point) => point[1]!);
  const dot = (i: number): Pick<Series, "id" | "kind" | "points" | "cells"> => ({
    id: `point-${i}`,
    kind: "line",
    points: [[points[i]![0]!, points[i]![1]!]],
    cells: [{ node: "y", index: [i, 0] }],
  });
  const { epoch } = placeOf(numbers, numbers.step);
  return {
    id: "fit",
    title: strings(batched ? "chart.fit.batches" : "chart.fit", { n: numbers.step, epoch: epoch + 1 }),
    x: { label: "x" },
    // The axis covers the points, not the line: so the line moves and the axis does not.
    y: { label: "y", domain: [Math.min(0, ...ys), Math.max(0, ...ys)] },
    series: [
      ...seen.map((i, row): Series => ({
        id: `residual-${i}`,
        role: "key",
        kind: "dashed",
        points: [[points[i]![0]!, points[i]![1]!], at(i)],
        cells: [0, 1].map(() => ({ node: "residual", index: [row, 0] })),
      })),
      {
        id: "line",
        role: "output",
        kind: "line",
        points: order.map(at),
        cells: order.map((i) => ({ node, index: [i, 0] })),
      },
      ...points.map((_, i): Series =>
        seen.includes(i)
          ? { ...dot(i), role: "value", dots: "large" }
          : { ...dot(i), role: "activation", dots: true },
      ),
    ],
    step: 0,
  };
}

/** The path of every optimizer over two weights. */
function weightsChart(numbers: Numbers, snapshots: Snapshots, strings: Strings): Chart {
  return {
    id: "weights",
    title: strings("chart.weights"),
    x: { label: "w₁" },
    y: { label: "w₂" },
    series: pathSeries(numbers, snapshots, strings, "end"),
    labelsAtEdge: true,
    step: 0,
  };
}

/** The path of every optimizer that runs, named at its end or at the current step; the one that is explained lies on top. */
function pathSeries(
  numbers: Numbers,
  snapshots: Snapshots,
  strings: Strings,
  named: "end" | "now",
): Series[] {
  const order = [...runningOptimizers(numbers)].sort(
    (a, b) => Number(a === numbers.optimizer) - Number(b === numbers.optimizer),
  );
  return order.flatMap((name) => {
    const node = `${name}.path`;
    const label = order.length > 1 ? strings(`optimizer.${name}`) : "";
    const path = pointsOf(snapshots, node);
    return curveUpTo(`path-${name}-`, node, path, numbers.step, (at) => [at, 0], {
      role: roles[name],
      [named]: label,
    });
  });
}

function mapChart(numbers: Numbers, snapshots: Snapshots, strings: Strings, of: Of): Chart {
  const { x, y, shade } = windows[numbers.surface];
  return {
    id: "map",
    title: strings("chart.map", { surface: strings(`surface.${numbers.surface}`) }),
    x: { label: "x", domain: x },
    y: { label: "y", domain: y },
    series: pathSeries(numbers, snapshots, strings, "now"),
    step: 0,
    under: of(shade === "log" ? "shade" : "map.loss"),
    equal: true,
  };
}

/** The update from the gradient to the new parameters, as one or two lines. */
function updateLines(numbers: Numbers, of: Of, step: number): Line[] {
  // A tensor of an earlier line is repeated here.
  const put = (node: string, id = `${node}-update`): Piece => ({ tensor: { ...of(node), step }, id });
  const line = (...pieces: Piece[]): Line => ({ pieces, steps: [step], least: 34 });
  const times = (factor: number): string => `×${settingText(factor)}`;
  const { momentum, alpha, beta1, beta2 } = numbers;
  // The parameters come first in the line that ends with the new ones.
  const last = (...pieces: Piece[]): Line =>
    line(put("theta"), "", ...pieces, [times(rateOf(numbers))], put("step"), ["θ − Δ"], put("next"));
  const toRoot = (): Piece[] => [["√, + ε"], put("root_eps")];
  const ownRates: Piece[] = hasOwnRates(numbers)
    ? [[`${settingText(rateOf(numbers))} ÷`], put("effective")]
    : [];
  const over = (divided: Piece, root: string): Line => last(divided, [`÷ (√${root} + ε)`], put("direction"));
  switch (numbers.optimizer) {
    case "sgd":
      return [last(put("gradient"))];
    case "momentum":
      return [last(put("v_before"), [`${times(momentum)} + g`], put("v"))];
    case "adagrad":
      return [
        line(put("G_before"), "+", put("square"), "=", put("G"), ...toRoot(), ...ownRates),
        over(put("gradient"), "G"),
      ];
    case "rmsprop":
      return [
        line(put("v_before"), [times(alpha)], put("v_kept"), "+", put("v_new"), "=", put("v"), ...toRoot()),
        over(put("gradient"), "v"),
      ];
    case "adam": {
      const mean = (m: string, beta: number, fresh: string, rest: string): Piece[] => [
        put(`${m}_before`),
        [times(beta), `+ ${fresh}`],
        put(m),
        [`÷ (${rest})`],
        put(`${m}_hat`),
      ];
      const means = [...mean("m", beta1, "(1−β₁) g", "1−β₁ᵗ"), "", ...mean("v", beta2, "(1−β₂) g²", "1−β₂ᵗ")];
      return [line(...means), over(put("m_hat", "m_hat-taken"), "v̂")];
    }
  }
}

/** The lines from the data to the gradient, with a chart. A batch has too few rows to stand beside a chart, so the chart stands above it. */
function gradientLines(numbers: Numbers, chart: Chart, strings: Strings, of: Of): Line[] {
  const batched = hasBatches(numbers);
  const pieces: Piece[] = [
    ...(batched ? [of("batch"), [strings("op.rows")] as const, of("batch.A")] : [of("A")]),
    { tensor: of("prediction"), above: of("theta_T") },
    "−",
    of(batched ? "batch.y" : "y"),
    "=",
    of("residual"),
    ["2r · X"],
    of("pull"),
    [strings("op.mean")],
    of("gradient"),
  ];
  const steps = [0, 1];
  if (batched)
    return [
      { pieces: [{ chart }], steps, height: 150, most: 220 },
      { pieces, steps },
    ];
  return [{ pieces: [...pieces, { chart, least: 210 }], steps }];
}

/** A column of the curve, by its steps. */
function curveOf(snapshots: Snapshots, node: string): Point[] {
  const t = valuesOf(snapshots, "t_curve");
  return inOrder(snapshots, `${node}_curve`).map(([at, value]) => [t[at]!, value]);
}

function rateChart(numbers: Numbers, snapshots: Snapshots, strings: Strings): Chart {
  const noam = numbers.schedule === "noam";
  const lr = curveOf(snapshots, "lr");
  const top = 1.25 * Math.max(...lr.map(([, value]) => value));
  const last = noam ? 2 : 0;
  /** The part of a curve that is inside the chart. */
  const curve = (node: string, look: Pick<Series, "role" | "kind" | "label" | "step">): Series => {
    const points = curveOf(snapshots, node).map((point, at) => ({ point, at }));
    const inside = points.filter(({ point: [, value] }) => value <= top);
    return {
      id: node,
      ...look,
      points: inside.map(({ point }) => point),
      cells: inside.map(({ at }) => ({ node: `${node}_curve`, index: [at, 0] })),
    };
  };
  const rates = valuesOf(snapshots, "lr");
  return {
    id: "rate",
    title: strings("chart.rate"),
    x: { label: strings("axis.step"), domain: [0, numbers.length] },
    y: { label: "η", domain: [0, top] },
    series: [
      ...(noam
        ? [
            curve("rising", { role: "query", kind: "dashed", step: 0 }),
            curve("falling", { role: "key", kind: "dashed", step: 1 }),
          ]
        : []),
      curve("lr", { role: "output", kind: "line", label: "η", step: last }),
      ...inOrder(snapshots, "t").map(([at, t]): Series => ({
        id: `step-${at}`,
        role: "output",
        kind: "line",
        dots: "large",
        points: [[t, rates[at]!]],
        cells: [{ node: "lr", index: [at, 0] }],
        step: last,
      })),
    ],
    step: 0,
  };
}

function ratesFlow(numbers: Numbers, snapshots: Snapshots, strings: Strings, of: Of): Line[] {
  const noam = numbers.schedule === "noam";
  const steps = noam ? [0, 1, 2] : [0];
  const made: Piece[] = noam
    ? [["÷(w√w√d)"], of("rising"), of("root_t_d"), ["1÷√(td)"], of("falling"), ["min"]]
    : [["cos"]];
  return [
    { pieces: [{ chart: rateChart(numbers, snapshots, strings) }], steps, height: 200, most: 300 },
    {
      rowNames: Array.from(valuesOf(snapshots, "t"), String),
      pieces: [of("t"), ...made, of("lr")],
      steps,
      least: 44,
    },
  ];
}

export function flow({ numbers }: ConfigOf<"optimizers">, snapshots: Snapshots, room: Room, of: Of): Flow {
  const strings = stringsIn(room.words);
  const { x, y, shade } = windows[numbers.surface];
  const others: Readonly<Record<string, Key>> = {
    slopes: numbers.topic === "surface" ? "name.gradient" : "legend.slopes",
    ...(numbers.topic === "sparse" && { values: "legend.samples" }),
    direction: "name.direction",
    map: shade === "log" ? "name.shade" : "legend.map",
  };
  const legendOf = (family: string): string => {
    const key = others[family] ?? `legend.${family}`;
    return strings.has(key) ? strings(key) : "";
  };
  if (numbers.topic === "schedule") return { lines: ratesFlow(numbers, snapshots, strings, of), legendOf };
  const loss = lossChart(numbers, snapshots, strings);
  if (numbers.topic !== "surface") {
    const [chart, aside] =
      numbers.topic === "line"
        ? [fitChart(numbers, snapshots, strings), loss]
        : [loss, weightsChart(numbers, snapshots, strings)];
    return {
      lines: [...gradientLines(numbers, chart, strings, of), ...updateLines(numbers, of, 2)],
      legendOf,
      aside,
    };
  }
  const map = (height: number): Line => ({
    pieces: [{ chart: mapChart(numbers, snapshots, strings, of) }],
    steps: [0, 1],
    height,
    most: 400,
  });
  const updates = updateLines(numbers, of, 1);
  if (room.layout !== "wide") {
    // The map comes before the curve. On a phone it is as wide as the screen, and a unit has the same length on both axes.
    const height = mapHeight((y[1] - y[0]) / (x[1] - x[0]), room.width);
    const curve = { pieces: [{ chart: loss }], steps: [0, 1], height: 150 };
    return { lines: [map(Math.min(height, 300)), curve, ...updates], legendOf };
  }
  // Under a warning, Adam's three lines leave less room for the map.
  return { lines: [map(room.height < 530 ? 138 : 166), ...updates], legendOf, aside: loss };
}
