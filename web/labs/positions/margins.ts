/** The margins of a map of positions: its axes, a row as a curve below, columns as waves beside. */
import { nameEvery } from "../../marks/measure.js";
import type { Curve, Label, PlacedTensor, Scene, Snapshot } from "../../marks/scene.js";
import type { Words } from "../../i18n/words.js";

/** How far a wave goes to each side, and from one to the next. */
export const WAVE = 36;
export const WAVES_APART = 2 * WAVE + 26;

/** The largest size of the numbers, never 0. */
const largest = (values: Float64Array): number =>
  values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1e-300);

/** A line that says nothing but where 0 is, or an edge. */
export const straight = (
  { role, step }: Pick<Curve, "role" | "step">,
  id: string,
  ...points: [number, number][]
): Curve => ({ id, points, role, kind: "faint", step });

/** Numbers beside rows, at round places, so that none touch. */
export function rowAxis(
  scene: Scene,
  { x, y, cellHeight, step }: PlacedTensor,
  rows: readonly string[],
): void {
  for (const row of ticks(rows.length, nameEvery(cellHeight, 16), TENS)) {
    const at = { x: x - 12, y: y + (row + 0.5) * cellHeight + 4 };
    scene.labels.push({ ...at, text: rows[row]!, kind: "axis", anchor: "end", step });
  }
}

/** Numbers under columns, at places where the waves of a power of two begin. */
export function columnAxis(
  scene: Scene,
  { x, y, cellWidth, cellHeight, step }: PlacedTensor,
  rows: number,
  columns: number,
): void {
  const apart = columns > 64 ? 60 : 24;
  for (const column of ticks(columns, nameEvery(cellWidth, apart), TWOS)) {
    const at = { x: x + (column + 0.5) * cellWidth, y: y + rows * cellHeight + 20 };
    scene.labels.push({ ...at, text: String(column), kind: "axis", anchor: "middle", step });
  }
}

const TENS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const TWOS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** 0 and every first of `sizes` that is at least `every`; the last place too, in the stead of one that it would touch. */
function ticks(count: number, every: number, sizes: readonly number[]): number[] {
  const step = sizes.find((size) => size >= every) ?? 512;
  const places = Array.from({ length: Math.ceil(count / step) }, (_, place) => place * step);
  if (count > 1 && count - 1 - places.at(-1)! >= every) places.push(count - 1);
  else if (places.length > 1 && places.at(-1) !== count - 1) places.splice(-1, 1, count - 1);
  return places;
}

/** One row as a curve under the map, which ends at `bottom`: sines and cosines apart, or all numbers in one. Gives back its lower edge. */
export function profile(
  scene: Scene,
  { node, x, cellWidth, role, step }: PlacedTensor,
  bottom: number,
  { shape, data }: Snapshot,
  row: number,
  name: string,
  waves: boolean,
  words: Words,
): number {
  const columns = shape[1]!;
  const middle = bottom + 78;
  const end = x + columns * cellWidth;
  const scale = 30 / largest(data);
  const point = (column: number): [number, number] => [
    x + (column + 0.5) * cellWidth,
    middle - scale * data[row * columns + column]!,
  ];
  const draw = (id: string, kind: "line" | "dashed", first: number, every: number): void => {
    const count = Math.ceil((columns - first) / every);
    const places = Array.from({ length: count }, (_, place) => first + place * every);
    const cells = places.map((column) => ({ node, index: [row, column] }));
    scene.curves.push({ id, kind, role, step, dots: columns <= 64, points: places.map(point), cells });
  };
  const say = (x: number, y: number, text: string, more: Partial<Label> = {}): void => {
    scene.labels.push({ x, y, text, kind: "axis", step, ...more });
  };
  scene.curves.push(straight({ role, step }, "row-zero", [x, middle], [end, middle]));
  if (waves) {
    draw("row-cos", "dashed", 1, 2);
    draw("row-sin", "line", 0, 2);
    const cosine = point(columns - 1)[1] + 4;
    const sine = point(Math.max(0, columns - 2))[1] + 4;
    say(end + 8, cosine, "cos");
    say(end + 8, Math.abs(sine - cosine) >= 12 ? sine : sine + 14, "sin");
  } else draw("row", "line", 0, 1);
  say(x - 12, middle + 4, name, { kind: "heading", anchor: "end" });
  say(x, middle + 54, words(waves ? "labs.positions.row.waves" : "labs.positions.row"));
  return middle + 66;
}

/** Which columns are drawn as waves: all of a few; else the target's, then some along the row that keep their places. */
function wavesOf(columns: number, column: number, most: number): number[] {
  if (columns <= most) return Array.from({ length: columns }, (_, place) => place);
  const others = [0.125, 0.3125, 0.625].map((part) => 2 * Math.floor((part * columns) / 2));
  const first = others.includes(column) ? Math.min(20, columns - 1) : column;
  return [...new Set([first, ...others])].slice(0, most);
}

/** Numbers as a curve beside the map, in register with its rows: one for each. */
function wave(
  scene: Scene,
  { y, cellHeight }: PlacedTensor,
  middle: number,
  { id, zero, role, step, values, scale, label, cellOf }: Wave,
): void {
  const points = values.map((value, row): [number, number] => [
    middle + scale * value,
    y + (row + 0.5) * cellHeight,
  ]);
  const bottom = y + values.length * cellHeight;
  const cells = values.map((_, row) => cellOf(row));
  scene.curves.push(straight({ role, step }, zero, [middle, y], [middle, bottom]));
  scene.curves.push({ id, points, role, kind: "line", dots: values.length <= 128, step, cells });
  scene.labels.push({ x: middle, y: y - 10, anchor: "middle", step, ...label });
}

interface Wave extends Pick<Curve, "id" | "role" | "step"> {
  /** The id of the line that the numbers go away from. */
  zero: string;
  values: number[];
  scale: number;
  label: Pick<Label, "text" | "kind" | "role">;
  /** The cell that the number of a row is. */
  cellOf(row: number): { node: string; index: number[] };
}

/** Columns as waves beside the map. */
export function columnWaves(
  scene: Scene,
  tensor: PlacedTensor,
  { shape, data }: Snapshot,
  column: number,
  left: number,
  most: number,
  words: Words,
): void {
  const [rows, columns] = shape as [number, number];
  const { node, role, step } = tensor;
  const scale = WAVE / largest(data);
  wavesOf(columns, column, most).forEach((at, place) =>
    wave(scene, tensor, left + WAVE + 4 + place * WAVES_APART, {
      id: `column-${at}`,
      zero: `zero-${at}`,
      role,
      step,
      values: Array.from({ length: rows }, (_, row) => data[row * columns + at]!),
      scale,
      label: { text: words("labs.positions.dim", { n: at }), kind: at === column ? "heading" : "axis" },
      cellOf: (row) => ({ node, index: [row, at] }),
    }),
  );
}

/** How alike the target's position is to each. */
export function alikeness(
  scene: Scene,
  tensor: PlacedTensor,
  { shape, data }: Snapshot,
  row: number,
  name: string,
  left: number,
  words: Words,
): void {
  const count = shape[0]!;
  const values = data.slice(row * count, (row + 1) * count);
  const role = "attention";
  wave(scene, tensor, left + WAVE + 4, {
    id: "alike",
    zero: "alike-zero",
    role,
    step: 1,
    values: [...values],
    scale: WAVE / largest(values),
    label: { text: words("labs.positions.alike", { p: name }), kind: "axis", role },
    cellOf: (at) => ({ node: "similarity", index: [row, at] }),
  });
}

/** Frames round a row and a column, where a cell is too small to be found. */
export function frames(
  scene: Scene,
  { x, y, cellWidth, cellHeight, step }: PlacedTensor,
  { rows, columns }: { rows: number; columns: number },
  row: number,
  column: number,
): void {
  if (cellWidth >= 8 && cellHeight >= 8) return;
  const box = (id: string, x: number, y: number, width: number, height: number): void => {
    const [left, top, right, bottom] = [x - 1, y - 1, x + width + 1, y + height + 1];
    const points: [number, number][] = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ];
    scene.curves.push({ id, points, role: "activation", kind: "line", step });
  };
  box("target-row", x, y + row * cellHeight, columns * cellWidth, cellHeight);
  box("target-column", x + column * cellWidth, y, cellWidth, rows * cellHeight);
}
