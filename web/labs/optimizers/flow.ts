/** The stage of the optimizers lab: charts of points, surfaces and rates over the matrices of one step. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import { mapHeight, type Chart, type Series } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { inOrder, pointsOf, valuesOf, walked, type Point } from "../../stage/series.js";
import { rateOf, running, settingText } from "./settings-text.js";
import { sayIn, type Key, type Say } from "./strings.js";
import { roles } from "./tensors.js";
import { windows } from "./windows.js";

type Numbers = NumbersOf["optimizers"];
type Of = (node: string) => Block;

/** The loss over the steps, of every optimizer that runs. */
function lossChart(numbers: Numbers, snapshots: Snapshots, say: Say): Chart {
  const several = running(numbers).length > 1;
  const series = running(numbers).flatMap((name) => {
    const node = `${name}.loss`;
    const look = several
      ? { role: roles[name], end: say(`optimizer.${name}`) }
      : { role: "activation" as const };
    return walked(`loss-${name}-`, node, inOrder(snapshots, node), numbers.step, (at) => [at], look);
  });
  const positive = series.every(({ points }) => points.every(([, y]) => y > 0 || !Number.isFinite(y)));
  return {
    id: "loss",
    title: say(numbers.topic === "line" ? "chart.loss" : "chart.height"),
    x: { label: say("axis.step"), domain: [0, numbers.steps] },
    y: { label: "", log: positive },
    series,
    step: 0,
  };
}

/** The points, the line as it is, and how far each point is from it. */
function fitChart(numbers: Numbers, snapshots: Snapshots, say: Say): Chart {
  const { points } = numbers;
  const predicted = Array.from(valuesOf(snapshots, "prediction"));
  const order = points.map((_, at) => at).sort((a, b) => points[a]![0]! - points[b]![0]!);
  const at = (i: number): Point => [points[i]![0]!, predicted[i] ?? NaN];
  const ys = points.map((point) => point[1]!);
  return {
    id: "fit",
    title: say("chart.fit", { n: numbers.step }),
    x: { label: "x" },
    // As high as the points need, so that the line moves and not the axis.
    y: { label: "y", domain: [Math.min(0, ...ys), Math.max(0, ...ys)] },
    series: [
      ...points.map((point, i): Series => ({
        id: `residual-${i}`,
        role: "key",
        kind: "dashed",
        points: [[point[0]!, point[1]!], at(i)],
        cells: [0, 1].map(() => ({ node: "residual", index: [i, 0] })),
      })),
      {
        id: "line",
        role: "output",
        kind: "line",
        points: order.map(at),
        cells: order.map((i) => ({ node: "prediction", index: [i, 0] })),
      },
      ...points.map((point, i): Series => ({
        id: `point-${i}`,
        role: "value",
        kind: "line",
        points: [[point[0]!, point[1]!]],
        cells: [{ node: "y", index: [i, 0] }],
        dots: "large",
      })),
    ],
    step: 0,
  };
}

function mapChart(numbers: Numbers, snapshots: Snapshots, say: Say, of: Of): Chart {
  const { x, y, shade } = windows[numbers.surface];
  // The one that is explained lies on top.
  const order = [...running(numbers)].sort(
    (a, b) => Number(a === numbers.optimizer) - Number(b === numbers.optimizer),
  );
  return {
    id: "map",
    title: say("chart.map", { surface: say(`surface.${numbers.surface}`) }),
    x: { label: "x", domain: x },
    y: { label: "y", domain: y },
    series: order.flatMap((name) => {
      const node = `${name}.path`;
      const now = order.length > 1 ? say(`optimizer.${name}`) : "";
      const way = pointsOf(snapshots, node);
      return walked(`path-${name}-`, node, way, numbers.step, (at) => [at, 0], { role: roles[name], now });
    }),
    step: 0,
    under: of(shade === "log" ? "shade" : "map.loss"),
    equal: true,
  };
}

/** What the optimizer makes of the gradient, as one or two lines; the last ends in the new parameters. */
function updateLines(numbers: Numbers, of: Of, step: number): Line[] {
  // What is there before stands here again.
  const put = (node: string, id = `${node}-update`): Piece => ({ tensor: { ...of(node), step }, id });
  const line = (...pieces: Piece[]): Line => ({ pieces, steps: [step], least: 34 });
  const times = (factor: number): string => `×${settingText(factor)}`;
  const { momentum, alpha, beta1, beta2 } = numbers;
  const taken: Piece[] = [
    [times(rateOf(numbers))],
    put("step"),
    "",
    put("theta"),
    "−",
    put("step", "step-taken"),
    "=",
    put("next"),
  ];
  const toRoot = (): Piece[] => [["√, + ε"], put("root_eps")];
  const over = (divided: Piece, root: string): Line =>
    line(divided, [`÷ (√${root} + ε)`], put("direction"), ...taken);
  switch (numbers.optimizer) {
    case "sgd":
      return [line(put("gradient"), ...taken)];
    case "momentum":
      return [line(put("v_before"), [`${times(momentum)} + g`], put("v"), ...taken)];
    case "adagrad":
      return [
        line(put("G_before"), "+", put("square"), "=", put("G"), ...toRoot()),
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

function lineFlow(numbers: Numbers, snapshots: Snapshots, say: Say, of: Of): Line[] {
  return [
    {
      steps: [0, 1],
      pieces: [
        of("A"),
        { tensor: of("prediction"), above: of("theta_T") },
        "−",
        of("y"),
        "=",
        of("residual"),
        ["2r · X"],
        of("pull"),
        [say("op.mean")],
        of("gradient"),
        { chart: fitChart(numbers, snapshots, say), least: 210 },
      ],
    },
    ...updateLines(numbers, of, 2),
  ];
}

/** A column of the curve beside its steps. */
function curveOf(snapshots: Snapshots, node: string): Point[] {
  const t = valuesOf(snapshots, "t_curve");
  return inOrder(snapshots, `${node}_curve`).map(([at, value]) => [t[at]!, value]);
}

function rateChart(numbers: Numbers, snapshots: Snapshots, say: Say): Chart {
  const noam = numbers.schedule === "noam";
  const lr = curveOf(snapshots, "lr");
  const top = 1.25 * Math.max(...lr.map(([, value]) => value));
  const last = noam ? 2 : 0;
  /** As far as it is on the chart. */
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
    title: say("chart.rate"),
    x: { label: say("axis.step"), domain: [0, numbers.length] },
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
        id: `told-${at}`,
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

function ratesFlow(numbers: Numbers, snapshots: Snapshots, say: Say, of: Of): Line[] {
  const noam = numbers.schedule === "noam";
  const steps = noam ? [0, 1, 2] : [0];
  const made: Piece[] = noam
    ? [["÷(w√w√d)"], of("rising"), of("root_t_d"), ["1÷√(td)"], of("falling"), ["min"]]
    : [["cos"]];
  return [
    { pieces: [{ chart: rateChart(numbers, snapshots, say) }], steps, height: 200, most: 300 },
    {
      rowNames: Array.from(valuesOf(snapshots, "t"), String),
      pieces: [of("t"), ...made, of("lr")],
      steps,
      least: 44,
    },
  ];
}

export function flow({ numbers }: ConfigOf<"optimizers">, snapshots: Snapshots, room: Room, of: Of): Flow {
  const say = sayIn(room.words);
  const { x, y, shade } = windows[numbers.surface];
  const others: Readonly<Record<string, Key>> = {
    slopes: numbers.topic === "line" ? "legend.slopes" : "name.gradient",
    direction: "name.direction",
    map: shade === "log" ? "name.shade" : "legend.map",
  };
  const legendOf = (family: string): string => {
    const key = others[family] ?? `legend.${family}`;
    return say.has(key) ? say(key) : "";
  };
  if (numbers.topic === "schedule") return { lines: ratesFlow(numbers, snapshots, say, of), legendOf };
  const aside = lossChart(numbers, snapshots, say);
  if (numbers.topic === "line") return { lines: lineFlow(numbers, snapshots, say, of), legendOf, aside };
  const map = (height: number): Line => ({
    pieces: [{ chart: mapChart(numbers, snapshots, say, of) }],
    steps: [0, 1],
    height,
    most: 400,
  });
  const updates = updateLines(numbers, of, 1);
  if (room.layout !== "wide") {
    // The map comes before the curve. On a phone it is as wide as the screen: a unit is as long up as across.
    const height = mapHeight((y[1] - y[0]) / (x[1] - x[0]), room.width);
    const curve = { pieces: [{ chart: aside }], steps: [0, 1], height: 150 };
    return { lines: [map(Math.min(height, 300)), curve, ...updates], legendOf };
  }
  // Under a warning, Adam's three lines leave the map less.
  return { lines: [map(room.height < 530 ? 138 : 166), ...updates], legendOf, aside };
}
