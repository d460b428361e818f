/** What is lit: the target, the runs of cells it was made from, and the dotted leaders between them. DESIGN.md, section 4. */
import { rectangleOf, type Board, type Cell, type Rectangle } from "./board.js";
import type { Run } from "./plane.js";
import type { Role } from "./scene.js";

/** Cells of a node from one corner to the other, inclusive. */
export interface Region {
  node: string;
  from: readonly number[];
  to: readonly number[];
}

/** The cell of a region at `index`, so that a walk along rows and columns keeps its place; the region's first where it has none such. */
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
  /** Where the target is framed. */
  target: { board: Board; run: Run } | null;
  /** The same cell on other boards. */
  twins: { board: Board; run: Run }[];
  /** Lit runs by board id. */
  sources: ReadonlyMap<string, Run[]>;
  leaders: Leader[];
}

/** Air between a leader and the frames at its ends. */
const CLEAR = 4;
/** A leader shorter than this says nothing. */
const SHORTEST = 8;
const MOST_LEADERS = 4;

/**
 * Lights the boards for a target and the regions it was made from. A node that stands twice is lit once: where it is in line
 * with the target, else where it is nearest. `anchor` is the board that was pointed at, when the target stands on several.
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
  const standing = boards.flatMap((board) => {
    const run = board.run(cell.node, cell.index, cell.index);
    return run ? [{ board, run }] : [];
  });
  const target = standing.find(({ board }) => board.id === anchor) ?? standing[0] ?? null;
  lighting.target = target;
  lighting.twins = standing.filter((other) => other !== target);
  // A patch of an image is in line with nothing: leaders end in a matrix.
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

function middle(rectangle: Rectangle): [number, number] {
  return [rectangle.x + rectangle.width / 2, rectangle.y + rectangle.height / 2];
}

/** In line first: a run straight beside, above or below the goal is nearer than any other. */
function distanceOf(run: Rectangle, goal: Rectangle): number {
  const [x, y] = middle(goal);
  const across = Math.max(run.x - x, 0, x - run.x - run.width);
  const down = Math.max(run.y - y, 0, y - run.y - run.height);
  return across === 0 || down === 0 ? across + down : 1e6 + across + down;
}

function leaderOf(run: Rectangle, goal: Rectangle): Pick<Leader, "from" | "to"> | null {
  const [x, y] = middle(goal);
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
