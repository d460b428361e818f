/**
 * The picture of the scaling lab: a row for each width, with the scores as a histogram and the weights of one query as parts of a bar, at
 * the left of scores as they are, at the right of divided ones; and a rail on which the width of a row is dragged.
 */
import type { ConfigOf } from "../../config/config.js";
import { WIDTHS, widthsOf } from "../../config/labs/scaling.js";
import { symbolWidth } from "../../marks/lettering.js";
import { textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { bentPath, penOn, rectangle } from "../../stage/pen.js";
import { emptyScene, legend, place, type Block } from "../../stage/place.js";
import { valuesOf, type Point } from "../../stage/series.js";
import { writeSymbol } from "../../stage/symbol.js";
import { largestInRow } from "../../telling/largest.js";
import { BINS, sizesOf } from "./build.js";
import { inUse } from "./flow.js";
import { FOOT, HEAD, layoutIn, NOTE, type Half, type Layout } from "./layout.js";
import { stringsIn, type Key, type Say } from "./strings.js";
import { halves, keyNames } from "./tensors.js";

/** Everything that a half of the picture is drawn from. */
interface Parts extends Layout, Half {
  config: ConfigOf<"scaling">;
  scene: Scene;
  layout: Room["layout"];
  /** The stop of Play. */
  step: number;
  say: Say;
  of: (node: string) => Block;
  numbers: (node: string) => ArrayLike<number>;
  /** The end of the names of the nodes of this half, and the node of its scores. */
  after: string;
  scores: "scores" | "scaled";
  /** The row in use, and the key with its largest weight. */
  used: number;
  largest: number;
}

/** The share of a bin that is as high as a row, unless a share is larger. */
const MOST = 0.45;
const AIR = 4;
const END = { anchor: "end" } as const;
const MIDDLE = { anchor: "middle" } as const;
const HALF_OF_BINS = (BINS - 1) / 2;

/** The y of a part of a row. */
const yOf = ({ pitch }: Layout, row: number, down = 0): number => HEAD + row * pitch + down;

/** The bins that a half shows of all, for its tensors. */
const windowOf = ({ bins }: Half) => ({
  columns: bins,
  ...(bins < BINS && { window: { first: (BINS - bins) / 2, count: bins } }),
});

/** Where a score stands; those outside stand at the edges. */
function xOf({ numbers, bin, x, bins }: Parts, score: number): number {
  const centres = numbers("centres");
  const [middle = 0, next = 1] = [centres[HALF_OF_BINS], centres[HALF_OF_BINS + 1]];
  return x + Math.max(0, Math.min(bins, bins / 2 + (score - middle) / (next - middle))) * bin;
}

/** The histograms: bars filled as their scores, an outline, a line as long as a standard deviation to both sides, and the shares of the scores outside. */
function histograms(parts: Parts): void {
  const { scene, layout, of, numbers, after, used, x, bins, bin, pitch, base } = parts;
  const block = of(`shares${after}`);
  const { draw, write } = penOn(scene, block.step);
  const shares = Array.from(numbers(block.node));
  const most = Math.max(MOST, ...shares);
  const form = { kind: "bars", most, filledBy: "centres" } as const;
  place(scene, { ...block, ...windowOf(parts), form, inset: [AIR, pitch - base] }, x, HEAD, bin, pitch);
  for (const row of WIDTHS.keys()) {
    const isUsed = row === used;
    const foot = yOf(parts, row, base);
    const end = x + bins * bin;
    const tops = shares
      .slice(row * BINS + (BINS - bins) / 2)
      .slice(0, bins)
      .map((share) => `V${foot - ((base - AIR) * share) / most}h${bin}`);
    const deviation = numbers(`deviation${after}`)[row] ?? 0;
    const [low, high] = [xOf(parts, -deviation), xOf(parts, deviation)];
    const ends = rectangle(low, foot + 2, high, foot + 8);
    draw(`deviation-${row}${after}`, "activation", isUsed ? "line" : "bracket", ends, {
      path: `M${low} ${foot + 2}v6m0 -3H${high}m0 -3v6`,
      over: "bare",
    });
    draw(
      `outline-${row}${after}`,
      "activation",
      isUsed ? "line" : "thin",
      rectangle(x, foot - base, end, foot),
      {
        path: `M${x} ${foot}${tops.join("")}V${foot}`,
        over: "bare",
      },
    );
    if (layout === "narrow") continue;
    // In the row in use the dots stand below.
    const y = foot - (isUsed ? 10 : 6);
    const [under, , over] = Array.from(numbers(`outer_shares${after}`), (share) =>
      Math.round(100 * share),
    ).slice(3 * row);
    if (under) write(x + 2, y, `‹ ${under}%`, { over: true });
    if (over) write(end - 2, y, `${over}% ›`, { over: true, ...END });
  }
}

/** The scores of the query in the row in use as dots on the foot of the histogram; returns where they stand. */
function scoreDots(parts: Parts): Point[] {
  const { config, scene, layout, scores: node, used, largest, x, bins, bin, base } = parts;
  const { batch, queries, keys } = sizesOf(config.numbers);
  const { query } = config.numbers;
  const { draw, write } = penOn(scene, parts.of(node).step);
  const scores = Array.from(parts.numbers(node)).splice((used * batch * queries + query) * keys, keys);
  const y = yOf(parts, used, base);
  const spots = scores.map((score): Point => [xOf(parts, score), y]);
  const dot = (key: number, dots: "large" | "open"): unknown =>
    draw(`dot-${node}-${key}`, "activation", "line", [spots[key]!], {
      dots,
      cells: [{ node, index: [used, 0, query, key] }],
      over: true,
    });
  for (const key of spots.keys()) if (key !== largest) dot(key, "open");
  const spot = spots[largest];
  if (!spot) return spots;
  dot(largest, "large");
  if (layout === "narrow") return spots;
  // The largest number stands beside its dot, or above it if it reaches the weights.
  const end = x + bins * bin;
  const text = formatNote(scores[largest]!) + (spot[0] < end ? "" : " →");
  const style = { kind: "heading", over: true } as const;
  const reachesEnd = spot[0] + textWidth(text, 12.5) > end;
  if (!reachesEnd) write(spot[0] + 8, y - 8, text, style);
  else if (layout === "wide" && parts.step < parts.of("weights").step)
    write(spot[0] + 10, y + 4, text, style);
  else write(Math.min(end, spot[0] + 8), y - 25, text, { ...style, ...END });
  return spots;
}

/** The weights of the query in every row, and the measures of every row. */
function weightsAndMeasures(parts: Parts): void {
  const { config, scene, say, of, after, barX, barWidth, numbersX, pitch, base, barTop, barHeight } = parts;
  const weights = of(`weights${after}`);
  const { draw } = penOn(scene, weights.step);
  for (const row of WIDTHS.keys()) {
    const y = yOf(parts, row, barTop);
    const edge = rectangle(barX - 1, y - 1, barX + barWidth + 1, y + barHeight + 1);
    draw(`bar-${row}${after}`, "activation", "bracket", edge);
  }
  const columnNames = keyNames(config, say);
  const inset = [barTop, pitch - barTop - barHeight] as const;
  const shares = { ...weights, form: { kind: "shares" }, inset } as const;
  place(scene, shares, barX, HEAD, barWidth / columnNames.length, pitch, { columnNames });
  parts.names.forEach((name, at) => {
    const numbers = { ...of(name + after), plain: "small", inset: [base - 18, pitch - base - 2] } as const;
    place(scene, numbers, numbersX + at * parts.column, HEAD, parts.column, pitch);
  });
}

/** The scores under the histograms: their axis, and the scale of the fills; and the scale of the weights. */
function scales(parts: Parts): void {
  const { scene, say, layout, of, numbers, x, bins, bin, barX, numbersX, column, names } = parts;
  const { step } = of(parts.scores);
  const { draw, write } = penOn(scene, step);
  const y = yOf(parts, WIDTHS.length, 4);
  const strip = {
    ...of("centres"),
    step,
    rows: 1,
    ...windowOf(parts),
    joined: true,
    form: { kind: "scale" },
  } as const;
  place(scene, strip, x, y, bin, 6, { id: `centres${parts.after}` });
  const every = bins < BINS ? 5 : layout === "wide" ? 10 : 20;
  const last = every * Math.floor(bins / 2 / every);
  for (let away = -last; away <= last; away += every) {
    const tick = x + (bins / 2 + away) * bin;
    draw(`tick-${away}${parts.after}`, "activation", "bracket", rectangle(tick, y + 6, tick, y + 10));
    write(tick, y + 23, formatNote(numbers("centres")[HALF_OF_BINS + away] ?? NaN), MIDDLE);
  }
  if (layout !== "wide") return;
  if (bins === BINS) write(x + ((bins + every) * bin) / 2, y + 23, say("axis.score"), MIDDLE);
  const { family, fill } = of("weights");
  legend(
    scene,
    family,
    fill,
    barX,
    y - 2,
    numbersX + names.length * column - barX,
    say("legend.probability"),
  );
}

/** The titles over the columns. */
function heads(parts: Parts): void {
  const { config, scene, say, layout, of, after, scores, x, barX, numbersX, column } = parts;
  const { batch, queries, keys } = sizesOf(config.numbers);
  const slots = { n: batch * queries * keys, query: config.numbers.query, keys };
  const isNarrow = layout === "narrow";
  const title = (x: number, name: string, key: Key, under: Key): void => {
    const { symbol, role, step } = of(name);
    const { write } = penOn(scene, step);
    if (!isNarrow) writeSymbol(scene, { symbol, step, ...(role === "attention" && { role }) }, x, 16);
    write(isNarrow ? x : x + symbolWidth(symbol) + 8, 16, say(key), { kind: "heading" });
    write(x, 33, say(under, slots));
  };
  const key = isNarrow ? (after ? "label.divided" : "label.undivided") : (`head.${scores}` as const);
  title(x, scores, key, `head.${scores}.${layout === "wide" ? "under" : "weights"}`);
  if (layout === "wide") title(barX, `weights${after}`, "head.weights", "head.weights.under");
  parts.names.forEach((name, at) => {
    const { symbol, step } = of(name + after);
    const middle = numbersX + (at + 0.5) * column;
    writeSymbol(scene, { symbol, step }, middle, 16, MIDDLE);
    if (!isNarrow) penOn(scene, step).write(middle, 33, say(`head.${name}`), MIDDLE);
  });
}

/** The rail of widths, with the handle at the width of the row in use. `largest` is the largest weight of a row in the half in use. */
function rail(parts: Parts, largest: (row: number) => { node: string; index: number[] }): void {
  const { config, scene, say, layout, used, base, rail } = parts;
  const { draw, write } = penOn(scene, 0);
  const isNarrow = layout === "narrow";
  const widths = widthsOf(config.numbers);
  const x = isNarrow ? 23 : 34;
  const at = (row: number): Point => [x, yOf(parts, row, base - 4)];
  const [from, to] = [at(0), at(WIDTHS.length - 1)];
  draw("rail", "activation", "bracket", [from, to]);
  writeSymbol(scene, { symbol: { text: "d", sub: "k" }, step: 0 }, x, 33, MIDDLE);
  if (!isNarrow) write(x, yOf(parts, WIDTHS.length, 27), say("rail.drag"), MIDDLE);
  for (const [row, width] of widths.entries()) {
    const [, y] = at(row);
    draw(`mark-${row}`, "activation", "bracket", rectangle(x - 3, y, x + 3, y));
    if (row !== used) write(rail - 6, y + 4, String(width), END);
  }
  scene.rails = [
    {
      id: "width",
      changes: { control: "width" },
      name: say("rail.width"),
      from,
      to,
      ends: [WIDTHS[0]!, WIDTHS.at(-1)!],
      logarithmic: true,
      unit: 1,
      marks: WIDTHS.map((value, row) => ({ value, cell: largest(row) })),
      value: widths[used]!,
      ...(isNarrow && { isSmall: true }),
    },
  ];
}

export function picture(
  config: ConfigOf<"scaling">,
  snapshots: Snapshots,
  room: Room,
  of: Parts["of"],
): Scene {
  const { width, step, layout, words } = room;
  const scene = emptyScene(width);
  const placed = layoutIn(room);
  const { pitch, base, rail: start } = placed;
  const { row: used, half } = inUse(config, room);
  const largest = (after: string, row: number) =>
    largestInRow(snapshots, { node: `weights${after}`, index: [row, 0, config.numbers.query, 0] });
  const { draw } = penOn(scene, 0);
  const top = yOf(placed, used);
  draw("row-in-use", "activation", "area", rectangle(0, top, width, top + pitch));
  for (const row of WIDTHS.keys()) {
    const y = yOf(placed, row, base);
    draw(`foot-${row}`, "activation", "faint", rectangle(start - 4, y, width, y));
  }
  const parts = halves.map(({ after, scores }, side): Parts => ({
    ...placed,
    ...placed.halves[side]!,
    config,
    scene,
    layout,
    step,
    say: stringsIn(words),
    of,
    numbers: (node) => valuesOf(snapshots, node),
    after,
    scores,
    used,
    largest: largest(after, used).index[3]!,
  }));
  const [left, right] = parts.map((half) => {
    heads(half);
    histograms(half);
    weightsAndMeasures(half);
    scales(half);
    return scoreDots(half);
  });
  // At the stop of the division every score goes to its own, divided.
  const divide = of("scaled").step;
  if (step === divide && layout === "wide")
    left!.forEach(([x, y], key) => {
      const path = bentPath([x, y], [right![key]![0], y], y - 1.2 * pitch);
      penOn(scene, divide).draw(`divided-${key}`, "activation", "dashed", [[x, y]], { path });
    });
  rail(parts[0]!, (row) => largest(halves[half].after, row));
  scene.height = yOf(placed, WIDTHS.length, FOOT);
  if (layout === "wide") {
    scene.note = { x: 0, y: scene.height + NOTE.gap, width };
    scene.height += NOTE.gap + NOTE.height;
  }
  return { ...scene, stop: step };
}
