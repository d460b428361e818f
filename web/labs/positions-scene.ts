/** The stage of the positions lab: a map whose margins are its own profiles, in register with its rows and columns. */
import type { ConfigOf } from "../config/config.js";
import { positionCount } from "../config/leaves.js";
import { nameEvery } from "../marks/measure.js";
import type { PlacedTensor, Room, Scene, Snapshot, Snapshots } from "../marks/scene.js";
import { crossingScene } from "./crossing.js";
import { LEGEND, emptyScene, legend, place, thumbnails } from "./place.js";
import { biasScene } from "./positions-bias.js";
import { block, nodesOf, positionNames, stepIds, type PositionsNode } from "./positions-blocks.js";
import { pairScene } from "./positions-pair.js";

const LEFT = 46;
const TOP = 26;
const WAVE = 36;
const NOTE_HEIGHT = 150;
/** Room for the text under the profile of a row, and for a legend on its line. */
const PROFILE_TEXT = 330;
const LEGEND_WIDTH = 240;

/** Row and column of the target in a map of positions. */
export function target(
  config: ConfigOf<"positions">,
  room: Room,
): { node: string; row: number; column: number } {
  const { numbers } = config;
  const cell = room.cell;
  const start = [Math.min(4, positionCount(numbers) - 1), Math.min(20, numbers.dim - 1)];
  const index = cell && cell.index.length <= 2 ? cell.index : [];
  const [row = start[0]!, column = start[1]!] = index;
  return {
    node: cell?.node ?? "PE",
    row: Math.min(row, positionCount(numbers) - 1),
    column: Math.min(column, numbers.dim - 1),
  };
}

const largest = (snapshot: Snapshot | undefined): number =>
  Math.max(
    1e-300,
    ...(snapshot
      ? [
          snapshot.data.reduce(
            (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
            0,
          ),
        ]
      : [1]),
  );

/** Numbers beside rows and under columns, at round places, so that none touch. */
export function axes(scene: Scene, tensor: PlacedTensor, rows: readonly string[], columns: number): void {
  const { x, y, cellWidth, cellHeight } = tensor;
  const bottom = y + rows.length * cellHeight;
  for (const row of ticks(rows.length, nameEvery(cellHeight, 16))) {
    scene.labels.push({
      x: x - 12,
      y: y + (row + 0.5) * cellHeight + 4,
      text: rows[row]!,
      kind: "axis",
      anchor: "end",
    });
  }
  for (const column of ticks(columns, nameEvery(cellWidth, 60))) {
    scene.labels.push({
      x: x + (column + 0.5) * cellWidth,
      y: bottom + 20,
      text: String(column),
      kind: "axis",
      anchor: "middle",
    });
  }
}

/** 0, and every 1, 2, 5, 10, 16, 20, 32, 50, 64 … so that at least `every` lie between; the last where it does not touch. */
function ticks(count: number, every: number): number[] {
  const step = [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256].find((size) => size >= every) ?? 512;
  const places = Array.from({ length: Math.ceil(count / step) }, (_, place) => place * step);
  if (count > 1 && count - 1 - places.at(-1)! >= every) places.push(count - 1);
  else if (places.length > 1 && places.at(-1) !== count - 1) places.splice(-1, 1, count - 1);
  return places;
}

/** One row as a curve under the map: sines and cosines apart, or all numbers in one. */
function profile(
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
  const scale = 30 / largest(snapshot);
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
    scene.labels.push({ x: end, y: point(columns - 1)[1] + 4, text: "cos", kind: "axis" });
    const sine = point(Math.max(0, columns - 2))[1] + 4;
    const apart = Math.abs(sine - point(columns - 1)[1] - 4) >= 12;
    scene.labels.push({ x: end, y: apart ? sine : sine + 14, text: "sin", kind: "axis" });
  } else draw("row", every, "line");
  scene.labels.push({ x: x - 12, y: middle + 4, text: name, kind: "heading", anchor: "end" });
  scene.labels.push({
    x,
    y: middle + 54,
    text: room.words(waves ? "labs.positions.row.waves" : "labs.positions.row"),
    kind: "axis",
  });
  return middle + 66;
}

/** Columns as waves beside the map, in register with its rows: the target's first, then three along the row. */
function columnWaves(
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
  const scale = WAVE / largest(snapshot);
  const others = [0.125, 0.3125, 0.625].map((part) => 2 * Math.floor((part * columns) / 2));
  const shown = [...new Set([column, ...others])].slice(0, most);
  shown.forEach((wave, place_) => {
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
      kind: place_ === 0 ? "heading" : "axis",
      anchor: "middle",
    });
  });
}

/** Frames round the target's row and column, where a cell is too small to be found. */
function frames(
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

/** The encoding as a map, its row below, its columns at the right; with word vectors, what is added and the sum beside it. */
function map(config: ConfigOf<"positions">, snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const { words } = room;
  const scene = emptyScene(room.width);
  const { node, row, column } = target(config, room);
  const rows = positionCount(numbers);
  const names = positionNames(numbers);
  const wide = room.layout !== "narrow";
  const parts: PositionsNode[] = numbers.x ? ["X", "PE", "input"] : ["PE"];
  const waves = room.layout === "wide" ? 4 : room.layout === "two" ? 2 : 0;
  const wavesWidth = waves === 0 ? 0 : waves * (2 * WAVE + 26) + 40;
  const gap = 44;
  const space = room.width - LEFT - 34 - wavesWidth - gap * (parts.length - 1);
  const cellWidth = Math.min(44, space / (parts.length * numbers.dim));
  const below = wide ? 34 + NOTE_HEIGHT + 8 : 20 + 132 + LEGEND + 8;
  const cellHeight = Math.min(
    34,
    Math.max(2, ((wide ? Math.max(room.height, 420) : 480) - TOP - below) / rows),
  );
  const shown = node === "input" || node === "X" ? (node as PositionsNode) : "PE";
  let x = LEFT;
  let framed: PlacedTensor | null = null;
  for (const part of parts) {
    const tensor = place(scene, block(config, part, words), x, TOP, cellWidth, cellHeight);
    if (part === parts[0])
      axes(
        scene,
        tensor,
        part === "X" && numbers.x!.length === 1 ? [words("labs.positions.all")] : names,
        numbers.dim,
      );
    const end = x + numbers.dim * cellWidth;
    const name = parts.length > 1 ? block(config, part, words).name : words("labs.positions.axes");
    scene.labels.push({ x, y: TOP - 10, text: name, kind: parts.length > 1 ? "caption" : "axis" });
    if (parts.length === 1)
      scene.labels.push({
        x: end,
        y: TOP - 10,
        text: `${rows}×${numbers.dim} S×D`,
        kind: "shape",
        anchor: "end",
      });
    if (part !== parts.at(-1)) {
      const sign = part === "X" ? "+" : "=";
      scene.labels.push({
        x: end + gap / 2,
        y: TOP + (rows * cellHeight) / 2 + 5,
        text: sign,
        kind: "heading",
        anchor: "middle",
      });
    }
    if (part === shown) framed = tensor;
    x = end + gap;
  }
  const right = x - gap;
  const tensor = framed ?? scene.tensors[0]!;
  const snapshot = snapshots.get(tensor.node);
  const drawable =
    snapshot && snapshot.shape.length === 2 && snapshot.shape[1] === numbers.dim && row < snapshot.shape[0]!
      ? snapshot
      : null;
  frames(scene, tensor, tensor.node === "X" ? numbers.x!.length : rows, numbers.dim, row, column);
  const bottom = TOP + rows * cellHeight;
  let y = bottom + 150;
  if (drawable) {
    y = profile(
      scene,
      tensor,
      drawable,
      row,
      names[row]!,
      numbers.encoding === "sinusoidal" && shown === "PE",
      room,
    );
    if (waves > 0) {
      columnWaves(scene, tensor, drawable, column, right + 34, waves, room);
      scene.labels.push({
        x: right + 34,
        y: bottom + 20,
        text: words(
          numbers.encoding === "sinusoidal" && shown === "PE"
            ? "labs.positions.column.wave"
            : "labs.positions.column",
        ),
        kind: "axis",
      });
    }
  }
  if (wide) {
    const width = room.width - right - 42;
    const noted = width >= 260;
    if (noted) scene.note = { x: right + 34, y: bottom + 34, width: Math.min(width, 480) };
    const same = right - tensor.x >= PROFILE_TEXT + LEGEND_WIDTH;
    legend(
      scene,
      "encoding",
      block(config, "PE", words).fill,
      same ? right - LEGEND_WIDTH : LEFT,
      same ? y - 20 : y,
      LEGEND_WIDTH,
      "",
    );
    scene.height = Math.max(y + (same ? 10 : LEGEND + 6), noted ? bottom + 34 + NOTE_HEIGHT : 0);
  } else {
    legend(scene, "encoding", block(config, "PE", words).fill, LEFT, y, room.width - LEFT - 12, "");
    scene.height = y + LEGEND + 6;
  }
  scene.width = Math.max(room.width, right + 12);
  return scene;
}

export function positionsScene(config: ConfigOf<"positions">, snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const { words } = room;
  if (numbers.encoding === "alibi") return biasScene(config, room);
  if (numbers.encoding === "rotary") return pairScene(config, snapshots, room);
  if (numbers.encoding === "shift") {
    return crossingScene(room, {
      left: block(config, "PE_p", words),
      above: block(config, room.cell?.node === "M" ? "M" : "M_T", words),
      result: block(config, "M_PE_p", words),
      then: [block(config, "PE_pk", words)],
      rowNames: positionNames(numbers),
      legendOf: (family) => words(family === "encoding" ? "labs.legend.encoding" : "labs.legend.shift"),
    });
  }
  return map(config, snapshots, room);
}

export function positionsStrip(config: ConfigOf<"positions">, _snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const nodes = nodesOf(numbers).filter((node) => node !== "bias.slopes");
  const blocks = nodes.map((node) => ({
    ...block(config, node, room.words),
    ...(node === "bias" ? { at: [0, null, null] } : {}),
  }));
  const step = Math.min(room.step, stepIds(numbers).length - 1);
  return thumbnails(
    blocks,
    blocks.filter((made) => made.step === step).map(({ node }) => node),
    room.width,
  );
}
