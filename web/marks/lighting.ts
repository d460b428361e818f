/** The highlights of a stage: the target, the runs of cells it is computed from, and dotted leaders between them. See DESIGN.md, section 4. */
import { middleOf, rectangleOf, type Board, type Cell, type Rectangle } from "./board.js";
import type { Run } from "./plane.js";
import type { Role } from "./scene.js";
import { holdsPlace } from "./stops.js";

/** The cells of a node from one corner to the other, inclusive. */
export interface Region {
  node: string;
  from: readonly number[];
  to: readonly number[];
}

/** `index` if the region has this cell, so that moving along rows and columns stays in the same row and column; else its first cell. */
export function sameIndexIn({ from, to }: Region, index: readonly number[]): number[] {
  const holds =
    index.length === from.length &&
    index.every((place, axis) => place >= (from[axis] ?? 0) && place <= (to[axis] ?? -1));
  return [...(holds ? index : from)];
}

export interface Leader {
  from: readonly [number, number];
  to: readonly [number, number];
  role: Role;
}

export interface Lighting {
  /** The board and the cells where the target is framed. */
  target: { board: Board; run: Run } | null;
  /** The same cell on other boards. */
  twins: { board: Board; run: Run }[];
  /** The highlighted runs of cells by board id. */
  sources: ReadonlyMap<string, Run[]>;
  leaders: Leader[];
}

/** The gap between a leader and the frames at its ends. */
const CLEAR = 4;
/** Shorter leaders are left out. */
const SHORTEST = 8;
const MOST_LEADERS = 4;

/**
 * Finds the highlights for a target and the regions that it is computed from. A node with several boards is highlighted once: on
 * the board in line with the target, else on the nearest one. `anchor` is the board that was pointed at, if the target has
 * several.
 */
export function lightingOf(
  boards: readonly Board[],
  cell: Cell | null,
  regions: readonly Region[],
  anchor: string | null,
): Lighting {
  const sources = new Map<string, Run[]>();
  const lighting: Lighting = { target: null, twins: [], sources, leaders: [] };
  if (!cell) return lighting;
  const placesOfTarget = boards.flatMap((board) => {
    const run = board.run(cell.node, cell.index, cell.index);
    return run ? [{ board, run }] : [];
  });
  const target = placesOfTarget.find(({ board }) => board.id === anchor) ?? placesOfTarget[0] ?? null;
  lighting.target = target;
  lighting.twins = placesOfTarget.filter((other) => other !== target);
  // A patch of an image is in line with nothing: leaders end at a matrix.
  const inLine = target?.board.tensor ? target : lighting.twins.find(({ board }) => board.tensor);
  const goal = inLine && rectangleOf(inLine.board, inLine.run);
  for (const region of regions) {
    const nearest = new Map<string, { board: Board; run: Run; distance: number }>();
    for (const board of boards) {
      const run = board.run(region.node, region.from, region.to);
      if (!run || board === target?.board) continue;
      const distance = goal ? distanceOf(rectangleOf(board, run), goal) : 0;
      const part = JSON.stringify(board.tensor ? board.tensor.placed.at : board.id);
      if (distance < (nearest.get(part)?.distance ?? Infinity)) nearest.set(part, { board, run, distance });
    }
    for (const { board, run } of nearest.values()) {
      sources.set(board.id, [...(sources.get(board.id) ?? []), run]);
      const role = board.tensor?.placed.role ?? "activation";
      const line = goal && board.tensor && leaderOf(rectangleOf(board, run), goal);
      if (line && lighting.leaders.length < MOST_LEADERS) lighting.leaders.push({ ...line, role });
    }
  }
  return lighting;
}

/** The highlights without the frame of a target whose number is not computed yet; `shown`: the number of computed cells of a board. */
export function ofShownTarget(lighting: Lighting, shown: (board: Board) => number): Lighting {
  const { target } = lighting;
  return !target || holdsPlace(target.board, [target.run.top, target.run.left], shown(target.board))
    ? lighting
    : { ...lighting, target: null, twins: [], leaders: [] };
}

/** The distance of a run from the goal, raised so that a run in line with the goal (straight beside, above or below it) is always nearest. */
function distanceOf(run: Rectangle, goal: Rectangle): number {
  const [x, y] = middleOf(goal);
  const across = Math.max(run.x - x, 0, x - run.x - run.width);
  const down = Math.max(run.y - y, 0, y - run.y - run.height);
  return across === 0 || down === 0 ? across + down : 1e6 + across + down;
}

function leaderOf(run: Rectangle, goal: Rectangle): Pick<Leader, "from" | "to"> | null {
  const [x, y] = middleOf(goal);
  const right = run.x + run.width;
  const bottom = run.y + run.height;
  let line: Pick<Leader, "from" | "to"> | null = null;
  if (y >= run.y && y <= bottom) {
    if (right <= goal.x) line = { from: [right + CLEAR, y], to: [goal.x - CLEAR, y] };
    else if (run.x >= goal.x + goal.width)
      line = { from: [run.x - CLEAR, y], to: [goal.x + goal.width + CLEAR, y] };
  } else if (x >= run.x && x <= right) {
    if (bottom <= goal.y) line = { from: [x, bottom + CLEAR], to: [x, goal.y - CLEAR] };
    else if (run.y >= goal.y + goal.height)
      line = { from: [x, run.y - CLEAR], to: [x, goal.y + goal.height + CLEAR] };
  }
  return line && Math.hypot(line.to[0] - line.from[0], line.to[1] - line.from[1]) >= SHORTEST ? line : null;
}
