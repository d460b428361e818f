/** A chart on a stage: axes with ticks, and lines through numbers the core computed. */
import { scaleLinear, scaleLog } from "d3-scale";
import { textWidth } from "../marks/measure.js";
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
  dots?: boolean;
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

/** Draws a chart into a box that includes its title, ticks and axis names. */
export function placeChart(scene: Scene, chart: Chart, box: Box): void {
  const ends = Math.max(0, ...chart.series.map(({ label }) => (label ? textWidth(label) + 10 : 0)));
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
  for (const value of chart.x.ticks ?? xs.ticks(Math.max(2, Math.floor((right - left) / 70)))) {
    const x = xs(value);
    if (x < left - 1 || x > right + 1) continue;
    line(`x${value}`, [x, bottom], [x, bottom + TICK]);
    scene.labels.push({ x, y: bottom + 17, text: tickText(value), kind: "axis", anchor: "middle" });
  }
  for (const value of chart.y.ticks ?? ys.ticks(Math.max(2, Math.floor((bottom - top) / 40)))) {
    const y = ys(value);
    if (y < top - 1 || y > bottom + 1) continue;
    line(`y${value}`, [left - TICK, y], [left, y]);
    scene.labels.push({ x: left - 8, y: y + 4, text: tickText(value), kind: "axis", anchor: "end" });
  }
  scene.labels.push({ x: right, y: bottom + 33, text: chart.x.label, kind: "axis", anchor: "end" });
  if (chart.y.label) scene.labels.push({ x: left + 6, y: top + 4, text: chart.y.label, kind: "axis" });
  const taken: number[] = [];
  for (const series of chart.series) {
    const kept = series.points.flatMap((point, at) => {
      const [x, y] = [xs(point[0]), ys(point[1])];
      return Number.isFinite(x) && Number.isFinite(y) ? [{ x, y, at }] : [];
    });
    const cells = series.cells;
    scene.curves.push({
      id: `${chart.id}-${series.id}`,
      points: kept.map(({ x, y }): [number, number] => [x, Math.min(bottom + 2, Math.max(top - 2, y))]),
      role: series.role,
      kind: series.kind,
      step: chart.step,
      ...(series.dots ? { dots: true } : {}),
      ...(cells ? { cells: kept.map(({ at }) => cells[at]!) } : {}),
    });
    const last = kept.at(-1);
    if (!series.label || !last) continue;
    // A name that would touch another stands a line lower.
    let y = Math.min(bottom, Math.max(top + 8, last.y + 4));
    while (taken.some((other) => Math.abs(other - y) < 13)) y += 13;
    taken.push(y);
    scene.labels.push({ x: last.x + 8, y, text: series.label, kind: "axis", role: series.role });
  }
}
