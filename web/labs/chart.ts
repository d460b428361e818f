/** A chart on a stage: axes with ticks, and lines through numbers the core computed. */
import { scaleLinear, scaleLog } from "d3-scale";
import { textWidth } from "../marks/measure.js";
import { place, type Block } from "./place.js";
import type { Curve, Role, Scene } from "../marks/scene.js";

export interface Axis {
  label: string;
  /** Absent: from the smallest to the largest of the points. */
  domain?: readonly [number, number];
  /** Equal ratios take equal lengths. */
  log?: boolean;
  /** Where ticks stand; absent: at round numbers. */
  ticks?: readonly number[];
}

export interface Series {
  id: string;
  role: Role;
  kind: Curve["kind"];
  points: readonly (readonly [number, number])[];
  /** The cells the points stand for. */
  cells?: readonly { node: string; index: number[] }[];
  dots?: boolean | "large";
  /** Set at the end of the line. */
  label?: string;
}

export interface Chart {
  id: string;
  title: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
  step: number;
  /** Numbers that fill the plot, the first row at the top: the lines are drawn over them. Both axes need a domain. */
  under?: Block;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Room that a chart takes round its lines. */
export const CHART_ABOVE = 26;
export const CHART_BELOW = 42;
const LEFT = 46;
const TICK = 5;

/** From numbers to pixels; a chart without a finite point has none. */
function scaleOf(axis: Axis, values: readonly number[], range: [number, number]) {
  const finite = values.filter((value) => Number.isFinite(value) && (!axis.log || value > 0));
  const [low, high] = axis.domain ?? [Math.min(...finite), Math.max(...finite)];
  if (!(low <= high)) return null;
  if (axis.log)
    return scaleLog()
      .domain([low, high > low ? high : low * 10])
      .range(range);
  const linear = scaleLinear()
    .domain([low, high > low ? high : low + 1])
    .range(range);
  return axis.domain ? linear : linear.nice(4);
}

/** Text of a tick: short, with a true minus. */
function tickText(value: number): string {
  const text =
    Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3)
      ? value.toExponential(0).replace("e+", "e")
      : String(Number(value.toPrecision(3)));
  return text.replaceAll("-", "−");
}

/** Ticks at round numbers; of a logarithmic axis its powers of ten, no more than there is room for. */
function ticksOf(
  scale: ReturnType<typeof scaleLinear> | ReturnType<typeof scaleLog>,
  axis: Axis,
  room: number,
): readonly number[] {
  if (axis.ticks) return axis.ticks;
  const count = Math.max(2, Math.floor(room));
  const all = scale.ticks(count) as number[];
  if (!axis.log || all.length <= count) return all;
  const powers = all.filter((value) => value.toExponential().startsWith("1e"));
  return powers.length < 2
    ? all.filter((_, at) => at % Math.ceil(all.length / count) === 0)
    : powers.filter((_, at) => at % Math.ceil(powers.length / count) === 0);
}

/** Where names at `wanted` heights stand, none on another, between `top` and `bottom` as long as there is room. */
export function spread(wanted: readonly number[], top: number, bottom: number, line: number): number[] {
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

/** Draws a chart into a box that includes its title, ticks and axis names. */
export function placeChart(scene: Scene, chart: Chart, box: Box): void {
  const ends = chart.under
    ? 0
    : Math.max(0, ...chart.series.map(({ label }) => (label ? textWidth(label) + 10 : 0)));
  const left = box.x + LEFT;
  const right = box.x + box.width - Math.max(8, ends);
  const top = box.y + CHART_ABOVE;
  const bottom = box.y + box.height - CHART_BELOW;
  const points = chart.series.flatMap((series) => series.points);
  const xs = scaleOf(
    chart.x,
    points.map(([x]) => x),
    [left, right],
  );
  const ys = scaleOf(
    chart.y,
    points.map(([, y]) => y),
    [bottom, top],
  );
  scene.labels.push({ x: left, y: box.y + 14, text: chart.title, kind: "heading" });
  if (!xs || !ys) return;
  const over = chart.under !== undefined;
  if (chart.under) {
    const { rows, columns } = chart.under;
    place(scene, chart.under, left, top, (right - left) / columns, (bottom - top) / rows);
  }
  const line = (id: string, from: [number, number], to: [number, number]) =>
    scene.curves.push({
      id: `${chart.id}-${id}`,
      points: [from, to],
      role: "activation",
      kind: "faint",
      step: chart.step,
    });
  line("x", [left, bottom], [right, bottom]);
  line("y", [left, top], [left, bottom]);
  for (const value of ticksOf(xs, chart.x, (right - left) / 70)) {
    const x = xs(value);
    if (x < left - 1 || x > right + 1) continue;
    line(`x${value}`, [x, bottom], [x, bottom + TICK]);
    scene.labels.push({ x, y: bottom + 17, text: tickText(value), kind: "axis", anchor: "middle" });
  }
  for (const value of ticksOf(ys, chart.y, (bottom - top) / 40)) {
    const y = ys(value);
    if (y < top - 1 || y > bottom + 1) continue;
    line(`y${value}`, [left - TICK, y], [left, y]);
    scene.labels.push({ x: left - 8, y: y + 4, text: tickText(value), kind: "axis", anchor: "end" });
  }
  scene.labels.push({ x: right, y: bottom + 33, text: chart.x.label, kind: "axis", anchor: "end" });
  if (chart.y.label)
    scene.labels.push({
      x: over ? box.x + 4 : left + 6,
      y: over ? top - 8 : top + 4,
      text: chart.y.label,
      kind: "axis",
    });
  const named: { x: number; y: number; text: string; role: Role }[] = [];
  for (const series of chart.series) {
    const kept = series.points.flatMap((point, at) => {
      const [x, y] = [xs(point[0]), ys(point[1])];
      return Number.isFinite(x) && Number.isFinite(y) ? [{ x, y, at }] : [];
    });
    const cells = series.cells;
    scene.curves.push({
      id: `${chart.id}-${series.id}`,
      points: kept.map(({ x, y }): [number, number] => [
        Math.min(right + 2, Math.max(left - 2, x)),
        Math.min(bottom + 2, Math.max(top - 2, y)),
      ]),
      role: series.role,
      kind: series.kind,
      step: chart.step,
      ...(series.dots ? { dots: series.dots } : {}),
      ...(over ? { over } : {}),
      ...(cells ? { cells: kept.map(({ at }) => cells[at]!) } : {}),
    });
    const last = kept.at(-1);
    if (!series.label || !last) continue;
    named.push({ x: last.x + 8, y: last.y + 4, text: series.label, role: series.role });
  }
  const heights = spread(
    named.map(({ y }) => y),
    top + 8,
    bottom,
    13,
  );
  named.forEach(({ x, text, role }, at) =>
    scene.labels.push({ x, y: heights[at]!, text, kind: "axis", role, ...(over ? { over } : {}) }),
  );
}
