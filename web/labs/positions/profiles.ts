/** The margins of a map of positions: its axes, a row as a curve below, columns as waves beside. */
import type { ConfigOf } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import { nameEvery } from "../../marks/measure.js";
import type { PlacedTensor, Room, Scene, Snapshot } from "../../marks/scene.js";

export const WAVE = 36;

/** Row and column of the target in a map of positions. */
export function target(
  config: ConfigOf<"positions">,
  room: Room,
): { node: string; row: number; column: number } {
  const { numbers } = config;
  const cell = room.cell;
  const start = [Math.min(4, positionCount(numbers) - 1), Math.min(20, numbers.dim - 1)];
  const index = cell && cell.index.length <= 2 ? cell.index : [];
  const own: Record<string, (number | undefined)[]> = {
    similarity: [index[0]],
    PE_T: [index[1], index[0]],
  };
  const [row = start[0]!, column = start[1]!] = own[cell?.node ?? ""] ?? index;
  return {
    node: cell?.node ?? "PE",
    row: Math.min(row, positionCount(numbers) - 1),
    column: Math.min(column, numbers.dim - 1),
  };
}

/** The largest size of the numbers, never 0. */
const largest = (values: Float64Array): number =>
  values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1e-300);

/** Numbers beside rows, at round places, so that none touch. */
export function rowAxis(
  scene: Scene,
  { x, y, cellHeight, step }: PlacedTensor,
  rows: readonly string[],
): void {
  for (const row of ticks(rows.length, nameEvery(cellHeight, 16), TENS)) {
    scene.labels.push({
      x: x - 12,
      y: y + (row + 0.5) * cellHeight + 4,
      text: rows[row]!,
      kind: "axis",
      anchor: "end",
      step,
    });
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
    scene.labels.push({
      x: x + (column + 0.5) * cellWidth,
      y: y + rows * cellHeight + 20,
      text: String(column),
      kind: "axis",
      anchor: "middle",
      step,
    });
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

/** One row as a curve under the map: sines and cosines apart, or all numbers in one. */
export function profile(
  scene: Scene,
  tensor: PlacedTensor,
  snapshot: Snapshot,
  row: number,
  name: string,
  waves: boolean,
  room: Room,
): number {
  const columns = snapshot.shape[1]!;
  const { x, y, cellWidth, cellHeight } = tensor;
  const middle = y + snapshot.shape[0]! * cellHeight + 78;
  const scale = 30 / largest(snapshot.data);
  const point = (column: number): [number, number] => [
    x + (column + 0.5) * cellWidth,
    middle - scale * snapshot.data[row * columns + column]!,
  ];
  const every = Array.from({ length: columns }, (_, column) => column);
  const draw = (id: string, places: number[], kind: "line" | "dashed") =>
    scene.curves.push({
      id,
      kind,
      role: tensor.role,
      step: tensor.step,
      dots: columns <= 64,
      points: places.map(point),
      cells: places.map((column) => ({ node: tensor.node, index: [row, column] })),
    });
  scene.curves.push({
    id: "row-zero",
    points: [
      [x, middle],
      [x + columns * cellWidth, middle],
    ],
    role: tensor.role,
    kind: "faint",
    step: tensor.step,
  });
  if (waves) {
    draw(
      "row-cos",
      every.filter((column) => column % 2 === 1),
      "dashed",
    );
    draw(
      "row-sin",
      every.filter((column) => column % 2 === 0),
      "line",
    );
    const end = x + columns * cellWidth + 8;
    scene.labels.push({ x: end, y: point(columns - 1)[1] + 4, text: "cos", kind: "axis", step: tensor.step });
    const sine = point(Math.max(0, columns - 2))[1] + 4;
    const apart = Math.abs(sine - point(columns - 1)[1] - 4) >= 12;
    scene.labels.push({ x: end, y: apart ? sine : sine + 14, text: "sin", kind: "axis", step: tensor.step });
  } else draw("row", every, "line");
  scene.labels.push({
    x: x - 12,
    y: middle + 4,
    text: name,
    kind: "heading",
    anchor: "end",
    step: tensor.step,
  });
  scene.labels.push({
    x,
    y: middle + 54,
    text: room.words(waves ? "labs.positions.row.waves" : "labs.positions.row"),
    kind: "axis",
    step: tensor.step,
  });
  return middle + 66;
}

/** Which columns are drawn as waves: all of a few; else the target's, then some along the row that keep their places. */
function wavesOf(columns: number, column: number, most: number): number[] {
  if (columns <= most) return Array.from({ length: columns }, (_, place) => place);
  const others = [0.125, 0.3125, 0.625].map((part) => 2 * Math.floor((part * columns) / 2));
  const first = others.includes(column) ? Math.min(20, columns - 1) : column;
  return [...new Set([first, ...others])].slice(0, most);
}

/** Columns as waves beside the map, in register with its rows. */
export function columnWaves(
  scene: Scene,
  tensor: PlacedTensor,
  snapshot: Snapshot,
  column: number,
  left: number,
  most: number,
  room: Room,
): void {
  const [rows, columns] = snapshot.shape as [number, number];
  const { y, cellHeight } = tensor;
  const scale = WAVE / largest(snapshot.data);
  wavesOf(columns, column, most).forEach((wave, place_) => {
    const middle = left + WAVE + 4 + place_ * (2 * WAVE + 26);
    const points = Array.from({ length: rows }, (_, row): [number, number] => [
      middle + scale * snapshot.data[row * columns + wave]!,
      y + (row + 0.5) * cellHeight,
    ]);
    scene.curves.push({
      id: `zero-${wave}`,
      points: [
        [middle, y],
        [middle, y + rows * cellHeight],
      ],
      role: tensor.role,
      kind: "faint",
      step: tensor.step,
    });
    scene.curves.push({
      id: `column-${wave}`,
      points,
      role: tensor.role,
      kind: "line",
      dots: rows <= 128,
      step: tensor.step,
      cells: points.map((_, row) => ({ node: tensor.node, index: [row, wave] })),
    });
    scene.labels.push({
      x: middle,
      y: y - 10,
      text: room.words("labs.positions.dim", { n: wave }),
      kind: wave === column ? "heading" : "axis",
      anchor: "middle",
      step: tensor.step,
    });
  });
}

/** How alike the target's position is to each, in register with the rows of the map. */
export function alikeness(
  scene: Scene,
  tensor: PlacedTensor,
  similarity: Snapshot,
  row: number,
  name: string,
  left: number,
  room: Room,
): void {
  const count = similarity.shape[0]!;
  const { y, cellHeight } = tensor;
  const middle = left + WAVE + 4;
  const values = similarity.data.subarray(row * count, (row + 1) * count);
  const scale = WAVE / largest(values);
  const [step, role] = [1, "attention"] as const;
  scene.curves.push({
    id: "alike-zero",
    points: [
      [middle, y],
      [middle, y + count * cellHeight],
    ],
    role,
    kind: "faint",
    step,
  });
  scene.curves.push({
    id: "alike",
    points: Array.from(values, (value, at): [number, number] => [
      middle + scale * value,
      y + (at + 0.5) * cellHeight,
    ]),
    role,
    kind: "line",
    dots: count <= 128,
    step,
    cells: Array.from(values, (_, at) => ({ node: "similarity", index: [row, at] })),
  });
  scene.labels.push({
    x: middle,
    y: y - 10,
    text: room.words("labs.positions.alike", { p: name }),
    kind: "axis",
    anchor: "middle",
    role,
    step,
  });
}

/** Frames round the target's row and column, where a cell is too small to be found. */
export function frames(
  scene: Scene,
  tensor: PlacedTensor,
  rows: number,
  columns: number,
  row: number,
  column: number,
): void {
  if (tensor.cellWidth >= 8 && tensor.cellHeight >= 8) return;
  const box = (id: string, x: number, y: number, width: number, height: number): void => {
    scene.curves.push({
      id,
      points: [
        [x - 1, y - 1],
        [x + width + 1, y - 1],
        [x + width + 1, y + height + 1],
        [x - 1, y + height + 1],
        [x - 1, y - 1],
      ],
      role: "activation",
      kind: "line",
      step: tensor.step,
    });
  };
  const { x, y, cellWidth, cellHeight } = tensor;
  box("target-row", x, y + row * cellHeight, columns * cellWidth, cellHeight);
  box("target-column", x + column * cellWidth, y, cellWidth, rows * cellHeight);
}
