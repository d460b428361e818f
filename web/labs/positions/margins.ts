/** The margins of a map of positions: its axes, a row as a curve below it, and columns as waves beside it. */
import type { Words } from "../../i18n/words.js";
import { nameEvery } from "../../marks/measure.js";
import type { Curve, Label, PlacedTensor, Scene, Snapshot } from "../../marks/scene.js";
import type { Block } from "../../stage/place.js";

type Point = [x: number, y: number];

/** The cells of a wave, and the number of pixels for a number of 1. */
type Wave = Pick<Curve, "cells"> & Partial<Pick<Curve, "role" | "step">> & { scale: number };

/** The largest distance of a wave from its zero line, and the distance between the zero lines of two waves. */
const WAVE = 36;
export const WAVES_APART = 2 * WAVE + 26;

const TENS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const TWOS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The largest absolute value of the finite numbers, never 0. */
const largestAbsolute = (values: Float64Array): number =>
  values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1e-300);

/** The places with ticks: multiples of the smallest of `sizes` that is at least `every`, and the last place, which replaces a tick that it would touch. */
function ticks(count: number, every: number, sizes: readonly number[]): number[] {
  const step = sizes.find((size) => size >= every) ?? 512;
  const places = Array.from({ length: Math.ceil(count / step) }, (_, place) => place * step);
  if (count > 1 && count - 1 - places.at(-1)! >= every) places.push(count - 1);
  else if (places.length > 1 && places.at(-1) !== count - 1) places.splice(-1, 1, count - 1);
  return places;
}

/** The columns that are drawn as waves: all columns if they are few; otherwise the target's column and some fixed ones. */
function waveColumns(columns: number, column: number, most: number): number[] {
  if (columns <= most) return Array.from({ length: columns }, (_, place) => place);
  const others = [0.125, 0.3125, 0.625].map((part) => 2 * Math.floor((part * columns) / 2));
  const first = others.includes(column) ? Math.min(20, columns - 1) : column;
  return [...new Set([first, ...others])].slice(0, most);
}

/** Functions that draw in the margins of a placed tensor. */
export function marginsOf(scene: Scene, tensor: PlacedTensor, { rows, columns }: Block, words: Words) {
  const { node, x, y, cellWidth, cellHeight, role, step } = tensor;
  const bottom = y + rows * cellHeight;
  const right = x + columns * cellWidth;
  const everyRow = Array.from({ length: rows }, (_, row) => row);
  const addLabel = (x: number, y: number, text: string, more: Partial<Label> = {}): void => {
    scene.labels.push({ x, y, text, kind: "axis", step, ...more });
  };
  const addCurve = (id: string, points: Point[], more: Partial<Curve> = {}): void => {
    scene.curves.push({ id, points, role, kind: "line", step, ...more });
  };
  const addLine = (id: string, from: Point, to: Point, more: Partial<Curve> = {}): void =>
    addCurve(id, [from, to], { kind: "faint", ...more });
  const addFrame = (id: string, x: number, y: number, width: number, height: number): void => {
    const [left, top, right, bottom] = [x - 1, y - 1, x + width + 1, y + height + 1];
    const points: Point[] = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ];
    addCurve(id, points, { role: "activation" });
  };
  /** Draws a number of each row of the map, at the height of the row, by its distance from a vertical line at `middle`. */
  const addWave = (
    ids: [line: string, zero: string],
    middle: number,
    values: Float64Array,
    more: Wave,
  ): void => {
    const { scale, cells, ...own } = more;
    const at = (row: number): Point => [middle + scale * values[row]!, y + (row + 0.5) * cellHeight];
    addLine(ids[1], [middle, y], [middle, bottom], own);
    addCurve(ids[0], everyRow.map(at), { ...own, cells, dots: rows <= 128 });
  };

  return {
    /** Writes the numbers of rows beside them, at round places that are far enough apart. */
    drawRowAxis(names: readonly string[]): void {
      for (const row of ticks(names.length, nameEvery(cellHeight, 16), TENS))
        addLabel(x - 12, y + (row + 0.5) * cellHeight + 4, names[row]!, { anchor: "end" });
    },

    /** Writes the numbers of columns below them, at multiples of a power of two. */
    drawColumnAxis(): void {
      for (const column of ticks(columns, nameEvery(cellWidth, columns > 64 ? 60 : 24), TWOS))
        addLabel(x + (column + 0.5) * cellWidth, bottom + 20, String(column), { anchor: "middle" });
    },

    /** Draws a row below `top`: its sines and its cosines as two curves, or all its numbers as one. Returns the lower edge. */
    drawProfile({ data }: Snapshot, row: number, name: string, isWave: boolean, top: number): number {
      const middle = top + 78;
      const scale = 30 / largestAbsolute(data);
      const point = (column: number): Point => [
        x + (column + 0.5) * cellWidth,
        middle - scale * data[row * columns + column]!,
      ];
      const line = (id: string, kind: Curve["kind"], first: number, every: number): void => {
        const count = Math.ceil((columns - first) / every);
        const places = Array.from({ length: count }, (_, place) => first + place * every);
        const cells = places.map((column) => ({ node, index: [row, column] }));
        addCurve(id, places.map(point), { kind, dots: columns <= 64, cells });
      };
      addLine("row-zero", [x, middle], [right, middle]);
      if (isWave) {
        line("row-cos", "dashed", 1, 2);
        line("row-sin", "line", 0, 2);
        const cosine = point(columns - 1)[1] + 4;
        const sine = point(Math.max(0, columns - 2))[1] + 4;
        addLabel(right + 8, cosine, "cos");
        addLabel(right + 8, Math.abs(sine - cosine) >= 12 ? sine : sine + 14, "sin");
      } else line("row", "line", 0, 1);
      addLabel(x - 12, middle + 4, name, { kind: "heading", anchor: "end" });
      addLabel(x, middle + 54, words(isWave ? "labs.positions.row.waves" : "labs.positions.row"));
      return middle + 66;
    },

    /** Draws columns as waves, from `left` to the right. */
    drawColumnWaves({ data }: Snapshot, column: number, left: number, most: number): void {
      const scale = WAVE / largestAbsolute(data);
      waveColumns(columns, column, most).forEach((at, place) => {
        const middle = left + WAVE + 4 + place * WAVES_APART;
        const cells = everyRow.map((row) => ({ node, index: [row, at] }));
        const values = data.filter((_, flat) => flat % columns === at);
        addWave([`column-${at}`, `zero-${at}`], middle, values, { scale, cells });
        const kind = at === column ? "heading" : "axis";
        addLabel(middle, y - 10, words("labs.positions.dim", { n: at }), { kind, anchor: "middle" });
      });
    },

    /** Draws the similarities of one position to all positions as a wave. */
    drawSimilarity({ data }: Snapshot, row: number, name: string, left: number): void {
      const own = { role: "attention", step: 1 } as const;
      const middle = left + WAVE + 4;
      const values = data.slice(row * rows, (row + 1) * rows);
      const cells = everyRow.map((at) => ({ node: "similarity", index: [row, at] }));
      addWave(["alike", "alike-zero"], middle, values, {
        scale: WAVE / largestAbsolute(values),
        cells,
        ...own,
      });
      addLabel(middle, y - 10, words("labs.positions.alike", { p: name }), { anchor: "middle", ...own });
    },

    /** Draws frames around a row and a column if the cells are too small to be seen. */
    drawFrames(row: number, column: number): void {
      if (cellWidth >= 8 && cellHeight >= 8) return;
      addFrame("target-row", x, y + row * cellHeight, columns * cellWidth, cellHeight);
      addFrame("target-column", x + column * cellWidth, y, cellWidth, rows * cellHeight);
    },
  };
}
