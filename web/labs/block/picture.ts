/**
 * The picture of a layer: the residual connection as a band across the page, and attention and the network as loops that leave it and add
 * back into it.
 */
import type { ConfigOf } from "../../config/config.js";
import { stackOf } from "../../config/labs/block.js";
import { symbolWidth } from "../../marks/lettering.js";
import { textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import { arrowPath } from "../../stage/paths.js";
import { penOn, pointsFrom, rectangle } from "../../stage/pen.js";
import { LEGEND, emptyScene, familiesOf, labelWidth, legends, place, type Block } from "../../stage/place.js";
import { writeSymbol } from "../../stage/symbol.js";
import { layerChart, stackChart } from "./deviations.js";
import { stringsIn, type Strings } from "./strings.js";
import * as tracks from "./track.js";
import { end, type Gate, type Half, type Item, type Loop, type Track } from "./track.js";

type Config = ConfigOf<"block">;
type Of = (node: string) => Block;

/** One track on the stage, with the heights of its parts. */
interface System {
  scene: Scene;
  config: Config;
  strings: Strings;
  track: Track;
  rows: number;
  /** The first row on the loops and on the band, and the heights of their rows. */
  loop: number;
  band: number;
  loopRow: number;
  bandRow: number;
  /** The edges of the band, and the upper edge of the loops. */
  top: number;
  bottom: number;
  ceiling: number;
  right: number;
  /** Whether it has no captions; then the tensors of this stop of Play are framed. */
  smallAt?: number;
  /** The column of the target, for the signs of the sums; -1 for none. */
  column: number;
}

/** The longest notes are those of a layer norm of at most 4 numbers, and of more. */
const NOTE = { least: 284, usual: 328, most: 400, tallest: [252, 292], gap: 14 } as const;
/** From the top of a system to the first row of its loops: a heading, and the captions. */
const HEAD = { heading: 20, caption: 28 };
/** From the last row of the loops to the first row of the band. */
const JOINT = 48;
/** How far the band reaches beyond its rows, and a gate beyond the band. */
const BODY = { rows: 8, gate: 6 };
const CAPTION = 30;
const CHART = { title: 16, least: 62, most: 220, foot: 10, two: 84 };
const ARROW_HEAD = 24;

const corner = (right: number, down: number): string => `q${right} 0 ${right} ${down}`;

/** The outline of the band with its loops. Without residual connections the band is cut under each loop. */
function drawBody(system: System): void {
  const { scene, config, track, top, bottom, ceiling, right, smallAt } = system;
  const small = smallAt !== undefined;
  const cuts = !stackOf(config.numbers).residual;
  const head = Math.min(ARROW_HEAD, (bottom - top) / 2);
  const [round, foot] = small ? [4, 4] : [10, 12];
  const over = track.loops.map((loop) => {
    const left = `H${loop.left}V${ceiling + round}q0 ${-round} ${round} ${-round}`;
    return `${left}H${loop.right - round}${corner(round, round)}V${top}`;
  });
  const back = track.loops.map(({ from, sum }) =>
    cuts ? `H${sum.x - (small ? 6 : 14)}V${top - foot}H${from}V${bottom}` : "",
  );
  const arrow = `H${right - head}L${right} ${(top + bottom) / 2}L${right - head} ${bottom}`;
  const path = `M0 ${top}${over.join("")}${arrow}${back.reverse().join("")}H0z`;
  const extent = pointsFrom(0, ceiling, right, bottom);
  penOn(scene, 0).draw(`band-${track.loops[0]!.half}`, "activation", "body", extent, { path });
}

/** A gate with its name, read upwards, or downwards in characters that stand upright. */
function drawGate({ scene, strings, top, bottom, smallAt }: System, gate: Gate, id: string): void {
  const { x, width, onBand, isOpen, step } = gate;
  const { draw, write } = penOn(scene, step);
  const small = smallAt !== undefined;
  const beyond = small ? 3 : BODY.gate;
  const [from, to] = onBand
    ? [top - beyond, bottom + beyond]
    : [top - (small ? 7 : 23), top - (small ? 2 : 4)];
  const r = small ? 2 : 5;
  const upper = `M${x + r} ${from}h${width - 2 * r}${corner(r, r)}V${to - r}q0 ${r} ${-r} ${r}`;
  const path = `${upper}H${x + r}${corner(-r, -r)}V${from + r}q0 ${-r} ${r} ${-r}z`;
  draw(`gate-${id}`, "activation", isOpen ? "bracket" : "box", rectangle(x, from, x + width, to), { path });
  const name = strings("operator.norm");
  if (isOpen || small || textWidth(name) + 8 > (onBand ? to - from : width)) return;
  const style = { anchor: "middle", over: true } as const;
  const [middle, height] = [x + width / 2, (from + to) / 2];
  if (!onBand) write(middle, height + 4, name, style);
  else if (name.charCodeAt(0) < 0x1100) write(middle + 4, height, name, { ...style, turned: true });
  else
    [...name].forEach((letter, at) =>
      write(middle, height + 14 * (at - (name.length - 1) / 2) + 4, letter, style),
    );
}

/** The arrows and the heading of a loop, and the sign of its sum. */
function drawLoop(system: System, { inside, output, sum, up, half, left, right }: Loop): void {
  const { scene, strings, track, rows, column, loop, loopRow, band, bandRow, top, ceiling, smallAt } = system;
  const small = smallAt !== undefined;
  const [bottom, middle, gap] = [loop + rows * loopRow, loop + (rows * loopRow) / 2, small ? 2 : 8];
  const [first, second] = inside as [Item, Item?];
  const last = inside.at(-1)!;
  const arrow = (id: string, step: number, ...values: number[]): void => {
    const points = pointsFrom(...values);
    const path = arrowPath(points, 4);
    penOn(scene, step).draw(`arrow-${id}-${half}`, "activation", "line", points, { path });
  };
  arrow("up", first.block.step, up, top, up, bottom + gap);
  // After a normalised copy.
  if (second && first.block.at === undefined)
    arrow("norm", second.block.step, end(first) + gap, middle, second.x - gap, middle);
  const sumMiddle = (sum.x + end(sum)) / 2;
  if (output) arrow("on", output.block.step, end(last) + gap, middle, output.x - gap, middle);
  else arrow("on", sum.block.step, end(last) + gap, middle, sumMiddle, middle, sumMiddle, top + 2);
  if (output) {
    const isOver = !small && column >= 0 && column < sum.block.columns && sum.cell > 20;
    const x = isOver ? sum.x + (column + 0.5) * sum.cell : sumMiddle;
    const [r, y] = [small ? 4 : 9, (bottom + top) / 2 + 2];
    const ring = `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    const path = `${ring}M${x - r / 2} ${y}h${r}M${x} ${y - r / 2}v${r}`;
    const { draw } = penOn(scene, sum.block.step);
    draw(`sum-${half}`, "output", "line", pointsFrom(x - r, y - r, x + r, y + r), { path });
  }
  // Under the loop the residual connection goes on along the band. At the beginning of a line the names of the rows stand there.
  const before = track.items.findLast(({ onBand, x }) => onBand && x < sum.x);
  if (output && !small && before) {
    const [start, y] = [end(before) + gap, band + Math.floor(rows / 2) * bandRow];
    arrow("residual", sum.block.step, start, y, sum.x - gap, y);
    const name = strings("map.residual");
    // Between the brackets.
    if (textWidth(name) <= sum.x - start - 2)
      penOn(scene, sum.block.step).write((start + sum.x - gap) / 2, y - 6, name, { anchor: "middle" });
  }
  const short = strings(half === 0 ? "map.attention" : "map.network");
  const { write } = penOn(scene, first.block.step);
  if (small) return write(left + 6, ceiling + 12, short);
  const heading = [strings(`loop.${half}${output ? "" : ".replaces"}`), short].find(
    (text) => textWidth(text, 12.5) <= right - left + 12,
  );
  if (heading) write(left + 5, ceiling - 7, heading, { kind: "heading" });
}

function drawItem(
  system: System,
  { block, onBand, x, cell }: Item,
  rowNames: readonly string[] | null,
): void {
  const { scene, rows, loop, loopRow, band, bandRow, bottom, smallAt } = system;
  const [y, tall] = onBand ? [band, bandRow] : [loop, loopRow];
  const { symbol, step, columns, node } = block;
  const right = x + columns * cell;
  const id = block.at ? `${node}-${symbol.sub}` : node;
  const { draw, write } = penOn(scene, step);
  if (smallAt === undefined) {
    place(scene, { ...block, name: "", letters: "" }, x, y, cell, tall, {
      id,
      caption: onBand ? "below" : "above",
      ...(rowNames && { rowNames }),
    });
    const beside = symbolWidth(symbol) + 6;
    if (onBand && beside + textWidth(block.name, 12.5) + 30 <= right - x)
      write(x - 5 + beside, y + rows * tall + 23, block.name, { kind: "caption" });
    return;
  }
  place(scene, block, x, y, cell, tall, { id: `thumb-${id}` });
  if (onBand) writeSymbol(scene, { symbol, step }, (x + right) / 2, bottom + 17, { anchor: "middle" });
  if (step === smallAt)
    draw(`active-${id}`, "activation", "line", rectangle(x - 4, y - 3, right + 4, y + rows * tall + 3));
}

type Heights = Pick<System, "loop" | "band" | "loopRow" | "bandRow" | "right" | "column"> & {
  smallAt?: number;
};

/** Draws a track; returns the lower edge of the band. */
function drawSystem(
  scene: Scene,
  config: Config,
  room: Room,
  of: Of,
  track: Track,
  heights: Heights,
): number {
  const small = heights.smallAt !== undefined;
  const rows = config.numbers.tokens.length;
  const reach = small ? 4 : BODY.rows;
  const bottom = heights.band + rows * heights.bandRow + reach;
  const edges = { top: heights.band - reach, bottom, ceiling: heights.loop - (small ? 18 : HEAD.caption) };
  const strings = stringsIn(room.words);
  const system: System = { scene, config, strings, track, rows, ...heights, ...edges };
  drawBody(system);
  for (const loop of track.loops) drawLoop(system, loop);
  for (const [at, gate] of track.gates.entries()) drawGate(system, gate, `${track.loops[at]!.half}`);
  const named = track.items.find(({ onBand }) => onBand);
  for (const item of track.items)
    drawItem(system, item, item === named ? (of("x").names?.rows ?? null) : null);
  return bottom;
}

/** The whole layer in small tensors at the top of a scene; returns the lower edge. */
export function drawSmall(scene: Scene, width: number, config: Config, room: Room, of: Of): number {
  const rows = config.numbers.tokens.length;
  const row = Math.min(8, Math.max(3, 48 / rows));
  const make = (scale: number): Track =>
    tracks.trackOf(config.numbers, of, tracks.smallSizesAt(scale, rows), [0, 1], 12);
  const track = tracks.fittingTrack(make, width - 26, width, 1);
  const loop = 22;
  return (
    drawSystem(scene, config, room, of, track, {
      loop,
      band: loop + rows * row + 22,
      loopRow: row,
      bandRow: row,
      right: Math.min(width - 2, track.right + 60),
      smallAt: room.step,
      column: -1,
    }) + 26
  );
}

/** The band with its loops, and the chart of deviations under it; on a screen of two systems, one for each sub-layer. */
export function drawBand(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene {
  const scene = emptyScene(room.width);
  const strings = stringsIn(room.words);
  const [, row = -1, column = -1] = readArrangement(room).memory;
  const rows = config.numbers.tokens.length;
  const isWide = room.layout === "wide";
  const { layers, layer } = stackOf(config.numbers);
  const left = labelWidth(of("x").names?.rows ?? []);
  const foot = LEGEND + 8;
  const halves: Half[][] = isWide ? [[0, 1]] : [[0], [1]];
  let y = 4;
  for (const part of halves) {
    const make = (scale: number): Track =>
      tracks.trackOf(config.numbers, of, tracks.sizesAt(scale, rows), part, left);
    const fit = (note: number, largest: number): Track => {
      const beside = isWide ? note + NOTE.gap + 8 : 0;
      return tracks.fittingTrack(make, room.width - ARROW_HEAD - 12, room.width - beside, largest);
    };
    // The numbers of the path need cells of the largest width: for them the note may be narrower.
    const roomy = fit(NOTE.usual, 1.25);
    const track = roomy.items[0]!.cell < tracks.LARGEST ? fit(NOTE.least, 1) : roomy;
    const noteX = Math.max(track.loops.at(-1)!.right + NOTE.gap, room.width - 8 - NOTE.most);
    if (isWide) scene.note = { x: noteX, y: 4, width: room.width - 8 - noteX, isDense: true };
    // Under the note of a layer norm, which is long, stands the last tensor. Then the page is scrolled in a low window.
    const isUnder = isWide && track.items.some((item) => end(item) > noteX);
    const tallest = NOTE.tallest[config.numbers.dim > 4 ? 1 : 0];
    const height = Math.max(isUnder ? tallest + 264 : 430, room.height);
    const plot = isWide ? CHART.least + Math.max(0, 0.4 * (height - 540)) : CHART.two;
    const loop = y + HEAD.heading + HEAD.caption;
    const below = BODY.rows + CAPTION + CHART.title + plot + CHART.foot + foot;
    const free = isWide ? height - loop - JOINT - below : rows * 46;
    const loopRow = Math.min(28, (0.47 * free) / rows);
    const band = Math.max(loop + rows * loopRow + JOINT, isUnder ? tallest + BODY.rows + 6 : 0);
    const bandRow = Math.min(34, (isWide ? height - below - band : 0.53 * free) / rows);
    const heights = { loop, band, loopRow, bandRow, right: room.width - 2, column };
    const bottom = drawSystem(scene, config, room, of, track, heights);
    const top = bottom + CAPTION + CHART.title - BODY.rows;
    const chartBottom = isWide ? Math.min(top + CHART.most, height - foot - CHART.foot) : top + plot;
    const edges = { left: 24, right: room.width - 8, top, bottom: chartBottom };
    const chart = { scene, config, snapshots, strings, deviations: of("deviations"), row, ...edges };
    const isLast = part.includes(1);
    if (layers === 1) layerChart(chart, track);
    else if (isLast) stackChart(chart);
    y = layers === 1 || isLast ? chartBottom + CHART.foot : bottom + CAPTION;
    if (isLast && layer < layers - 1)
      penOn(scene, 0).write(room.width - 10, bottom + 23, strings("to.layer", { n: layer + 1 }), {
        anchor: "end",
      });
    if (!isWide) y += 16;
  }
  const families = familiesOf(scene);
  const rules = { x: 8, y, width: room.width - 16 };
  const textOf = (family: string): string => strings(`legend.${family}` as "legend.path");
  scene.height = legends(scene, families, rules, isWide ? families.size : 2, textOf) + 4;
  return scene;
}
