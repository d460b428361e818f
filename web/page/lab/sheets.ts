/**
 * The scenes of a lab at all its stops, for paper: each scene once, cut into bands between its rows, so that
 * a page can end there.
 */
import type { Config } from "../../config/config.js";
import { boardsOf } from "../../marks/board.js";
import { columnNames } from "../../marks/measure.js";
import type { TargetRoom, Scene, Snapshots } from "../../marks/scene.js";
import { sceneFor } from "../open-lab.js";
import { stops } from "../stops.js";

/** The scene of one or several stops. */
export interface Sheet {
  /** Indices of the stops that have this scene. */
  stops: number[];
  whole: Scene;
  /** The bands of the scene, from top to bottom. */
  bands: Scene[];
}

/**
 * The room on an upright sheet of A4 or Letter, in scene pixels: `zoom` makes the smallest letters 5.6 points
 * high, `page` is the height of a page, and `under` is what remains below the head on the first one. A band
 * higher than a page is drawn smaller.
 */
const paper = { zoom: 0.83, width: 840, page: 1150, under: 760 };
/**
 * The heights that a scene is made for: the first, unless its lines are then higher than pages, like those of
 * maps that fill the room they get.
 */
const heights = [1500, paper.under];

/** A part of a scene, from `top` to `bottom`. */
interface Line {
  top: number;
  bottom: number;
  /** Ids of tensors and images. */
  boards: string[];
  curves: string[];
  /** Whether it belongs to the line below it: words, or tensors that are multiplied with those below. */
  belongsBelow: boolean;
}

/** The extent of each object of a scene, with its margins. */
function thingsOf(scene: Scene, snapshots: Snapshots): Line[] {
  const thing = (ys: readonly number[], above: number, below: number, own: Partial<Line> = {}): Line => ({
    top: Math.min(...ys) - above,
    bottom: Math.max(...ys) + below,
    boards: [],
    curves: [],
    belongsBelow: true,
    ...own,
  });
  return [
    ...boardsOf(scene, snapshots).map((board) => {
      const { id, y, rows, cellHeight, cellWidth, tensor } = board;
      const { columnNames: names = [], caption = "none" } = tensor?.placed ?? {};
      const above = 5 + columnNames(names, cellWidth).height + (caption === "above" ? 28 : 0);
      const own = { boards: [id], belongsBelow: caption === "above" };
      return thing([y, y + rows * cellHeight], above, caption === "below" ? 48 : 5, own);
    }),
    ...scene.images.map(({ id, y, size }) =>
      thing([y, y + size], 5, 5, { boards: [id], belongsBelow: false }),
    ),
    ...scene.curves.map(({ id, points, kind }) => {
      const ys = points.map(([, y]) => y);
      return thing(ys, 6, 6, { curves: [id], belongsBelow: kind === "bracket" });
    }),
    ...scene.wires.map(({ points }) => {
      const ys = points.map(([, y]) => y);
      return thing(ys, 5, 5);
    }),
    ...scene.labels.map(({ y }) => thing([y], 14, 8)),
    ...scene.operators.map(({ y }) => thing([y], 18, 22)),
    ...scene.legends.map(({ y }) => thing([y], 4, 26)),
  ];
}

/** The union of `last` and `next`, which is beside or below it. */
function union(last: Line, next: Line): Line {
  return {
    top: last.top,
    bottom: Math.max(last.bottom, next.bottom),
    boards: [...last.boards, ...next.boards],
    curves: [...last.curves, ...next.curves],
    belongsBelow: last.belongsBelow && next.belongsBelow,
  };
}

/** The rows of objects that overlap vertically, from top to bottom. */
function rowsOf(scene: Scene, snapshots: Snapshots): Line[] {
  const rows: Line[] = [];
  for (const next of thingsOf(scene, snapshots).sort((a, b) => a.top - b.top)) {
    const last = rows.at(-1);
    if (last && next.top <= last.bottom) rows.push(union(rows.pop()!, next));
    else rows.push(next);
  }
  // Two rows meet in the middle of the gap between them.
  const middle = (at: number): number => (rows[at]!.bottom + rows[at + 1]!.top) / 2;
  return rows.map((row, at) => ({
    ...row,
    top: at > 0 ? middle(at - 1) : Math.min(0, row.top),
    bottom: at < rows.length - 1 ? middle(at) : row.bottom,
  }));
}

/**
 * The lines between which a page can end: each row with those that lead to it, and the last with the legends.
 */
function linesOf(rows: readonly Line[]): Line[] {
  const lines: Line[] = [];
  for (const [at, row] of rows.entries()) {
    const last = lines.at(-1);
    const isEnd = at === rows.length - 1 && row.belongsBelow;
    if (last && (last.belongsBelow || isEnd)) lines.push(union(lines.pop()!, row));
    else lines.push(row);
  }
  return lines;
}

/** The part of a scene between two heights. */
function band(scene: Scene, top: number, bottom: number): Scene {
  const within = <T extends { y: number }>(things: readonly T[]): T[] =>
    things.filter(({ y }) => y >= top && y < bottom).map((thing) => ({ ...thing, y: thing.y - top }));
  const lines = <T extends { points: [number, number][] }>(things: readonly T[]): T[] =>
    things
      .filter(({ points }) => points.every(([, y]) => y >= top && y < bottom))
      .map((thing) => ({ ...thing, points: thing.points.map(([x, y]): [number, number] => [x, y - top]) }));
  return {
    ...scene,
    height: bottom - top,
    note: null,
    tensors: within(scene.tensors),
    images: within(scene.images),
    labels: within(scene.labels),
    operators: within(scene.operators),
    legends: within(scene.legends),
    wires: lines(scene.wires),
    curves: lines(scene.curves).map((curve) => (curve.path ? { ...curve, pathUp: top } : curve)),
    ...(scene.openers && { openers: within(scene.openers) }),
    ...(scene.rails && {
      rails: scene.rails
        .filter(({ from, to }) => [from, to].every(([, y]) => y >= top && y < bottom))
        .map(({ from: [x, y], to: [endX, endY], ...rail }) => ({
          ...rail,
          from: [x, y - top] as const,
          to: [endX, endY - top] as const,
        })),
    }),
  };
}

/** The scene of a stop at the first height at which its lines fit on pages, else at the last. */
function sceneOf(config: Config, snapshots: Snapshots, room: TargetRoom): Scene {
  let scene: Scene | null = null;
  for (const height of heights) {
    scene = sceneFor(config, snapshots, { ...room, width: paper.width, height, layout: "two" });
    const [first, ...rest] = linesOf(rowsOf(scene, snapshots)).map(({ top, bottom }) => bottom - top);
    if ((first ?? 0) <= paper.under && rest.every((line) => line <= paper.page)) break;
  }
  return scene!;
}

/** The sheets of a lab; `here` is the room of the reader's stop, which shows the target. */
export function sheetsOf(config: Config, snapshots: Snapshots, here: TargetRoom): Sheet[] {
  const shown = new Map<string, { stops: number[]; whole: Scene }>();
  for (const [stop, own] of stops(config, snapshots, here).entries()) {
    const whole = sceneOf(config, snapshots, stop === here.step ? here : own);
    const key = [...whole.tensors, ...whole.images].map(({ id }) => id).join();
    const same = shown.get(key);
    const first = same && stop !== here.step ? same.whole : whole;
    shown.set(key, { stops: [...(same?.stops ?? []), stop], whole: first });
  }
  const printed = new Set<string>();
  return [...shown.values()].map(({ stops: at, whole }) => {
    const rows = rowsOf(whole, snapshots).filter((row) => {
      const ids = row.boards.length > 0 ? row.boards : row.curves;
      const known = ids.length > 0 && ids.every((id) => printed.has(id));
      for (const id of [...row.boards, ...row.curves]) printed.add(id);
      return !known;
    });
    return { stops: at, whole, bands: linesOf(rows).map(({ top, bottom }) => band(whole, top, bottom)) };
  });
}

/** The factor that makes a band fit on a page. */
export const zoomOnPaper = ({ width, height }: Scene, under: boolean): number =>
  paper.zoom * Math.min(1, (under ? paper.under : paper.page) / height, paper.width / width);
