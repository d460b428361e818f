/** The stage of lab 12: what the layers connect, in four bands, with the counts of each; n² d and n d² as areas; what was counted and timed. */
import type { ConfigOf } from "../../config/config.js";
import type { Rectangle } from "../../marks/board.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { placeChart } from "../../stage/chart.js";
import { penOn, rectangle } from "../../stage/pen.js";
import { type Block, emptyScene, labelWidth, place, placeBeside } from "../../stage/place.js";
import { NOTE } from "../../stage/sheet.js";
import { valuesOf } from "../../stage/series.js";
import { band, roles } from "./bands.js";
import { chartOf } from "./charts.js";
import { stringsIn } from "./strings.js";
import { layerNames, orders } from "./tensors.js";

type Config = ConfigOf<"complexity">;
type Of = (node: string) => Block;

const NAMES = 148;
const COLUMN = 88;
const HEAD = 28;
const AREA = { side: 122, left: 34, top: 66 };
const CELL = { height: 20, most: 60 };

/** The columns of large numbers beside the bands. */
const columns = ["hops", "sequential", "work_millions"] as const;

/** Four bands in a box, and at their right the first so many of the columns. */
export function bands(
  scene: Scene,
  { numbers }: Config,
  snapshots: Snapshots,
  { layout, words }: Room,
  of: Of,
  box: Rectangle,
  shown: number,
): void {
  const say = stringsIn(words);
  const namesAbove = layout === "narrow";
  const left = box.x + (namesAbove ? 0 : NAMES);
  const columnWidth = namesAbove ? 58 : COLUMN;
  const end = box.x + box.width;
  const width = end - left - shown * columnWidth - 8;
  const high = (box.height - HEAD) / 4;
  const top = box.y + HEAD;
  const { draw, write } = penOn(scene, 0);
  write(left, box.y + 14, say("head.bands", { n: numbers.length }), { kind: "heading" });
  for (const row of roles.keys()) {
    const y = top + row * high;
    band(scene, row, numbers, words, { x: left, y, width, height: high }, namesAbove);
    draw(`rule-${row}`, "activation", "faint", rectangle(box.x, y + high, end, y + high), { over: true });
  }
  for (const [at, node] of columns.slice(0, shown).entries()) {
    const x = left + width + 8 + at * columnWidth;
    const middle = { anchor: "middle" } as const;
    const tensor = place(scene, { ...of(node), plain: true }, x, top, columnWidth, high);
    const pen = penOn(scene, tensor.step);
    pen.write(
      x + columnWidth / 2,
      box.y + 14,
      say(node === "sequential" ? "name.sequential" : `head.${node}`),
      { kind: "heading", ...middle },
    );
    const values = Array.from(valuesOf(snapshots, node));
    for (const [row, role] of roles.entries()) {
      const y = top + (row + 0.5) * high;
      const order = orders[node === "work_millions" ? "work" : node][row]!;
      const text = order.replace("k", `${numbers.kernel}`).replace("r", `${numbers.near}`);
      pen.write(x + columnWidth / 2, y + 26, text, { over: true, ...middle });
      if (node !== "work_millions") continue;
      const long = ((columnWidth - 12) * (values[row] ?? 0)) / Math.max(...values);
      const bar = rectangle(x + 6, y - 22, x + 6 + long, y - 22);
      pen.draw(`bar-${row}`, role, "line", bar, { strong: true, over: true });
    }
  }
}

/** 4194304 as "4 194 304". */
const grouped = (value: number): string => value.toLocaleString("en").replaceAll(",", "\u202f");

/** The height of the areas with their texts. */
export const AREAS = AREA.top + AREA.side + 24;

/** Two areas on one base of n: n high for attention and d high for the recurrent layer, so that an area is the work without its factor d. */
export function areas(
  scene: Scene,
  { numbers: { length: n, dim: d } }: Config,
  snapshots: Snapshots,
  room: Room,
  of: Of,
  { x, y }: Pick<Rectangle, "x" | "y">,
): void {
  const { draw, write } = penOn(scene, of("work_millions").step);
  const unit = AREA.side / Math.max(n, d);
  const [left, bottom] = [x + AREA.left, y + AREA.top + AREA.side];
  const upTo = (high: number, from = 0) =>
    rectangle(left, bottom - high * unit, left + n * unit, bottom - from * unit);
  write(x, y + 14, stringsIn(room.words)("head.areas"), { kind: "heading" });
  for (const [row, high] of [n, d].entries()) {
    const role = roles[row]!;
    // The smaller area has its own colour on all of it, the larger where it is larger: colours never mix.
    const from = row === 0 ? (n >= d ? d : 0) : n < d ? n : 0;
    draw(`area-${row}`, role, "area", upTo(high, from), { strong: true });
    draw(`edge-${row}`, role, "line", upTo(high));
    const value = grouped(valuesOf(snapshots, "products")[row] ?? NaN);
    write(x, y + 34 + 17 * row, `${orders.work[row]!} = ${value}`, { kind: "caption", role });
  }
  const corner = (side: number): [number, number] => [left + side * unit, bottom - side * unit];
  draw("n-is-d", "activation", "dashed", [corner(0), corner(Math.max(n, d))]);
  draw("at-d", "activation", "faint", [corner(d)], { dots: "open" });
  write(left - 6, corner(d)[1] + 4, `${d}`, { anchor: "end" });
  write(left + (n * unit) / 2, bottom + 16, `n = ${n}`, { anchor: "middle" });
}

/** The numbers that are not beside the bands, a row for each layer; returns the lower edge. */
function table(scene: Scene, config: Config, { words }: Room, of: Of, x: number, y: number): number {
  const rowNames = layerNames(config, words);
  const label = labelWidth(rowNames);
  const counts = ["path", "millions", "ratio", "weights_thousands"] as const;
  const times = config.numbers.measured > 0 ? (["milliseconds", "rate"] as const) : [];
  const nodes = [...counts, ...times];
  const cell = Math.min(CELL.most, Math.floor((NOTE.width - label) / nodes.length) - 14);
  const tensors = nodes.map((node) => {
    const all = of(node);
    // Of all lengths, that of the text.
    const last = { ...all, at: [null, all.columns - 1], turned: true, columns: 1 };
    return { block: node === "millions" ? last : all };
  });
  const area = { x: x + label, y: y + 34, cell, row: CELL.height, gap: 14 };
  placeBeside(scene, tensors, area, { rowNames }).forEach((tensor, at) => {
    const heads = stringsIn(words)(`short.${nodes[at]!}`).split("|");
    const { write } = penOn(scene, tensor.step);
    heads.forEach((text, part) => write(tensor.x + cell / 2, y + 12 + 14 * part, text, { anchor: "middle" }));
  });
  const bottom = y + 34 + 4 * CELL.height;
  const { write } = penOn(scene, of("path").step);
  const say = stringsIn(words);
  write(x, bottom + 18, say("short.note.hops", { k: config.numbers.kernel }));
  write(x, bottom + 34, say("short.note.work"));
  return bottom + 34;
}

export function picture(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene | null {
  if (room.layout !== "wide") return null;
  const scene = emptyScene(room.width);
  const x = room.width - NOTE.width - 8;
  const height = Math.min(760, Math.max(500, room.height - 8));
  const box = { x: 0, y: 4, width: x - NOTE.gap, height };
  bands(scene, config, snapshots, room, of, box, columns.length);
  areas(scene, config, snapshots, room, of, { x, y: 4 });
  const chart = config.numbers.measured > 0 ? "times" : "counted";
  const chartX = x + AREA.left + AREA.side + 16;
  placeChart(scene, chartOf(config, snapshots, chart, room, of), {
    x: chartX,
    y: 4,
    width: x + NOTE.width - chartX,
    height: AREAS,
  });
  const bottom = table(scene, config, room, of, x, AREAS + 16);
  scene.note = { x, y: bottom + 16, width: NOTE.width };
  scene.height = Math.max(8 + height, bottom + 170);
  return scene;
}
