/** What stands in the margins of a map of positions: its axes, a row as a curve below, columns as waves beside. */
import type { Words } from "../../i18n/words.js";
import { nameEvery } from "../../marks/measure.js";
import type { Curve, Label, PlacedTensor, Scene, Snapshot } from "../../marks/scene.js";
import type { Block } from "../../stage/place.js";

type Point = [x: number, y: number];

type Wave = Pick<Curve, "cells"> & Partial<Pick<Curve, "role" | "step">> & { scale: number };

/** How far a wave goes to each side, and from one to the next. */
const WAVE = 36;
export const WAVES_APART = 2 * WAVE + 26;

const TENS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const TWOS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The largest size of the numbers, never 0. */
const largest = (values: Float64Array): number =>
  values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1e-300);

/** 0 and every first of `sizes` that is at least `every`; the last place too, in the stead of one that it would touch. */
function ticks(count: number, every: number, sizes: readonly number[]): number[] {
  const step = sizes.find((size) => size >= every) ?? 512;
  const places = Array.from({ length: Math.ceil(count / step) }, (_, place) => place * step);
  if (count > 1 && count - 1 - places.at(-1)! >= every) places.push(count - 1);
  else if (places.length > 1 && places.at(-1) !== count - 1) places.splice(-1, 1, count - 1);
  return places;
}

/** Which columns are drawn as waves: all of a few; else the target's, then some along the row that keep their places. */
function wavesOf(columns: number, column: number, most: number): number[] {
  if (columns <= most) return Array.from({ length: columns }, (_, place) => place);
  const others = [0.125, 0.3125, 0.625].map((part) => 2 * Math.floor((part * columns) / 2));
  const first = others.includes(column) ? Math.min(20, columns - 1) : column;
  return [...new Set([first, ...others])].slice(0, most);
}

/** What draws in the margins of a tensor that stands on the scene. */
export function marginsOf(scene: Scene, tensor: PlacedTensor, { rows, columns }: Block, words: Words) {
  const { node, x, y, cellWidth, cellHeight, role, step } = tensor;
  const bottom = y + rows * cellHeight;
  const right = x + columns * cellWidth;
  const everyRow = Array.from({ length: rows }, (_, row) => row);
  const say = (x: number, y: number, text: string, more: Partial<Label> = {}): void => {
    scene.labels.push({ x, y, text, kind: "axis", step, ...more });
  };
  const draw = (id: string, points: Point[], more: Partial<Curve> = {}): void => {
    scene.curves.push({ id, points, role, kind: "line", step, ...more });
  };
  const straight = (id: string, from: Point, to: Point, more: Partial<Curve> = {}): void =>
    draw(id, [from, to], { kind: "faint", ...more });
  const box = (id: string, x: number, y: number, width: number, height: number): void => {
    const [left, top, right, bottom] = [x - 1, y - 1, x + width + 1, y + height + 1];
    const points: Point[] = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ];
    draw(id, points, { role: "activation" });
  };
  /** A number of each row, away from a line at `middle`, in register with the rows of the map. */
  const wave = (
    ids: [line: string, zero: string],
    middle: number,
    values: Float64Array,
    more: Wave,
  ): void => {
    const { scale, cells, ...own } = more;
    const at = (row: number): Point => [middle + scale * values[row]!, y + (row + 0.5) * cellHeight];
    straight(ids[1], [middle, y], [middle, bottom], own);
    draw(ids[0], everyRow.map(at), { ...own, cells, dots: rows <= 128 });
  };

  return {
    /** Numbers beside rows, at round places, so that none touch. */
    rowAxis(names: readonly string[]): void {
      for (const row of ticks(names.length, nameEvery(cellHeight, 16), TENS))
        say(x - 12, y + (row + 0.5) * cellHeight + 4, names[row]!, { anchor: "end" });
    },

    /** Numbers under columns, at places where the waves of a power of two begin. */
    columnAxis(): void {
      for (const column of ticks(columns, nameEvery(cellWidth, columns > 64 ? 60 : 24), TWOS))
        say(x + (column + 0.5) * cellWidth, bottom + 20, String(column), { anchor: "middle" });
    },

    /** One row as a curve under `top`: sines and cosines apart, or all numbers in one. Gives back its lower edge. */
    profile({ data }: Snapshot, row: number, name: string, isWave: boolean, top: number): number {
      const middle = top + 78;
      const scale = 30 / largest(data);
      const point = (column: number): Point => [
        x + (column + 0.5) * cellWidth,
        middle - scale * data[row * columns + column]!,
      ];
      const line = (id: string, kind: Curve["kind"], first: number, every: number): void => {
        const count = Math.ceil((columns - first) / every);
        const places = Array.from({ length: count }, (_, place) => first + place * every);
        const cells = places.map((column) => ({ node, index: [row, column] }));
        draw(id, places.map(point), { kind, dots: columns <= 64, cells });
      };
      straight("row-zero", [x, middle], [right, middle]);
      if (isWave) {
        line("row-cos", "dashed", 1, 2);
        line("row-sin", "line", 0, 2);
        const cosine = point(columns - 1)[1] + 4;
        const sine = point(Math.max(0, columns - 2))[1] + 4;
        say(right + 8, cosine, "cos");
        say(right + 8, Math.abs(sine - cosine) >= 12 ? sine : sine + 14, "sin");
      } else line("row", "line", 0, 1);
      say(x - 12, middle + 4, name, { kind: "heading", anchor: "end" });
      say(x, middle + 54, words(isWave ? "labs.positions.row.waves" : "labs.positions.row"));
      return middle + 66;
    },

    /** Columns as waves from `left` on. */
    columnWaves({ data }: Snapshot, column: number, left: number, most: number): void {
      const scale = WAVE / largest(data);
      wavesOf(columns, column, most).forEach((at, place) => {
        const middle = left + WAVE + 4 + place * WAVES_APART;
        const cells = everyRow.map((row) => ({ node, index: [row, at] }));
        const values = data.filter((_, flat) => flat % columns === at);
        wave([`column-${at}`, `zero-${at}`], middle, values, { scale, cells });
        const kind = at === column ? "heading" : "axis";
        say(middle, y - 10, words("labs.positions.dim", { n: at }), { kind, anchor: "middle" });
      });
    },

    /** How alike the position of a row is to each, as a wave. */
    alikeness({ data }: Snapshot, row: number, name: string, left: number): void {
      const own = { role: "attention", step: 1 } as const;
      const middle = left + WAVE + 4;
      const values = data.slice(row * rows, (row + 1) * rows);
      const cells = everyRow.map((at) => ({ node: "similarity", index: [row, at] }));
      wave(["alike", "alike-zero"], middle, values, { scale: WAVE / largest(values), cells, ...own });
      say(middle, y - 10, words("labs.positions.alike", { p: name }), { anchor: "middle", ...own });
    },

    /** Frames round a row and a column, where a cell is too small to be found. */
    frames(row: number, column: number): void {
      if (cellWidth >= 8 && cellHeight >= 8) return;
      box("target-row", x, y + row * cellHeight, columns * cellWidth, cellHeight);
      box("target-column", x + column * cellWidth, y, cellWidth, rows * cellHeight);
    },
  };
}
