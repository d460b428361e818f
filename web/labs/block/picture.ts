/** The picture of a layer: the residual connection is a band across the page; attention and the network are loops that add back into it. */
import { stackOf } from "../../config/labs/block.js";
import { textWidth } from "../../marks/measure.js";
import type { Scene } from "../../marks/scene.js";
import { wirePath } from "../../marks/score-lines.js";
import { arrowPath } from "../../stage/paths.js";
import { penOn, pointsFrom, rectangle } from "../../stage/pen.js";
import { BRACKET, LEGEND, labelWidth, place } from "../../stage/place.js";
import { finished, placeScales } from "../../stage/sheet.js";
import { writeSymbol } from "../../stage/symbol.js";
import { drawDeviations, drawStack } from "./deviations.js";
import { LARGE, SMALL, end, largestTrack, middle, trackOf } from "./track.js";
import type { BlockSheet, Half, Item, Look, Loop, Track } from "./track.js";

/** A track on a sheet: the first row on the loops and on the band, the height of a row, and the right end of the band. */
interface System extends BlockSheet {
  look: Look;
  track: Track;
  loop: number;
  band: number;
  row: number;
  right: number;
}

/** Over the end of the band: the width of the note, more where cells grow beyond their usual size, and its height for a layer norm. */
const NOTE = { least: 284, roomy: 328, most: 400, gap: 14, tallest: [252, 292] } as const;
/** The rooms for the name of a loop, and under the band for symbols and the title of the chart. */
const HEADING = 18;
const CAPTION = 38;
const CHART = { least: 62, most: 220, foot: 10 };
const ARROW_HEAD = 24;

/** The edges of the band, and the upper edge of the loops. */
const edgesOf = ({ numbers, look, loop, band, row }: System) => ({
  top: band - look.air,
  bottom: band + numbers.tokens.length * row + look.air,
  ceiling: loop - look.head,
});

/** The outline of the band with its loops. Without residual connections the band is cut under each loop. */
function drawBody(system: System): void {
  const { scene, numbers, track, look, right } = system;
  const { top, bottom, ceiling } = edgesOf(system);
  const over = track.loops.flatMap(({ inside, sum }) => {
    const [from, to] = [inside[0]!.x - look.side, end(sum) + look.side];
    return [from, top, from, ceiling, to, ceiling, to, top];
  });
  const under = [...track.loops].reverse().flatMap(({ up, before, sum }) => {
    const [from, to] = [Math.max(up, before ? end(before) : 0) + look.side, sum.x - look.side];
    return [to, bottom, to, top - look.air, from, top - look.air, from, bottom];
  });
  const neck = right - Math.min(ARROW_HEAD, (bottom - top) / 2);
  const arrow = [neck, top, right, (top + bottom) / 2, neck, bottom];
  const cuts = stackOf(numbers).residual ? [] : under;
  const points = pointsFrom(0, bottom, 0, top, ...over, ...arrow, ...cuts, 0, bottom);
  const path = wirePath(points, look.air);
  penOn(scene, 0).draw(`band-${track.loops[0]!.half}`, "activation", "body", points, { path });
}

/** A layer norm across the band or under its loop, with its name in the formula; without layer norm an outline. */
function drawGate(system: System, { half, gate }: Loop): void {
  const { scene, numbers, look } = system;
  const { top, bottom } = edgesOf(system);
  const [isAcross, isOpen] = [numbers.norm === "post", !stackOf(numbers).layerNorm];
  const [from, to] = isAcross ? [top - look.air, bottom + look.air] : [top - 3 * look.air, top - 3];
  const { draw, write } = penOn(scene, 0);
  const box = rectangle(gate.x, from, gate.x + gate.width, to);
  draw(`gate-${half}`, "activation", isOpen ? "bracket" : "box", box);
  if (isOpen || look === SMALL) return;
  write(gate.x + gate.width / 2, (from + to) / 2 + 4, "LN", { anchor: "middle", over: true });
}

/** The arrows and the name of a loop, and the sign of its sum. */
function drawLoop(system: System, { half, up, before, inside, output, sum }: Loop): void {
  const { scene, numbers, say, look, loop, band, row } = system;
  const { top, ceiling } = edgesOf(system);
  const rows = numbers.tokens.length;
  const [first, second, last] = [inside[0]!, inside[1], inside.at(-1)!];
  const [low, centre] = [loop + rows * row, loop + (rows * row) / 2];
  const arrow = (id: string, { block }: Item, ...values: number[]): void => {
    const points = pointsFrom(...values);
    const path = arrowPath(points, 4);
    penOn(scene, block.step).draw(`arrow-${id}-${half}`, "activation", "line", points, { path });
  };
  const along = (id: string, from: Item, to: Item, y: number): void =>
    arrow(id, to, end(from) + look.air, y, to.x - look.air, y);
  arrow("up", first, up, top, up, low + look.air);
  if (second && numbers.norm === "pre" && stackOf(numbers).layerNorm) along("norm", first, second, centre);
  const { write } = penOn(scene, sum.block.step);
  if (output) {
    along("on", last, output, centre);
    arrow("add", sum, middle(sum), low + look.air, middle(sum), top);
    write(middle(sum) + 8, (low + top) / 2 + 6, "⊕", { kind: "large", role: "output" });
  } else arrow("on", sum, end(last) + look.air, centre, middle(sum), centre, middle(sum), top);
  // The residual connection goes on along the band. At the beginning of a line the names of the rows stand there.
  if (output && before && look === LARGE) {
    const y = band + Math.floor(rows / 2) * row;
    along("residual", before, sum, y);
    write((end(before) + sum.x) / 2, y - 6, say("map.residual"), { anchor: "middle" });
  }
  const left = first.x - look.side + 6;
  const sublayer = half === 0 && stackOf(numbers).causal ? "0.causal" : half;
  const long = say(`loop.${sublayer}${output ? "" : ".replaces"}`);
  const fits = look === LARGE && textWidth(long, 12.5) <= end(sum) + look.side - left + 12;
  const name = fits ? long : say(half === 0 ? "map.attention" : "map.network");
  penOn(scene, first.block.step).write(left, ceiling - 6, name, { kind: "heading" });
}

function drawItem(system: System, item: Item): void {
  const { scene, numbers, room, of, look, track, loop, band, row } = system;
  const { block, onBand, x, cell } = item;
  const { symbol, step, node } = block;
  const y = onBand ? band : loop;
  const bottom = y + numbers.tokens.length * row;
  const id = block.at ? `${node}-${symbol.sub}` : node;
  if (look === SMALL) {
    place(scene, block, x, y, cell, row, { id: `thumb-${id}` });
    if (onBand) writeSymbol(scene, { symbol, step }, middle(item), bottom + 21, { anchor: "middle" });
    const frame = rectangle(x - 4, y - 3, end(item) + 4, bottom + 3);
    if (step === room.step) penOn(scene, step).draw(`active-${id}`, "activation", "line", frame);
    return;
  }
  const caption = onBand ? "below" : "above";
  const rowNames = item === track.items.find((one) => one.onBand) && of("x").names?.rows;
  const names = rowNames ? { rowNames } : {};
  place(scene, { ...block, name: "", letters: "" }, x, y, cell, row, { id, caption, ...names });
}

/** Draws the band with its loops; returns the lower edge of the band. */
function drawSystem(system: System): number {
  drawBody(system);
  for (const loop of system.track.loops) drawLoop(system, loop);
  for (const loop of system.track.loops) drawGate(system, loop);
  for (const item of system.track.items) drawItem(system, item);
  return edgesOf(system).bottom;
}

/** The whole layer in small tensors at the top of a scene; returns the lower edge. */
export function drawSmall(sheet: BlockSheet, width: number): number {
  const rows = sheet.numbers.tokens.length;
  const row = Math.min(8, Math.max(3, 48 / rows));
  const track = largestTrack(
    (scale) => trackOf(sheet, [0, 1], SMALL, { left: 12, scale, passage: 2 * SMALL.side }),
    ({ right }) => right <= width - 26,
  );
  const loop = HEADING + SMALL.head;
  const band = loop + rows * row + 6 * SMALL.air;
  return drawSystem({ ...sheet, look: SMALL, track, loop, band, row, right: width - 2 }) + 24;
}

/** The band with its loops, and the chart of deviations under it; on a screen of two systems, one for each sub-layer. */
export function drawBand(sheet: BlockSheet): Scene {
  const { numbers, room, isWide, of, say } = sheet;
  const rows = numbers.tokens.length;
  const { layers } = stackOf(numbers);
  const left = labelWidth(of("x").names?.rows ?? []);
  const passage = textWidth(say("map.residual")) + 2 * BRACKET + 4;
  const right = room.width - 2;
  const halves: Half[][] = isWide ? [[0, 1]] : [[0], [1]];
  const loopsEnd = ({ loops }: Track): number => end(loops.at(-1)!.sum) + LARGE.side + NOTE.gap;
  let [y, note] = [4, 0];
  for (const part of halves) {
    const track = largestTrack(
      (scale) => trackOf(sheet, part, LARGE, { left, scale, passage }),
      (one, scale) =>
        one.right <= right - ARROW_HEAD - 10 &&
        (!isWide || loopsEnd(one) + (scale > 1 ? NOTE.roomy : NOTE.least) <= room.width - 8),
    );
    note = Math.max(loopsEnd(track), room.width - 8 - NOTE.most);
    // Under the note of a layer norm, which is long, stands the last tensor. Then the page is scrolled in a low window.
    const noteEnd = isWide && track.right > note ? NOTE.tallest[numbers.dim > 4 ? 1 : 0] + 14 : 0;
    const height = Math.max(430, noteEnd + 250, room.height);
    const plot = isWide ? Math.min(CHART.most, CHART.least + Math.max(0, 0.4 * (height - 540))) : 84;
    const low = height - LARGE.air - CAPTION - plot - CHART.foot - LEGEND - 8;
    const loop = y + HEADING + LARGE.head;
    const loopEnd = loop + 6 * LARGE.air;
    const row = isWide ? Math.min(32, (low - loopEnd) / (2 * rows), (low - noteEnd) / rows) : 23;
    const band = Math.max(loopEnd + rows * row, noteEnd);
    const top = drawSystem({ ...sheet, look: LARGE, track, loop, band, row, right }) + CAPTION;
    const edges = { left: 24, right: right - 6, top, bottom: top + plot };
    const hasChart = layers === 1 || part.includes(1);
    if (layers === 1) drawDeviations(sheet, track, edges);
    else if (hasChart) drawStack(sheet, edges);
    y = (hasChart ? edges.bottom : top) + CHART.foot + (isWide ? 0 : 10); // a printed page can end here
  }
  const height = placeScales(sheet, { x: 8, y, width: room.width - 16 }, isWide ? 3 : 2) + 4;
  return finished(sheet, height, { x: note, y: 4, width: room.width - 8 - note, isDense: true });
}
