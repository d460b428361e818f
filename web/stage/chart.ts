/** Draws a chart on a stage: axes with ticks, and lines through numbers of the core. */
import type { Rectangle } from "../marks/board.js";
import { textWidth } from "../marks/measure.js";
import { placeMarks, type Mark } from "./pen.js";
import { place, type Block } from "./place.js";
import { linearScale, linearTicks, logScale, logTicks, roundedScale, type Scale } from "../marks/scale.js";
import { HANDLE } from "../marks/rail.js";
import type { Curve, Label, Rail, Role, Scene } from "../marks/scene.js";

export interface Axis {
  label: string;
  /** The first and the last value. Absent: the smallest and the largest of the points. */
  domain?: readonly [number, number];
  /** Whether the axis is logarithmic. */
  log?: boolean;
  /** The values of the ticks. Absent: round numbers. */
  ticks?: readonly number[];
  /** Whether the axis is longer than its domain at both ends, so that no point stands on an edge. */
  air?: boolean;
}

export interface Series {
  id: string;
  role: Role;
  kind: Curve["kind"];
  points: readonly (readonly [number, number])[];
  /** The cells that the points stand for. */
  cells?: readonly { node: string; index: number[] }[];
  dots?: Curve["dots"];
  strong?: true;
  /** A label at the end of the line. */
  label?: string;
  /** The step of Play at which it appears. Absent: that of the chart. */
  step?: number;
}

export interface Chart {
  id: string;
  title: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
  /** The step of Play at which the axes appear: that of the first line. */
  step: number;
  /** A matrix that fills the plot under the lines, with its first row at the top. Both axes need a domain. */
  under?: Block;
  /** Whether a unit has the same length on both axes. Both axes need a domain. */
  equal?: true;
  /** Whether the plot is a map: lines cross it at ticks that are equally far apart on both axes, darker at 0, and its points have bold names. */
  grid?: true;
  /** Whether the labels of lines stand at the right edge, each with a leader to the end of its line, because the lines end anywhere. */
  labelsAtEdge?: true;
  /** The meanings of its dots and lines, beside the title. */
  marks?: readonly Mark[];
  /** A control that is dragged along the horizontal axis, whose domain is from its first to its last whole number. */
  slider?: { control: string; name: string; value: number; isSmall: boolean };
}

/** The room that a chart takes around its plot. */
export const CHART_ABOVE = 26;
export const CHART_BELOW = 42;
const LEFT = 46;
const RIGHT = 8;
const TICK = 5;
const AIR = 14;
/** The size that the width of a bold name is measured with. */
const BOLD_NAME = 13.5;

/** The scale from numbers to pixels; null if the chart has no finite point. */
function scaleOf(axis: Axis, values: readonly number[], range: [number, number]): Scale | null {
  const finite = values.filter((value) => Number.isFinite(value) && (!axis.log || value > 0));
  const [low, high] = axis.domain ?? [Math.min(...finite), Math.max(...finite)];
  if (!(low <= high)) return null;
  if (axis.log) return logScale([low, high > low ? high : low * 10], range);
  const ends = [low, high > low ? high : low + 1] as const;
  return axis.domain ? linearScale(ends, range) : roundedScale(ends, range);
}

/** The text of a tick: short, with a true minus sign. */
function tickText(value: number): string {
  const text =
    Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3)
      ? value.toExponential(0).replace("e+", "e")
      : String(Number(value.toPrecision(3)));
  return text.replaceAll("-", "−");
}

/** The values of the ticks: round numbers, as many as there is room for. */
function ticksOf(scale: Scale, axis: Axis, room: number): readonly number[] {
  if (axis.ticks) return axis.ticks;
  const count = Math.max(2, Math.floor(room));
  return (axis.log ? logTicks : linearTicks)(scale, count);
}

/** Moves names from their `wanted` heights so that none overlaps another and all stay between `top` and `bottom`, as long as there is room. */
export function spreadApart(wanted: readonly number[], top: number, bottom: number, line: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a]! - wanted[b]!);
  const placed = [...wanted];
  let free = top;
  for (const at of order) {
    placed[at] = Math.max(free, wanted[at]!);
    free = placed[at] + line;
  }
  let limit = bottom;
  for (const at of order.reverse()) {
    placed[at] = Math.min(limit, placed[at]!);
    limit = placed[at] - line;
  }
  return placed;
}

/** The multiples of the distance between two ticks of the horizontal axis that are in the vertical domain. */
function gridTicks(across: readonly number[], [low, high]: readonly number[]): number[] {
  const distance = (across[1] ?? 1) - (across[0] ?? 0);
  const first = Math.ceil(low! / distance);
  return Array.from({ length: Math.max(0, Math.floor(high! / distance) - first + 1) }, (_, at) =>
    Number(((first + at) * distance).toPrecision(12)),
  );
}

interface PointName {
  x: number;
  y: number;
  text: string;
  role: Role;
  step: number;
}

const overlaps = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const isInside = (a: Rectangle, b: Rectangle): boolean =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;

/** Small boxes along a line, which names must not touch. */
function boxesAlong(points: readonly { x: number; y: number }[]): Rectangle[] {
  return points.flatMap((to, at) => {
    const from = points[at - 1];
    if (!from) return [];
    const count = Math.ceil(Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y)) / 5);
    return Array.from({ length: count }, (_, i): Rectangle => ({
      x: from.x + ((to.x - from.x) * i) / count - 1,
      y: from.y + ((to.y - from.y) * i) / count - 1,
      width: 2,
      height: 2,
    }));
  });
}

/** A possible place of a name: its baseline and its left edge. */
interface Side {
  anchor: "start" | "middle" | "end";
  x: number;
  y: number;
  left: number;
}

/** The possible places of a name at a point: those beside it, and those farther away, which need a line to the point and are used in a crowd. */
function sidesOf({ x, y }: PointName, width: number): { beside: Side[]; away: Side[] } {
  const starts = { start: 0, middle: -width / 2, end: -width };
  const at = (anchor: Side["anchor"], across: number, down: number): Side => ({
    anchor,
    x: x + across,
    y: y + down,
    left: x + across + starts[anchor],
  });
  const both = (across: number, down: number) => [at("start", across, down), at("end", -across, down)];
  return {
    beside: [
      ...both(8, 4),
      at("middle", 0, -9),
      at("middle", 0, 18),
      at("start", 6, -7),
      at("start", 6, 16),
      at("end", -6, -7),
      at("end", -6, 16),
    ],
    away: [26, 42, 58, 74].flatMap((far) => [4, 4 - far, 4 + far].flatMap((down) => both(far, down))),
  };
}

/**
 * Places the names of points: beside the point where the name touches no other name, point or line; in a crowd farther away, with
 * a line to the point.
 */
function placeNames(
  points: readonly PointName[],
  lines: readonly Rectangle[],
  plot: Rectangle,
  size?: number,
): (PointName & Pick<Side, "anchor"> & { leader?: [number, number][] })[] {
  const dots = [
    ...lines,
    ...points.map(({ x, y }): Rectangle => ({ x: x - 4, y: y - 4, width: 8, height: 8 })),
  ];
  const taken: Rectangle[] = [];
  return points.map((point) => {
    const width = textWidth(point.text, size);
    const boxOf = ({ left, y }: Side): Rectangle => ({ x: left, y: y - 10, width, height: 13 });
    const free = (sides: readonly Side[]): Side[] =>
      sides.filter(
        (side) => isInside(boxOf(side), plot) && !taken.some((other) => overlaps(boxOf(side), other)),
      );
    const clear = (sides: readonly Side[]): Side | undefined =>
      sides.find((side) => !dots.some((dot) => overlaps(boxOf(side), dot)));
    const { beside, away } = sidesOf(point, width);
    const [near, distant] = [free(beside), free(away)];
    const side = clear(near) ?? clear(distant) ?? near[0] ?? distant[0] ?? beside[0]!;
    const far = !beside.includes(side);
    taken.push(boxOf(side));
    const { anchor, x, y } = side;
    const name = { ...point, anchor, x, y };
    if (!far) return name;
    return {
      ...name,
      leader: [
        [point.x, point.y],
        [x + (anchor === "start" ? -3 : 3), y - 4],
      ],
    };
  });
}

interface Plot {
  chart: Chart;
  width: number;
  height: number;
}

/**
 * The chart and the size of its plot within the room. If a unit has the same length on both axes, a plot with a matrix under the
 * lines gets smaller; without one the domains are widened about their middles.
 */
function plotOf(chart: Chart, width: number, height: number): Plot {
  const { x, y } = chart;
  if (!chart.equal || !x.domain || !y.domain) return { chart, width, height };
  const across = width - (x.air ? 2 * AIR : 0);
  const up = height - (y.air ? 2 * AIR : 0);
  const [wide, high] = [x.domain[1] - x.domain[0], y.domain[1] - y.domain[0]];
  const unit = Math.min(across / wide, up / high);
  if (chart.under) return { chart, width: width - across + unit * wide, height: height - up + unit * high };
  const widened = ([low, end]: readonly [number, number], length: number): [number, number] => {
    const more = (length / unit - (end - low)) / 2;
    return [low - more, end + more];
  };
  return {
    chart: {
      ...chart,
      x: { ...x, domain: widened(x.domain, across) },
      y: { ...y, domain: widened(y.domain, up) },
    },
    width,
    height,
  };
}

/** The height of a chart with a matrix under its lines at full width. `up` is the height of its plot divided by the width. */
export const mapHeight = (up: number, width: number): number =>
  Math.round((width - LEFT - RIGHT) * up) + CHART_ABOVE + CHART_BELOW;

/** The plot of a placed chart: its edges, and the pixels of a number on each axis. */
export interface PlacedPlot extends Record<"left" | "right" | "top" | "bottom", number> {
  x(value: number): number;
  y(value: number): number;
}

/**
 * Draws a chart into a box that includes its title, ticks and axis names; all of it comes with its numbers.
 * Returns its plot, or null if there are no numbers.
 */
export function placeChart(scene: Scene, chart: Chart, box: Rectangle): PlacedPlot | null {
  const before = scene.labels.length;
  const placed = draw(scene, chart, box);
  for (const label of scene.labels.slice(before)) label.step ??= chart.step;
  const { title, marks = [], slider } = chart;
  const beside = title ? LEFT + 4 + textWidth(title, 14) : 8;
  placeMarks(scene, marks, box.x + beside, box.y + 14, box.x + box.width);
  if (placed && slider) {
    const { control, name, value, isSmall } = slider;
    addRail(scene, placed, {
      id: control,
      changes: { control },
      name,
      ends: chart.x.domain ?? [0, value],
      unit: 1,
      marks: [],
      value,
      ...(isSmall ? { isSmall } : { reach: HANDLE.height / 2 }),
    });
  }
  return placed;
}

/** Adds a rail along the horizontal axis of a plot. Its handle stands in place of the ticks around it. */
export function addRail(
  scene: Scene,
  { x, bottom: y }: Pick<PlacedPlot, "x" | "bottom">,
  rail: Omit<Rail, "from" | "to">,
): void {
  const [first, last] = rail.ends;
  const half = (rail.isSmall ? HANDLE.small : HANDLE.width) / 2;
  const isTick = (label: Label): boolean => label.y === y + 17 && label.anchor === "middle";
  scene.rails = [...(scene.rails ?? []), { ...rail, from: [x(first), y], to: [x(last), y] }];
  scene.labels = scene.labels
    .filter((label) => !isTick(label) || Math.abs(label.x - x(rail.value)) > half + 8)
    // No line of the plot crosses a number.
    .map((label) => (isTick(label) ? { ...label, over: true } : label));
}

function draw(scene: Scene, given: Chart, box: Rectangle): PlacedPlot | null {
  // The names of a map stand on any side of their points.
  const ends =
    given.under || given.grid
      ? 0
      : Math.max(0, ...given.series.map(({ label }) => (label ? textWidth(label) + 10 : 0)));
  const left = box.x + LEFT;
  const top = box.y + CHART_ABOVE;
  const room = [box.width - LEFT - Math.max(RIGHT, ends), box.height - CHART_ABOVE - CHART_BELOW] as const;
  const { chart, width, height } = plotOf(given, ...room);
  const right = left + width;
  const bottom = top + height;
  const points = chart.series.flatMap((series) => series.points);
  const xs = scaleOf(
    chart.x,
    points.map(([x]) => x),
    chart.x.air ? [left + AIR, right - AIR] : [left, right],
  );
  const ys = scaleOf(
    chart.y,
    points.map(([, y]) => y),
    chart.y.air ? [bottom - AIR, top + AIR] : [bottom, top],
  );
  scene.labels.push({ x: left, y: box.y + 14, text: chart.title, kind: "heading" });
  if (!xs || !ys) return null;
  const over = chart.under !== undefined;
  const atop = over ? { over } : {};
  if (chart.under) {
    const { rows, columns } = chart.under;
    place(scene, chart.under, left, top, (right - left) / columns, (bottom - top) / rows);
  }
  const line = (id: string, from: [number, number], to: [number, number], kind: Curve["kind"] = "faint") =>
    scene.curves.push({
      id: `${chart.id}-${id}`,
      points: [from, to],
      role: "activation",
      kind,
      step: chart.step,
    });
  if (!chart.grid) {
    line("x", [left, bottom], [right, bottom]);
    line("y", [left, top], [left, bottom]);
  }
  const gridKind = (value: number): Curve["kind"] => (chart.grid && value === 0 ? "bracket" : "faint");
  const xTicks = ticksOf(xs, chart.x, (right - left) / 70);
  for (const value of xTicks) {
    const x = xs(value);
    if (x < left - 1 || x > right + 1) continue;
    line(`x${value}`, [x, chart.grid ? top : bottom], [x, bottom + TICK], gridKind(value));
    scene.labels.push({ x, y: bottom + 17, text: tickText(value), kind: "axis", anchor: "middle" });
  }
  const yTicks = chart.grid ? gridTicks(xTicks, ys.domain) : ticksOf(ys, chart.y, (bottom - top) / 40);
  for (const value of yTicks) {
    const y = ys(value);
    if (y < top - 1 || y > bottom + 1) continue;
    line(`y${value}`, [left - TICK, y], [chart.grid ? right : left, y], gridKind(value));
    scene.labels.push({ x: left - 8, y: y + 4, text: tickText(value), kind: "axis", anchor: "end" });
  }
  if (chart.x.label)
    scene.labels.push({ x: right, y: bottom + 33, text: chart.x.label, kind: "axis", anchor: "end" });
  if (chart.y.label)
    scene.labels.push({
      x: over ? box.x + 4 : left + 6,
      y: over ? top - 8 : top + 4,
      text: chart.y.label,
      kind: "axis",
    });
  const lineNames: PointName[] = [];
  const lines: Rectangle[] = [];
  const pointNames: PointName[] = [];
  const namesPoints = chart.series.some(({ label, points }) => label && points.length === 1);
  for (const series of chart.series) {
    const kept = series.points.flatMap((point, at) => {
      const [x, y] = [xs(point[0]), ys(point[1])];
      return Number.isFinite(x) && Number.isFinite(y) ? [{ x, y, at }] : [];
    });
    const drawn = kept.map(({ x, y }): [number, number] => [
      Math.min(right + 2, Math.max(left - 2, x)),
      Math.min(bottom + 2, Math.max(top - 2, y)),
    ]);
    const cells = series.cells;
    scene.curves.push({
      id: `${chart.id}-${series.id}`,
      points: drawn,
      role: series.role,
      kind: series.kind,
      step: series.step ?? chart.step,
      ...(series.dots ? { dots: series.dots } : {}),
      ...(series.strong ? { strong: true } : {}),
      ...(chart.grid && series.points.length === 1 ? { over: true } : atop),
      ...(cells ? { cells: kept.map(({ at }) => cells[at]!) } : {}),
    });
    // The points are clamped to the plot, as the drawn line is.
    if (namesPoints && series.kind !== "faint") lines.push(...boxesAlong(drawn.map(([x, y]) => ({ x, y }))));
    const last = drawn.at(-1);
    if (!series.label || !last) continue;
    (series.points.length === 1 ? pointNames : lineNames).push({
      x: last[0],
      y: last[1],
      text: series.label,
      role: series.role,
      step: series.step ?? chart.step,
    });
  }
  const plot = { x: left, y: top, width: box.x + box.width - left, height: bottom - top };
  for (const { leader, ...label } of placeNames(pointNames, lines, plot, chart.grid && BOLD_NAME)) {
    scene.labels.push({
      ...label,
      ...(chart.grid ? { kind: "heading", over: true } : { kind: "axis", ...atop }),
    });
    if (!leader) continue;
    scene.curves.push({
      id: `${chart.id}-to-${label.text}`,
      points: leader,
      role: label.role,
      // In front of a matrix a pale line could not be seen.
      ...(over ? { kind: "thin", over: "bare" } : { kind: "faint" }),
      step: label.step,
    });
  }
  const heights = spreadApart(
    lineNames.map(({ y }) => y + 4),
    top + 8,
    bottom,
    13,
  );
  lineNames.forEach(({ x, y, text, role, step }, at) => {
    const height = heights[at]!;
    if (chart.labelsAtEdge)
      scene.curves.push({
        id: `${chart.id}-to-${text}`,
        points: [
          [x + 6, y],
          [right + 5, height - 4],
        ],
        role,
        kind: "faint",
        step,
      });
    scene.labels.push({
      x: (chart.labelsAtEdge ? right : x) + 8,
      y: height,
      text,
      kind: "axis",
      role,
      step,
      ...atop,
    });
  });
  return { left, right, top, bottom, x: (value) => xs(value), y: (value) => ys(value) };
}
