/** The stage of the optimizers lab: charts of points, surfaces and rates over the matrices of one step. */
import type { Block } from "../../stage/place.js";
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import { mapHeight, type Chart, type Series } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import { rateOf, settingText } from "./settings-text.js";
import { said } from "./strings.js";
import { names, roles, running } from "./tensors.js";
import { windows } from "./windows.js";

type Numbers = NumbersOf["optimizers"];
type Of = (node: string) => Block;

const valuesOf = (snapshots: Snapshots, node: string): ArrayLike<number> => snapshots.get(node)?.data ?? [];

/** Points of a node of two columns. */
function pairsOf(snapshots: Snapshots, node: string): [number, number][] {
  const data = valuesOf(snapshots, node);
  return Array.from({ length: data.length / 2 }, (_, at): [number, number] => [
    data[2 * at]!,
    data[2 * at + 1]!,
  ]);
}

/** A curve up to the step that is shown, what comes after it dashed, and the place itself. */
function walked(
  id: string,
  points: readonly [number, number][],
  step: number,
  node: string,
  place: (at: number) => number[],
  { role, end, now }: { role: Series["role"]; end?: string; now?: string },
): Series[] {
  const cells = points.map((_, at) => ({ node, index: place(at) }));
  const part = (
    name: string,
    from: number,
    to: number,
    kind: Series["kind"],
    more: Partial<Series> = {},
  ): Series => ({
    id: `${id}-${name}`,
    role,
    kind,
    points: points.slice(from, to),
    cells: cells.slice(from, to),
    ...more,
  });
  return [
    part("after", step, points.length, "dashed", end ? { label: end } : {}),
    part("before", 0, step + 1, "line"),
    part("now", step, step + 1, "line", { dots: "large", ...(now ? { label: now } : {}) }),
  ];
}

/** The loss over the steps, of every optimizer that runs. */
function lossChart(numbers: Numbers, snapshots: Snapshots, words: Words): Chart {
  const text = said(words);
  const several = running(numbers).length > 1;
  const series = running(numbers).flatMap((name) => {
    const loss = Array.from(valuesOf(snapshots, `${name}.loss`), (value, at): [number, number] => [
      at,
      value,
    ]);
    return walked(`loss-${name}`, loss, numbers.step, `${name}.loss`, (at) => [at], {
      role: several ? roles[name] : "activation",
      ...(several ? { end: text(`optimizer.${name}`) } : {}),
    });
  });
  const positive = series.every(({ points }) => points.every(([, y]) => y > 0 || !Number.isFinite(y)));
  return {
    id: "loss",
    title: text(numbers.topic === "line" ? "chart.loss" : "chart.height"),
    x: { label: text("axis.step"), domain: [0, numbers.steps] },
    y: { label: "", log: positive },
    series,
    step: 0,
  };
}

/** The points, the line as it is, and how far each point is from it. */
function fitChart(numbers: Numbers, snapshots: Snapshots, words: Words): Chart {
  const text = said(words);
  const { points } = numbers;
  const predicted = Array.from(valuesOf(snapshots, "prediction"));
  const order = points.map((_, at) => at).sort((a, b) => points[a]![0]! - points[b]![0]!);
  const at = (i: number): [number, number] => [points[i]![0]!, predicted[i] ?? NaN];
  const ys = points.map((point) => point[1]!);
  return {
    id: "fit",
    title: text("chart.fit", { n: numbers.step }),
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

function mapChart(numbers: Numbers, snapshots: Snapshots, words: Words, of: Of): Chart {
  const text = said(words);
  const { x, y, shade } = windows[numbers.surface];
  // The one that is explained lies on top.
  const order = [...running(numbers)].sort(
    (a, b) => Number(a === numbers.optimizer) - Number(b === numbers.optimizer),
  );
  return {
    id: "map",
    title: text("chart.map", { surface: text(`surface.${numbers.surface}`) }),
    x: { label: "x", domain: x },
    y: { label: "y", domain: y },
    series: order.flatMap((name) =>
      walked(
        `path-${name}`,
        pairsOf(snapshots, `${name}.path`),
        numbers.step,
        `${name}.path`,
        (at) => [at, 0],
        {
          role: roles[name],
          ...(order.length > 1 ? { now: text(`optimizer.${name}`) } : {}),
        },
      ),
    ),
    step: 0,
    under: of(shade === "log" ? "shade" : "map.loss"),
    equal: true,
  };
}

const sign = (text: string): Piece => ({ sign: text });

/** What the optimizer makes of the gradient, as one or two lines; the last ends in the new parameters. */
function updateLines(numbers: Numbers, of: Of, step: number): Line[] {
  const columnNames = names(numbers);
  const put = (node: string, id = `${node}-update`): Piece => {
    // What is there before stands here again.
    const tensor = { ...of(node), step };
    return { tensor, id, columnNames };
  };
  const to = (operator: string, name: string, under?: string): Piece => ({
    operator,
    name: under === undefined ? [name] : [name, under],
    step,
  });
  const line = (...pieces: Piece[]): Line => ({ pieces, steps: [step], least: 34 });
  const { momentum, alpha, beta1, beta2 } = numbers;
  const taken: Piece[] = [
    to("step", `×${settingText(rateOf(numbers))}`),
    put("step"),
    sign(""),
    put("theta"),
    sign("−"),
    put("step", "step-taken"),
    sign("="),
    put("next"),
  ];
  switch (numbers.optimizer) {
    case "sgd":
      return [line(put("gradient"), ...taken)];
    case "momentum":
      return [line(put("v_before"), to("v", `×${settingText(momentum)} + g`), put("v"), ...taken)];
    case "adagrad":
      return [
        line(
          put("G_before"),
          sign("+"),
          put("square"),
          sign("="),
          put("G"),
          to("root_eps", "√, + ε"),
          put("root_eps"),
        ),
        line(put("gradient"), to("direction", "÷ (√G + ε)"), put("direction"), ...taken),
      ];
    case "rmsprop":
      return [
        line(
          put("v_before"),
          to("v_kept", `×${settingText(alpha)}`),
          put("v_kept"),
          sign("+"),
          put("v_new"),
          sign("="),
          put("v"),
          to("root_eps", "√, + ε"),
          put("root_eps"),
        ),
        line(put("gradient"), to("direction", "÷ (√v + ε)"), put("direction"), ...taken),
      ];
    case "adam":
      return [
        line(
          put("m_before"),
          to("m", `×${settingText(beta1)}`, "+ (1−β₁) g"),
          put("m"),
          to("m_hat", "÷ (1−β₁ᵗ)"),
          put("m_hat"),
          sign(""),
          put("v_before"),
          to("v", `×${settingText(beta2)}`, "+ (1−β₂) g²"),
          put("v"),
          to("v_hat", "÷ (1−β₂ᵗ)"),
          put("v_hat"),
        ),
        line(put("m_hat", "m_hat-taken"), to("direction", "÷ (√v̂ + ε)"), put("direction"), ...taken),
      ];
  }
}

function lineFlow(numbers: Numbers, snapshots: Snapshots, words: Words, of: Of): Line[] {
  const text = said(words);
  const points = numbers.points.map((_, n) => text("point", { n }));
  return [
    {
      rowNames: points,
      steps: [0, 1],
      pieces: [
        { tensor: of("A"), columnNames: ["x", text("one")] },
        { tensor: of("prediction"), above: of("theta_T") },
        sign("−"),
        { tensor: of("y") },
        sign("="),
        { tensor: of("residual") },
        { operator: "pull", name: ["2r · X"], step: 1 },
        { tensor: of("pull"), columnNames: ["w", "b"] },
        { operator: "gradient", name: [text("op.mean")], step: 1 },
        { tensor: of("gradient"), columnNames: ["w", "b"] },
        { chart: fitChart(numbers, snapshots, words), least: 210 },
      ],
    },
    ...updateLines(numbers, of, 2),
  ];
}

/** A column of the curve beside its steps. */
function curveOf(snapshots: Snapshots, node: string): [number, number][] {
  const t = valuesOf(snapshots, "t_curve");
  return Array.from(valuesOf(snapshots, `${node}_curve`), (value, at): [number, number] => [t[at]!, value]);
}

function rateChart(numbers: Numbers, snapshots: Snapshots, words: Words): Chart {
  const text = said(words);
  const lr = curveOf(snapshots, "lr");
  const top = Math.max(...lr.map(([, value]) => value));
  const cells = (node: string) => lr.map((_, at) => ({ node: `${node}_curve`, index: [at, 0] }));
  const last = numbers.schedule === "noam" ? 2 : 0;
  const inside = (points: [number, number][]) => points.filter(([, value]) => value <= 1.25 * top);
  const whole: Series = {
    id: "lr",
    role: "output",
    kind: "line",
    points: lr,
    cells: cells("lr"),
    label: "η",
    step: last,
  };
  const halves =
    numbers.schedule === "noam"
      ? (["rising", "falling"] as const).map((node): Series => {
          const points = curveOf(snapshots, node);
          const kept = new Set(inside(points));
          return {
            id: node,
            role: node === "rising" ? "query" : "key",
            kind: "dashed",
            points: points.filter((point) => kept.has(point)),
            cells: cells(node).filter((_, at) => kept.has(points[at]!)),
            step: node === "rising" ? 0 : 1,
          };
        })
      : [];
  const rates = valuesOf(snapshots, "lr");
  const told = Array.from(valuesOf(snapshots, "t"), (t, at): Series => ({
    id: `told-${at}`,
    role: "output",
    kind: "line",
    dots: "large",
    points: [[t, rates[at]!]],
    cells: [{ node: "lr", index: [at, 0] }],
    step: last,
  }));
  return {
    id: "rate",
    title: text("chart.rate"),
    x: { label: text("axis.step"), domain: [0, numbers.length] },
    y: { label: "η", domain: [0, 1.25 * top] },
    series: [...halves, whole, ...told],
    step: 0,
  };
}

function ratesFlow(numbers: Numbers, snapshots: Snapshots, words: Words, of: Of): Line[] {
  const rows = Array.from(valuesOf(snapshots, "t"), String);
  const noam = numbers.schedule === "noam";
  const steps = noam ? [0, 1, 2] : [0];
  const pieces: Piece[] = noam
    ? [
        { tensor: of("t") },
        { operator: "rising", name: ["÷(w√w√d)"], step: 0 },
        { tensor: of("rising") },
        { tensor: of("root_t_d") },
        { operator: "falling", name: ["1÷√(td)"], step: 1 },
        { tensor: of("falling") },
        { operator: "lr", name: ["min"], step: 2 },
        { tensor: of("lr") },
      ]
    : [{ tensor: of("t") }, { operator: "lr", name: ["cos"], step: 0 }, { tensor: of("lr") }];
  return [
    { pieces: [{ chart: rateChart(numbers, snapshots, words) }], steps, height: 200, most: 300 },
    { rowNames: rows, pieces, steps, least: 44 },
  ];
}

export function flow({ numbers }: ConfigOf<"optimizers">, snapshots: Snapshots, room: Room, of: Of): Flow {
  const { words } = room;
  const text = said(words);
  const legendOf = (family: string): string => {
    switch (family) {
      case "values":
        return text("legend.values");
      case "slopes":
        return text(numbers.topic === "line" ? "legend.slopes" : "name.gradient");
      case "direction":
        return text("name.direction");
      case "memory":
        return text("legend.memory");
      case "map":
        return windows[numbers.surface].shade === "log" ? text("name.shade") : text("legend.map");
      case "rates":
        return text("legend.rates");
      case "steps":
        return text("legend.steps");
      default:
        return text("legend.parameters");
    }
  };
  if (numbers.topic === "schedule") return { lines: ratesFlow(numbers, snapshots, words, of), legendOf };
  const aside = lossChart(numbers, snapshots, words);
  if (numbers.topic === "line") return { lines: lineFlow(numbers, snapshots, words, of), legendOf, aside };
  const map = mapChart(numbers, snapshots, words, of);
  const updates = updateLines(numbers, of, 1);
  if (room.layout !== "wide") {
    // The map comes before the curve. On a phone it is as wide as the screen: a unit is as long up as across.
    const { x, y } = windows[numbers.surface];
    const height = mapHeight((y[1] - y[0]) / (x[1] - x[0]), room.width);
    return {
      lines: [
        { pieces: [{ chart: map }], steps: [0, 1], height: Math.min(height, 300), most: 400 },
        { pieces: [{ chart: aside }], steps: [0, 1], height: 150 },
        ...updates,
      ],
      legendOf,
    };
  }
  // Under a warning, Adam's three lines leave the map less.
  const least = room.height < 530 ? 138 : 166;
  return {
    lines: [{ pieces: [{ chart: map }], steps: [0, 1], height: least, most: 400 }, ...updates],
    legendOf,
    aside,
  };
}
