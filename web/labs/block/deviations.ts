/** The chart under the band: the standard deviation of every row at each place of the path. */
import { stackOf } from "../../config/labs/block.js";
import { cutName } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import { readArrangement } from "../../stage/arrangement.js";
import { addRail } from "../../stage/chart.js";
import { penOn, pointsFrom, rectangle } from "../../stage/pen.js";
import { rowOf, type Point } from "../../stage/series.js";
import { pathPlaces, type Place } from "./path.js";
import { middle, type BlockSheet, type Track } from "./track.js";

type Edges = Record<"left" | "right" | "top" | "bottom", number>;
/** A place of the path with its number among the places, and its x. */
type Spot = Place & { at: number; x: number };

/** Draws a line for each row over areas of the path. The line of the target's row has its name and its numbers. */
function drawLines(
  { scene, snapshots, room, of }: BlockSheet,
  { left, right, top, bottom }: Edges,
  title: string,
  places: readonly Spot[],
  areas: readonly Point[],
): void {
  const { rows: count, names, step } = of("deviations");
  const { draw, write } = penOn(scene, step);
  const [, target = -1] = readArrangement(room).memory;
  const rows = Array.from({ length: count }, (_, row) => rowOf(snapshots, "deviations", row));
  const spots = places.filter(({ at }) => rows.every((row) => Number.isFinite(row[at])));
  const path = spots.filter(({ isBeside }) => !isBeside);
  const most = Math.max(1, ...spots.flatMap(({ at }) => rows.map((row) => row[at]!)));
  const y = (value: number): number => bottom - ((bottom - top) * value) / most;
  const id = places[0]!.at;
  write(0, top - 9, title);
  for (const [from, to] of areas)
    draw(`area-${from}`, "activation", "area", rectangle(from, top - 4, to, bottom));
  for (const value of [0, 1]) {
    const level = pointsFrom(value ? places[0]!.x : left, y(value), right, y(value));
    draw(`level-${id}-${value}`, "activation", value ? "dashed" : "faint", level);
    write(left - 6, y(value) + 4, `${value}`, { anchor: "end" });
  }
  const cell = (row: number, at: number) => ({ node: "deviations", index: [row, at] });
  for (const { at, x } of spots) {
    const points = rows.map((row): Point => [x, y(row[at]!)]);
    const cells = rows.map((_, row) => cell(row, at));
    draw(`place-${at}`, "activation", "faint", points, { dots: true, cells });
  }
  const lineOf = (row: readonly number[]): Point[] => path.map(({ at, x }) => [x, y(row[at]!)]);
  rows.forEach((row, at) => draw(`row-${id}-${at}`, "activation", "mesh", lineOf(row)));
  const ofTarget = rows[target];
  if (!ofTarget) return;
  const cells = path.map(({ at }) => cell(target, at));
  draw(`target-${id}`, "output", "line", lineOf(ofTarget), { dots: "large", cells });
  const name = cutName(names?.rows?.[target] ?? "");
  path.forEach(({ at, x }, nth) => {
    const number = formatNote(ofTarget[at]!);
    const style = { kind: "heading", role: "output", over: true } as const;
    const end = { ...style, anchor: "end" } as const;
    if (nth === 0) write(x - 9, y(ofTarget[at]!) + 4, `${name} ${number}`, end);
    // A number stands where the next place is far enough.
    else if ((path[nth + 1]?.x ?? Infinity) - x > 60)
      write(x + 8, y(ofTarget[at]!) - 6, number, x + 50 > right ? end : style);
  });
}

/** The chart of one layer, or of the part of it on a track, with each place under its tensor. */
export function drawDeviations(sheet: BlockSheet, { items, loops }: Track, edges: Edges): void {
  const { numbers, say } = sheet;
  const places = pathPlaces(numbers).flatMap((place, at): Spot[] => {
    const item = items.find(({ block }) => block.node === place.node);
    return item ? [{ ...place, at, x: middle(item) }] : [];
  });
  const isAcross = numbers.norm === "post" && stackOf(numbers).layerNorm;
  const gates = isAcross ? loops.map(({ gate }): Point => [gate.x, gate.x + gate.width]) : [];
  drawLines(sheet, edges, say("map.spark"), places, gates);
}

/** The chart of several layers, with an area at the layer that the band shows, and a handle that chooses it. */
export function drawStack(sheet: BlockSheet, edges: Edges): void {
  const { scene, numbers, say, of } = sheet;
  const { layers, layer } = stackOf(numbers);
  const { step } = of("deviations");
  const places = pathPlaces(numbers);
  const [start, bottom] = [edges.left + 112, edges.bottom - 18];
  const wide = (edges.right - 12 - start) / layers;
  const x = (n: number): number => start + (n + 0.5) * wide;
  const last = places.length - 1;
  const spots = places.map((place, at): Spot => ({ ...place, at, x: x((at * layers) / last - 0.5) }));
  drawLines(sheet, { ...edges, bottom }, say("map.path"), spots, [[x(layer - 0.5), x(layer + 0.5)]]);
  const { write } = penOn(scene, step);
  for (let n = 0; n < layers; n += 1) write(x(n), bottom + 17, say("layer", { n }), { anchor: "middle" });
  const rail = { id: "layer", changes: { control: "layer" }, unit: 1, marks: [], isSmall: true } as const;
  const ends = [0, layers - 1] as const;
  const shown = { name: say("field.layer"), ends, value: layer, reach: 12, step };
  addRail(scene, { x, bottom }, { ...rail, ...shown });
}
