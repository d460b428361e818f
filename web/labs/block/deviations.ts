/** The chart under the band: the standard deviation of every row at each place of the path. */
import type { ConfigOf } from "../../config/config.js";
import { stackOf } from "../../config/labs/block.js";
import { textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Scene, Snapshots } from "../../marks/scene.js";
import { addRail, spreadApart } from "../../stage/chart.js";
import type { Block } from "../../stage/place.js";
import { penOn, pointsFrom, rectangle } from "../../stage/pen.js";
import { rowOf, type Point } from "../../stage/series.js";
import { pathPlaces } from "./path.js";
import type { Strings } from "./strings.js";
import { end, type Gate, type Track } from "./track.js";

export interface Chart {
  scene: Scene;
  config: ConfigOf<"block">;
  snapshots: Snapshots;
  strings: Strings;
  deviations: Block;
  /** The row of the target; -1 for none. */
  row: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A place of the path: its number among the places, and its x. A normalised copy is beside the path, as a single dot. */
interface Spot {
  at: number;
  x: number;
  isBeside: boolean;
}

/** The names of the rows at the start of their lines; rows with almost the same number share one, and the target's has its number. */
function nameRows(chart: Chart, x: number, values: readonly number[], y: (value: number) => number): void {
  const { scene, deviations, row: target, top, bottom } = chart;
  const { write } = penOn(scene, deviations.step);
  const names = deviations.names?.rows ?? [];
  const groups: { rows: number[]; y: number }[] = [];
  for (const row of [...values.keys()].sort((a, b) => values[b]! - values[a]!)) {
    const last = groups.at(-1);
    const height = y(values[row]!);
    if (last && row !== target && !last.rows.includes(target) && height - last.y < 9) last.rows.push(row);
    else groups.push({ rows: [row], y: height });
  }
  const wanted = groups.map((group) => group.y + 4);
  spreadApart(wanted, top + 2, bottom + 4, 13).forEach((height, at) => {
    const [row = 0, ...others] = groups[at]!.rows;
    const style = { anchor: "end", over: true } as const;
    const number = `${names[row]} ${formatNote(values[row]!)}`;
    if (row === target) write(x, height, number, { ...style, kind: "heading", role: "output" });
    else {
      const more = others.length > 1 ? ["…"] : others.map((other) => names[other]);
      write(x, height, [names[row], ...more].join(", "), style);
    }
  });
}

/** Lines under a title that change only where numbers are added, and at a gate. */
function drawLines(chart: Chart, spots: readonly Spot[], gates: readonly Gate[], id: string, title: string) {
  const { scene, snapshots, deviations, row: target, left, right, top, bottom } = chart;
  const { draw, write } = penOn(scene, deviations.step);
  write(0, top - 9, title);
  const rows = Array.from({ length: deviations.rows }, (_, row) => rowOf(snapshots, "deviations", row));
  const most = Math.max(1, ...rows.flat().filter(Number.isFinite));
  const y = (value: number): number => bottom - ((bottom - top) * value) / most;
  const first = spots[0]!.x;
  for (const { x, width } of gates)
    draw(`shade-${id}-${x}`, "activation", "area", rectangle(x, top - 4, x + width, bottom));
  draw(`level-${id}-0`, "activation", "faint", pointsFrom(left, bottom, right, bottom));
  draw(`level-${id}-1`, "activation", "dashed", pointsFrom(first, y(1), right, y(1)));
  for (const value of [0, 1, most])
    if (value < 1 || y(value === 1 ? 0 : 1) - y(value) > (value === 1 ? 12 : 40))
      write(left - 6, y(value) + 4, value > 1 ? formatNote(value) : `${value}`, { anchor: "end" });
  for (const { x } of spots)
    draw(`place-${id}-${x}`, "activation", "faint", pointsFrom(x, top - 4, x, bottom));
  const onPath = spots.filter(({ isBeside }) => !isBeside);
  // The target's line lies on top.
  for (const row of [...rows.keys()].sort((a, b) => Number(a === target) - Number(b === target))) {
    const isTarget = row === target;
    const heightAt = ({ at }: Spot): number => y(rows[row]![at] ?? NaN);
    const dotted = (name: string, among: readonly Spot[], d: string): void =>
      draw(
        `deviation-${id}-${row}${name}`,
        isTarget ? "output" : "activation",
        isTarget ? "line" : "mesh",
        among.map((spot): Point => [spot.x, heightAt(spot)]),
        {
          path: d,
          dots: isTarget ? "large" : true,
          cells: among.map(({ at }) => ({ node: "deviations", index: [row, at] })),
        },
      );
    const parts = onPath.map((spot, at) => {
      const before = onPath[at - 1];
      const gate = before && gates.find(({ x }) => x > before.x && x < spot.x);
      const jump = gate ? `H${gate.x}L${gate.x + gate.width} ${heightAt(spot)}` : "";
      return `${jump}${before ? "L" : "M"}${spot.x} ${heightAt(spot)}`;
    });
    if (onPath.every((spot) => Number.isFinite(heightAt(spot))))
      dotted("", onPath, `${parts.join("")}H${right}`);
    for (const spot of spots.filter(({ isBeside }) => isBeside))
      dotted(`-${spot.at}`, [spot], `M${spot.x} ${heightAt(spot)}`);
  }
  const firsts = rows.map((row) => row[onPath[0]!.at] ?? NaN);
  nameRows(chart, first - 9, firsts, y);
  // Of many places only the last has a number.
  for (const { at, x } of onPath.slice(id === "stack" ? -1 : 1)) {
    const value = rows[target]?.[at] ?? NaN;
    if (!Number.isFinite(value)) continue;
    const below = x < textWidth(title) + 16 && y(value) < top + 12 ? 23 : 0;
    const style = { kind: "heading", role: "output", over: true } as const;
    const end = x + 50 > right ? ({ anchor: "end" } as const) : {};
    write(x + 8, y(value) - 6 + below, formatNote(value), { ...style, ...end });
  }
}

/** The chart of one layer, with each place under its tensor; `track` may be a part of the layer. */
export function layerChart(chart: Chart, { items, gates }: Track): void {
  const spots = pathPlaces(chart.config.numbers).flatMap(({ node }, at): Spot[] => {
    const item = items.find(({ block }) => block.node === node);
    return item ? [{ at, x: (item.x + end(item)) / 2, isBeside: !item.onBand }] : [];
  });
  const across = gates.filter(({ onBand, isOpen }) => onBand && !isOpen);
  drawLines(chart, spots, across, `${spots[0]!.at}`, chart.strings("map.spark"));
}

/** The chart of several layers, their places at equal distances, with a window on the layer that the band shows, and a handle that chooses it. */
export function stackChart(chart: Chart): void {
  const { scene, config, strings, deviations, right, top, left } = chart;
  const bottom = chart.bottom - 18;
  const { draw, write } = penOn(scene, deviations.step);
  const { layers, layer } = stackOf(config.numbers);
  const places = pathPlaces(config.numbers);
  const start = left + 84;
  const pitch = (right - 12 - start) / (places.length - 1);
  const isPre = config.numbers.norm === "pre";
  const spots = places.map(({ node }, at): Spot => {
    return { at, x: start + at * pitch, isBeside: isPre && /(^|\.)norm[12]$/.test(node) };
  });
  drawLines({ ...chart, bottom }, spots, [], "stack", strings("map.path"));
  const edgeOf = (n: number): number => start + pitch * places.findLastIndex((place) => place.layer < n);
  for (let n = 0; n < layers; n += 1) {
    const [from, to] = [edgeOf(n), edgeOf(n + 1)];
    const name = strings("layer", { n });
    const short = textWidth(name) + 6 > to - from ? `${n}` : name;
    // The handle has the number of the shown layer.
    if (n !== layer) write((from + to) / 2, bottom + 15, short, { anchor: "middle" });
    else draw("window", "activation", "line", rectangle(from, top - 6, to, bottom + 19));
  }
  const middleOf = (n: number): number => (edgeOf(n) + edgeOf(n + 1)) / 2;
  addRail(
    scene,
    { x: middleOf, bottom: bottom + 11 },
    {
      id: "layer",
      changes: { control: "layer" },
      name: strings("field.layer"),
      reach: 12,
      ends: [0, layers - 1],
      unit: 1,
      marks: [],
      value: layer,
      isSmall: true,
      step: deviations.step,
    },
  );
}
