/** Numbers of nodes as the points of a chart. */
import type { Snapshots } from "../marks/scene.js";
import type { Series } from "./chart.js";

export type Point = [x: number, y: number];

export const valuesOf = (snapshots: Snapshots, node: string): ArrayLike<number> =>
  snapshots.get(node)?.data ?? [];

/** The numbers of a node over their indices: a curve over steps. */
export const inOrder = (snapshots: Snapshots, node: string): Point[] =>
  Array.from(valuesOf(snapshots, node), (value, at): Point => [at, value]);

/** A row of a matrix, or of the matrices of a tensor one after another; for a vector, the one number at that place. */
export function rowOf(snapshots: Snapshots, node: string, row: number): number[] {
  const { shape = [], data } = snapshots.get(node) ?? {};
  const width = shape.length > 1 ? shape.at(-1)! : 1;
  return [...(data?.subarray(row * width, (row + 1) * width) ?? [])];
}

/** The rows of a matrix of two columns, as points. */
export function pointsOf(snapshots: Snapshots, node: string): Point[] {
  const data = valuesOf(snapshots, node);
  return Array.from({ length: data.length / 2 }, (_, at): Point => [data[2 * at]!, data[2 * at + 1]!]);
}

/** A curve that is solid up to the current step and dashed after it, with a dot at the step. `place` returns the index of a point's cell. */
export function curveUpTo(
  id: string,
  node: string,
  points: readonly Point[],
  step: number,
  place: (at: number) => number[],
  { role, end, now }: { role: Series["role"]; end?: string; now?: string },
): Series[] {
  const cells = points.map((_, at) => ({ node, index: place(at) }));
  const part = (name: string, from: number, to: number, more: Pick<Series, "kind" | "dots">, label = "") => ({
    id: `${id}${name}`,
    role,
    ...more,
    points: points.slice(from, to),
    cells: cells.slice(from, to),
    ...(label && { label }),
  });
  return [
    part("after", step, points.length, { kind: "dashed" }, end),
    part("before", 0, step + 1, { kind: "line" }),
    part("now", step, step + 1, { kind: "line", dots: "large" }, now),
  ];
}

/** The parts of a curve that have their lowest and their highest point drawn. */
const MOST_PARTS = 300;

/**
 * The places of the numbers that a curve of up to `length` numbers is drawn through: all finite ones, or of a long curve the lowest and the
 * highest of each of its equal parts, the first and the last, and the one at `also`. A curve that grows keeps those that it has.
 */
export function drawnPlaces(numbers: ArrayLike<number>, length: number, also = 0): number[] {
  const size = Math.ceil(length / MOST_PARTS);
  const finite = Array.from({ length: numbers.length }, (_, at) => at).filter((at) =>
    Number.isFinite(numbers[at]),
  );
  if (size <= 2) return finite;
  const parts = new Map<number, [lowest: number, highest: number]>();
  for (const at of finite) {
    const part = parts.get(Math.floor(at / size));
    if (!part) parts.set(Math.floor(at / size), [at, at]);
    else if (numbers[at]! < numbers[part[0]]!) part[0] = at;
    else if (numbers[at]! > numbers[part[1]]!) part[1] = at;
  }
  const ends = [finite[0] ?? 0, finite.at(-1) ?? 0, also].filter((at) => Number.isFinite(numbers[at]));
  return [...new Set([...ends, ...[...parts.values()].flat()])].sort((a, b) => a - b);
}
