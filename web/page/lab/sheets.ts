/** What a lab shows at all its stops, for paper: each stop's scene once, cut where nothing is cut through, so that a page can end there. */
import type { Config } from "../../config/config.js";
import { boardsOf } from "../../marks/board.js";
import { columnNames } from "../../marks/measure.js";
import type { RoomAt, Scene, Snapshots } from "../../marks/scene.js";
import { sceneFor } from "../open-lab.js";
import { stops } from "../stops.js";

/** The scene of one stop or several. */
export interface Sheet {
  /** Places of its stops among all. */
  stops: number[];
  whole: Scene;
  /** From top to bottom. */
  bands: Scene[];
}

/**
 * What a sheet of A4 or Letter, upright, has room for, drawn so much smaller that the smallest letters have 5.6 points, and a little
 * less where a line is higher than a page; on the first one, under the head.
 */
const paper = { zoom: 0.83, width: 840, page: 1150, under: 760 };
/** Heights a scene is made for: the first, unless its lines are higher than pages, as those of maps that fill what room there is. */
const heights = [1500, paper.under];

/** What stands on a stage from `top` to `bottom`. */
interface Line {
  top: number;
  bottom: number;
  /** Tensors and images. */
  boards: string[];
  curves: string[];
  /** It belongs to what stands below it: words, or tensors that are multiplied with those. */
  leads: boolean;
}

/** Where each thing of a scene stands, with what is set around it. */
function thingsOf(scene: Scene, snapshots: Snapshots): Line[] {
  const thing = (ys: readonly number[], above: number, below: number, own: Partial<Line> = {}): Line => ({
    top: Math.min(...ys) - above,
    bottom: Math.max(...ys) + below,
    boards: [],
    curves: [],
    leads: true,
    ...own,
  });
  return [
    ...boardsOf(scene, snapshots).map((board) => {
      const { id, y, rows, cellHeight, cellWidth, tensor } = board;
      const { columnNames: names = [], caption = "none" } = tensor?.placed ?? {};
      const above = 5 + columnNames(names, cellWidth).height + (caption === "above" ? 28 : 0);
      const own = { boards: [id], leads: caption === "above" };
      return thing([y, y + rows * cellHeight], above, caption === "below" ? 48 : 5, own);
    }),
    ...scene.images.map(({ id, y, size }) => thing([y, y + size], 5, 5, { boards: [id], leads: false })),
    ...scene.curves.map(({ id, points, kind }) => {
      const ys = points.map(([, y]) => y);
      return thing(ys, 6, 6, { curves: [id], leads: kind === "bracket" });
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

/** `last` and what stands beside it, or below it. */
function joined(last: Line, next: Line): Line {
  return {
    top: last.top,
    bottom: Math.max(last.bottom, next.bottom),
    boards: [...last.boards, ...next.boards],
    curves: [...last.curves, ...next.curves],
    leads: last.leads && next.leads,
  };
}

/** What stands beside one another, from top to bottom. */
function rowsOf(scene: Scene, snapshots: Snapshots): Line[] {
  const rows: Line[] = [];
  for (const next of thingsOf(scene, snapshots).sort((a, b) => a.top - b.top)) {
    const last = rows.at(-1);
    if (last && next.top <= last.bottom) rows.push(joined(rows.pop()!, next));
    else rows.push(next);
  }
  // They meet in the middle of what is empty between them.
  const middle = (at: number): number => (rows[at]!.bottom + rows[at + 1]!.top) / 2;
  return rows.map((row, at) => ({
    ...row,
    top: at > 0 ? middle(at - 1) : Math.min(0, row.top),
    bottom: at < rows.length - 1 ? middle(at) : row.bottom,
  }));
}

/** The lines between which a page can end: each with what leads to it, the last with the legends. */
function linesOf(rows: readonly Line[]): Line[] {
  const lines: Line[] = [];
  for (const [at, row] of rows.entries()) {
    const last = lines.at(-1);
    const isEnd = at === rows.length - 1 && row.leads;
    if (last && (last.leads || isEnd)) lines.push(joined(lines.pop()!, row));
    else lines.push(row);
  }
  return lines;
}

/** What stands between two heights of a scene, alone. */
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
    curves: lines(scene.curves),
  };
}

/** The scene of a stop at the first height at which its lines have room on pages, else at the last. */
function sceneOf(config: Config, snapshots: Snapshots, room: RoomAt): Scene {
  let scene: Scene | null = null;
  for (const height of heights) {
    scene = sceneFor(config, snapshots, { ...room, width: paper.width, height, layout: "two" });
    const [first, ...rest] = linesOf(rowsOf(scene, snapshots)).map(({ top, bottom }) => bottom - top);
    if ((first ?? 0) <= paper.under && rest.every((line) => line <= paper.page)) break;
  }
  return scene!;
}

/** The sheets of a lab; `here` is the room of the reader's stop, which shows the target. */
export function sheetsOf(config: Config, snapshots: Snapshots, here: RoomAt): Sheet[] {
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

/** How much smaller a band is drawn, so that it stands on a page. */
export const zoomOnPaper = ({ width, height }: Scene, under: boolean): number =>
  paper.zoom * Math.min(1, (under ? paper.under : paper.page) / height, paper.width / width);
