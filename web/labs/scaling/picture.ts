/**
 * The picture of the scaling lab: a row for each width, with the scores as a histogram and the weights of one query as parts of a bar, at
 * the left of scores as they are, at the right of divided ones; and a rail on which the width of a row is dragged.
 */
import type { ConfigOf } from "../../config/config.js";
import { WIDTHS, widthsOf } from "../../config/labs/scaling.js";
import { symbolWidth } from "../../marks/lettering.js";
import { textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Curve, Label, Room, Scene, Snapshots } from "../../marks/scene.js";
import { emptyScene, legend, place, type Block } from "../../stage/place.js";
import { largestInRow } from "../../telling/largest.js";
import { BINS, sizesOf } from "./build.js";
import { inUse } from "./flow.js";
import { FOOT, HEAD, layoutIn, NOTE, ROWS, type Half, type Layout } from "./layout.js";
import { stringsIn, type Key, type Say } from "./strings.js";
import { halves, keyNames } from "./tensors.js";

/** Everything that the parts of the picture are drawn from. */
interface Parts extends Layout {
  config: ConfigOf<"scaling">;
  snapshots: Snapshots;
  room: Room;
  say: Say;
  of: (node: string) => Block;
  scene: Scene;
  /** The row and the half in use. */
  row: number;
  half: 0 | 1;
}

/** Which half of the picture. */
type Side = 0 | 1;
type Point = [number, number];

/** The share of a bin that is as high as a row, unless a share is larger. */
const MOST = 0.45;
const AIR = 4;
const node = (name: string, side: Side): string => name + halves[side].after;
const scoreNode = (side: Side): "scores" | "scaled" => (side === 0 ? "scores" : "scaled");

/** The y of a part of a row. */
const yOf = ({ pitch }: Layout, row: number, down: number): number => HEAD + row * pitch + down;

type LabelPlace = Pick<Label, "kind" | "x" | "y" | "text">;
const write = ({ scene }: Parts, label: LabelPlace, more: Partial<Label> = {}): unknown =>
  scene.labels.push({ ...label, ...more });

const draw = (
  { scene }: Parts,
  id: string,
  kind: Curve["kind"],
  points: Point[],
  more: Partial<Curve> = {},
): unknown => scene.curves.push({ id, points, role: "activation", kind, step: 0, ...more });

/** Draws a path in all rows of a width from x on. */
function drawInRows(
  parts: Parts,
  id: string,
  kind: Curve["kind"],
  [x, width]: Point,
  paths: readonly string[],
  more: Partial<Curve>,
) {
  const extent: Point[] = [
    [x, HEAD],
    [x + width, yOf(parts, ROWS, 0)],
  ];
  draw(parts, id, kind, extent, { path: paths.join(""), ...more });
}

/** The bins that a half shows of all, for its tensors. */
function windowOf({ bins }: Half) {
  const first = (BINS - bins) / 2;
  return { columns: bins, ...(first > 0 && { window: { first, count: bins } }) };
}

/** Where a score stands in a half; those outside stand at its edges. */
function xOf({ snapshots, bin }: Parts, { x, bins }: Half, score: number): number {
  const centres = snapshots.get("centres")?.data ?? [];
  const [middle = 0, next = 1] = [centres[(BINS - 1) / 2], centres[(BINS + 1) / 2]];
  return x + Math.max(0, Math.min(bins * bin, (bins / 2 + (score - middle) / (next - middle)) * bin));
}

/** The histograms: bars filled as their scores, an outline, and a line as long as a standard deviation to both sides. */
function histograms(parts: Parts, side: Side): void {
  const { of, scene, snapshots, bin, pitch, base, row: used } = parts;
  const half = parts.halves[side];
  const { x, bins } = half;
  const shares = of(node("shares", side));
  const { step } = shares;
  const data = snapshots.get(shares.node)?.data ?? new Float64Array();
  const most = Math.max(MOST, ...data);
  const form = { kind: "bars", most, filledBy: "centres" } as const;
  place(scene, { ...shares, ...windowOf(half), form, inset: [AIR, pitch - base] }, x, HEAD, bin, pitch);
  const first = (BINS - bins) / 2;
  const rows = WIDTHS.map((_, row) => {
    const foot = yOf(parts, row, base);
    const outline = Array.from({ length: bins }, (_, at) => {
      const share = data[row * BINS + first + at] ?? 0;
      return `V${foot - ((base - AIR) * share) / most}H${x + (at + 1) * bin}`;
    });
    const deviation = snapshots.get(node("deviation", side))?.data[row] ?? 0;
    const [low, high] = [-deviation, deviation].map((score) => xOf(parts, half, score));
    return {
      outline: `M${x} ${foot}${outline.join("")}V${foot}`,
      deviation: `M${low} ${foot + 2}v6M${low} ${foot + 5}H${high}M${high} ${foot + 2}v6`,
    };
  });
  const others = rows.filter((_, row) => row !== used);
  const over = { step, over: "bare" } as const;
  for (const [part, kind] of [
    ["deviation", "bracket"],
    ["outline", "thin"],
  ] as const) {
    const paths = others.map((row) => row[part]);
    drawInRows(parts, `${part}-${side}`, kind, [x, bins * bin], paths, over);
    drawInRows(parts, `${part}-in-use-${side}`, "line", [x, bins * bin], [rows[used]![part]], over);
  }
}

/** At both ends of a histogram: the share of the scores outside. */
function sharesOutside(parts: Parts, side: Side): void {
  const { snapshots, of, bin, base, row: used } = parts;
  const { x, bins } = parts.halves[side];
  const shares = of(node("frame_shares", side));
  const data = snapshots.get(shares.node)?.data ?? [];
  for (const row of WIDTHS.keys()) {
    // In the row in use the dots stand below.
    const y = yOf(parts, row, base) - (row === used ? 10 : 6);
    const [below, above] = [data[3 * row], data[3 * row + 2]].map((share = 0) => Math.round(100 * share));
    const more = { step: shares.step, over: true };
    if (below) write(parts, { kind: "axis", x: x + 2, y, text: `‹ ${below}%` }, more);
    if (above)
      write(
        parts,
        { kind: "axis", x: x + bins * bin - 2, y, text: `${above}% ›` },
        { ...more, anchor: "end" },
      );
  }
}

/** The scores of the query in the row in use as dots on the foot of the histogram; returns where they stand. */
function scoreDots(parts: Parts, side: Side): Point[] {
  const { config, snapshots, of, base, row, bin, room } = parts;
  const half = parts.halves[side];
  const { node: name, step } = of(scoreNode(side));
  const { query } = config.numbers;
  const cellOf = (node: string, key: number) => ({ node, index: [row, 0, query, key] });
  const { shape: [, heads = 1, queries = 1, keys = 0] = [], data = [] } = snapshots.get(name) ?? {};
  const scores = Array.from(data.slice((row * heads * queries + query) * keys).slice(0, keys));
  const largest = largestInRow(snapshots, cellOf(node("weights", side), 0)).index[3]!;
  const y = yOf(parts, row, base);
  const spots = scores.map((score): Point => [xOf(parts, half, score), y]);
  for (const key of [...spots.keys()].sort((a, b) => Number(a === largest) - Number(b === largest))) {
    const dots = key === largest ? "large" : "open";
    draw(parts, `dot-${side}-${key}`, "line", [spots[key]!], {
      dots,
      cells: [cellOf(name, key)],
      step,
      over: true,
    });
  }
  const spot = spots[largest]?.[0];
  if (room.layout === "narrow" || spot === undefined) return spots;
  const end = half.x + half.bins * bin;
  const number = formatNote(scores[largest]!);
  const [text, x, up] = spot < end ? [number, spot + 8, 8] : [`${number} →`, end, 25];
  const isBefore = x + textWidth(text, 12.5) > end + 8;
  write(
    parts,
    { kind: "heading", x: isBefore ? Math.min(end, spot + 8) : x, y: y - (isBefore ? 25 : up), text },
    { anchor: isBefore ? "end" : "start", step, over: true },
  );
  return spots;
}

/** The weights of the query in every row, and the measures of every row. */
function weightsAndMeasures(parts: Parts, side: Side): void {
  const { config, of, scene, say, pitch, bar, base } = parts;
  const half = parts.halves[side];
  const weights = of(node("weights", side));
  const columnNames = keyNames(config, say);
  const { x, width } = half.bar;
  const { step } = weights;
  const edges = WIDTHS.map(
    (_, row) => `M${x - 1} ${yOf(parts, row, bar.top) - 1}h${width + 2}v${bar.height + 2}h${-width - 2}z`,
  );
  drawInRows(parts, `bars-${side}`, "bracket", [x, width], edges, { step });
  const inset = [bar.top, pitch - bar.top - bar.height] as const;
  const form = { kind: "shares" } as const;
  place(scene, { ...weights, form, inset }, x, HEAD, width / columnNames.length, pitch, { columnNames });
  for (const { name, x, width } of half.columns) {
    const numbers = {
      ...of(node(name, side)),
      plain: "small",
      inset: [base - 18, pitch - base - 2],
    } as const;
    place(scene, numbers, x, HEAD, width, pitch);
  }
}

/** The scores under the histograms: their axis, and the scale of the fills; and the scale of the weights. */
function scales(parts: Parts, side: Side): void {
  const { of, scene, say, snapshots, bin, room } = parts;
  const half = parts.halves[side];
  const { x, bins, bar } = half;
  const y = yOf(parts, ROWS, 4);
  const form = { kind: "scale" } as const;
  const strip = { ...of("centres"), rows: 1, ...windowOf(half), joined: true, form };
  place(scene, strip, x, y, bin, 6, { id: `centres-${side}` });
  const centres = snapshots.get("centres")?.data ?? [];
  const [middle, first] = [(BINS - 1) / 2, (BINS - bins) / 2];
  const every = bins < BINS ? 5 : room.layout === "narrow" ? 20 : 10;
  for (let at = middle - every * Math.floor(bins / 2 / every); at < first + bins; at += every) {
    const tick = x + (at - first + 0.5) * bin;
    draw(parts, `tick-${side}-${at}`, "bracket", [
      [tick, y + 6],
      [tick, y + 10],
    ]);
    // The halves stand close to each other on a phone.
    const anchor =
      room.layout !== "narrow" ? "middle" : at === 0 ? "start" : at === BINS - 1 ? "end" : "middle";
    const away = { start: -bin / 2, middle: 0, end: bin / 2 }[anchor];
    write(
      parts,
      { kind: "axis", x: tick + away, y: y + 23, text: formatNote(centres[at] ?? NaN) },
      { anchor },
    );
  }
  if (room.layout !== "wide") return;
  if (bins === BINS)
    write(
      parts,
      { kind: "axis", x: x + (middle + every / 2 + 0.5) * bin, y: y + 23, text: say("axis.score") },
      { anchor: "middle" },
    );
  const { family, fill } = of("weights");
  const { x: last, width } = half.columns.at(-1)!;
  legend(scene, family, fill, bar.x, y - 2, last + width - bar.x, say("legend.probability"));
}

/** What stands over the columns of a half. */
function heads(parts: Parts, side: Side): void {
  const { of, say, room, config } = parts;
  const { x, bar, columns } = parts.halves[side];
  const { batch, queries, keys } = sizesOf(config.numbers);
  const slots = { n: batch * queries * keys, query: config.numbers.query, keys };
  const isNarrow = room.layout === "narrow";
  const title = (x: number, name: string, key: Key, under: Key): void => {
    const { symbol, role } = of(name);
    const named = { role: role === "attention" ? role : undefined, symbol };
    const width = isNarrow ? 0 : symbolWidth(symbol) + 8;
    if (!isNarrow) write(parts, { kind: "symbol", x, y: 16, text: symbol.text }, named);
    write(parts, { kind: "heading", x: x + width, y: 16, text: say(key) });
    write(parts, { kind: "axis", x, y: 33, text: say(under, slots) });
  };
  const scored = scoreNode(side);
  if (room.layout === "wide") {
    title(x, scored, `head.${scored}`, `head.${scored}.under`);
    title(bar.x, node("weights", side), "head.weights", "head.weights.under");
  } else title(x, scored, isNarrow ? halves[side].label : `head.${scored}`, `head.${scored}.weights`);
  for (const { name, x, width } of columns) {
    const { symbol } = of(node(name, side));
    const end = { x: x + width - 4, anchor: "end" } as const;
    write(parts, { kind: "symbol", y: 16, text: symbol.text, ...end }, { symbol, ...end });
    if (!isNarrow) write(parts, { kind: "axis", y: 33, text: say(`head.${name}`), ...end }, end);
  }
}

/** The rail of widths, with the handle at the width of the row in use. */
function rail(parts: Parts): void {
  const { config, scene, say, snapshots, room, row: used, half, base, pitch } = parts;
  const { x, width } = parts.rail;
  const widths = widthsOf(config.numbers);
  const [from, to] = [yOf(parts, 0, base) - 4, yOf(parts, ROWS - 1, base) - 4];
  const ticks = WIDTHS.map((_, row) => `M${x - 3} ${from + row * pitch}h6`);
  drawInRows(parts, "rail", "bracket", [x, 0], [`M${x} ${from}V${to}`, ...ticks], {});
  const symbol = { text: "d", sub: "k" };
  write(parts, { kind: "symbol", x, y: 33, text: "d" }, { symbol, anchor: "middle" });
  write(parts, { kind: "axis", x, y: yOf(parts, ROWS, 27), text: say("rail.drag") }, { anchor: "middle" });
  for (const [row, own] of widths.entries())
    if (row !== used)
      write(
        parts,
        { kind: "axis", x: width - 6, y: yOf(parts, row, base), text: String(own) },
        { anchor: "end" },
      );
  const first = [0, config.numbers.query, 0];
  scene.rails = [
    {
      id: "width",
      changes: { control: "width" },
      name: say("rail.width"),
      from: [x, from],
      to: [x, to],
      ends: [WIDTHS[0]!, WIDTHS.at(-1)!],
      logarithmic: true,
      unit: 1,
      marks: WIDTHS.map((value, row) => ({
        value,
        cell: largestInRow(snapshots, { node: node("weights", half), index: [row, ...first] }),
      })),
      value: widths[used]!,
      ...(room.layout === "narrow" && { isSmall: true }),
    },
  ];
}

export function picture(
  config: ConfigOf<"scaling">,
  snapshots: Snapshots,
  room: Room,
  of: Parts["of"],
): Scene {
  const isWide = room.layout === "wide";
  const scene = emptyScene(room.width);
  const say = stringsIn(room.words);
  const parts: Parts = { ...layoutIn(room), ...inUse(config, room), config, snapshots, room, say, of, scene };
  const { pitch, row, base } = parts;
  const all: Point = [0, room.width];
  drawInRows(parts, "row-in-use", "area", all, [`M0 ${yOf(parts, row, 0)}H${room.width}v${pitch}H0z`], {});
  const feet = WIDTHS.map((_, row) => `M${parts.rail.width - 4} ${yOf(parts, row, base)}H${room.width}`);
  drawInRows(parts, "feet", "faint", all, feet, {});
  const [left, right] = ([0, 1] as const).map((side) => {
    heads(parts, side);
    histograms(parts, side);
    weightsAndMeasures(parts, side);
    scales(parts, side);
    if (room.layout !== "narrow") sharesOutside(parts, side);
    return scoreDots(parts, side);
  });
  // At the stop of the division every score goes to its own, divided.
  const { step } = of("scaled");
  if (room.step === step && isWide)
    left!.forEach(([x, y], key) => {
      const [end, up] = [right![key]![0], y - 1.2 * pitch];
      const path = `M${x} ${y}C${x} ${up} ${end} ${up} ${end} ${y}`;
      draw(parts, `divided-${key}`, "dashed", [[x, y]], { path, step });
    });
  rail(parts);
  scene.height = yOf(parts, ROWS, FOOT);
  if (isWide) {
    scene.note = { x: 0, y: scene.height + NOTE.gap, width: room.width };
    scene.height += NOTE.gap + NOTE.height;
  }
  return { ...scene, stop: room.step };
}
