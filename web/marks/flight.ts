/**
 * Numbers on their way: copies of operands lift from their cells and fly into the note, the note's lines appear, and the result flies to its
 * cell. Everything is a function of the time since the beginning. DESIGN.md, section 7.
 */
import type { Rectangle } from "./board.js";
import { textWidth } from "./measure.js";
import type { Role } from "./scene.js";

export type Point = readonly [x: number, y: number];

/** The height, the least width and the type size of a copy. */
export const COPY = { height: 28, least: 32, type: 13 } as const;

export const copyWidth = (text: string): number => Math.max(COPY.least, textWidth(text, COPY.type) + 12);

/** A copy of a number with the look of its cell. */
export interface Copy {
  text: string;
  role: Role;
  fill: string;
  ink: string;
}

/** A copy on its way along a path, from `starts` to `ends`. */
export interface Flight {
  copy: Copy;
  path: readonly Point[];
  starts: number;
  ends: number;
}

/** A bar in a cell whose number is not there yet: it grows to an exponential and shrinks to its share of the sum. Both are shares of the cell's height. */
export interface Bar {
  cell: Rectangle;
  role: Role;
  grown: number;
  share: number;
}

/** The parts of a travel, in the coordinates of the window. */
export interface TravelParts {
  /** The operands by line of the note: their copies, cells and places in the note. */
  operands: readonly {
    line: number | null;
    copies: readonly { copy: Copy; from: Point; to: Point; slot: Rectangle | null }[];
  }[];
  /** The lines of the note that appear one after another once the operands are there. */
  lines: readonly number[];
  result: { copy: Copy; from: Point; to: Point };
  /** The cell of the result, framed from the beginning. */
  goal: Rectangle;
  /** The bars of a softmax, with the lines at which they grow and shrink. */
  bars?: { bars: readonly Bar[]; grows: number; shrinks: number };
  /** The place of the largest number in the note, framed while the line `until` appears. */
  largest?: { slot: Rectangle; line: number } | undefined;
}

export interface Travel extends TravelParts {
  flights: readonly Flight[];
  /** When each line appears. */
  times: ReadonlyMap<number, number>;
  flightOfResult: Flight;
  ends: number;
}

/** A copy at a moment: the middle of its place, and its path behind and ahead of it. */
export interface PlacedCopy {
  copy: Copy;
  at: Point;
  isLifted: boolean;
  behind: readonly Point[];
  ahead: readonly Point[];
}

export interface TravelScene {
  copies: readonly PlacedCopy[];
  /** The empty places in the note that copies fly to. */
  slots: readonly Rectangle[];
  bars: readonly (Rectangle & { role: Role })[];
  /** The frames of the cell of the result, and of the largest number. */
  frames: readonly Rectangle[];
  /** The lines of the note whose numbers are not there yet, and whether its result is not. */
  hiddenLines: readonly number[];
  hidesResult: boolean;
}

/** Milliseconds: copies lift, fly, stay as copies; a line appears, at most so long for all lines; the result flies. */
const times = { lift: 180, fly: 420, stay: 60, line: 180, lines: 720, result: 240 } as const;
/** Milliseconds between two copies of a line, and the height of a lift. */
const APART = 40;
const LIFT = 9;
/** The parts that a path is cut into. */
const PARTS = 24;

const between = (from: number, to: number, part: number): number => from + (to - from) * part;
const inTurn = (time: number, starts: number, ends: number): number =>
  Math.max(0, Math.min(1, (time - starts) / (ends - starts)));
/** Slow at both ends. */
const eased = (part: number): number => (part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2);

/** A path that leaves towards `first` and arrives from `second`. */
function curved(from: Point, first: Point, second: Point, to: Point): Point[] {
  return Array.from({ length: PARTS + 1 }, (_, at) => {
    const part = at / PARTS;
    const rest = 1 - part;
    const mix = (axis: 0 | 1): number =>
      rest ** 3 * from[axis] +
      3 * rest ** 2 * part * first[axis] +
      3 * rest * part ** 2 * second[axis] +
      part ** 3 * to[axis];
    return [mix(0), mix(1)];
  });
}

/** The path of an operand: along the row of the goal where it is in that row, then up or down to its place; otherwise straight across. */
function pathOf(from: Point, to: Point, goal: Point): Point[] {
  if (Math.abs(from[1] - goal[1]) < 2)
    return curved(from, [between(from[0], goal[0], 0.9), from[1]], [to[0], between(from[1], to[1], 0.4)], to);
  const along = (part: number): Point => [between(from[0], to[0], part), between(from[1], to[1], part)];
  return curved(from, along(1 / 3), along(2 / 3), to);
}

/** The flights of several copies in `takes` milliseconds, one shortly after another, the last copy first. */
export function flight(
  copies: readonly { copy: Copy; path: readonly Point[] }[],
  starts: number,
  takes: number,
): Flight[] {
  const last = copies.length - 1;
  const apart = last > 0 ? Math.min(APART, takes / 2 / last) : 0;
  return copies.map(({ copy, path }, at) => {
    const begins = starts + apart * (last - at);
    return { copy, path, starts: begins, ends: begins + takes - apart * last };
  });
}

export function travelOf(parts: TravelParts): Travel {
  const { operands, lines, result } = parts;
  const flights = operands.flatMap(({ copies }) =>
    flight(
      copies.map(({ copy, from, to }) => ({ copy, path: pathOf(from, to, result.to) })),
      times.lift,
      times.fly,
    ),
  );
  const landed = times.lift + times.fly;
  const each = Math.min(times.line, times.lines / Math.max(1, lines.length));
  const shown = landed + each * lines.length;
  const { from, to } = result;
  const path = curved(
    from,
    [from[0], between(from[1], to[1], 0.6)],
    [between(from[0], to[0], 0.6), to[1]],
    to,
  );
  const [flightOfResult] = flight([{ copy: result.copy, path }], shown, times.result);
  return {
    ...parts,
    flights,
    times: new Map(lines.map((line, at) => [line, landed + each * at])),
    flightOfResult: flightOfResult!,
    ends: shown + times.result,
  };
}

/** A copy at a share of its path, measured along the path. */
function placed({ copy, path }: Flight, part: number, lift: number): PlacedCopy {
  const lengths = path.slice(1).map(([x, y], at) => Math.hypot(x - path[at]![0], y - path[at]![1]));
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  let at = 0;
  while (at < lengths.length - 1 && left > lengths[at]!) left -= lengths[at++]!;
  const share = lengths[at] ? Math.min(1, left / lengths[at]!) : 1;
  const [a, b] = [path[at]!, path[at + 1] ?? path[at]!];
  const here: Point = [between(a[0], b[0], share), between(a[1], b[1], share)];
  return {
    copy,
    at: [here[0], here[1] - lift],
    isLifted: lift > 0,
    behind: part > 0 && part < 1 ? [...path.slice(0, at + 1), here] : [],
    ahead: part > 0 && part < 1 ? [here, ...path.slice(at + 1)] : [],
  };
}

/** What a travel shows at a time, in milliseconds since its beginning. After its end the result stays in its cell. */
export function travelAt(travel: Travel, time: number): TravelScene {
  const { operands, flights, lines, bars, largest, flightOfResult } = travel;
  const landed = times.lift + times.fly;
  const isAtRest = time >= travel.ends;
  const copies = flights.flatMap((one) => {
    if (time > landed + times.stay) return [];
    const lift =
      LIFT * eased(inTurn(time, 0, times.lift)) * (1 - inTurn(time, one.ends - times.stay, one.ends));
    return [placed(one, eased(inTurn(time, one.starts, one.ends)), lift)];
  });
  if (time >= flightOfResult.starts)
    copies.push(placed(flightOfResult, eased(inTurn(time, flightOfResult.starts, flightOfResult.ends)), 0));
  const partOf = (line: number): number => {
    const starts = travel.times.get(line) ?? Infinity;
    return time < starts ? 0 : eased(inTurn(time, starts, starts + times.line));
  };
  return {
    copies,
    slots: time < landed ? operands.flatMap(({ copies: all }) => all.flatMap(({ slot }) => slot ?? [])) : [],
    bars:
      !bars || isAtRest
        ? []
        : bars.bars.map(({ cell, role, grown, share }) => {
            const height = cell.height * between(grown * partOf(bars.grows), share, partOf(bars.shrinks));
            return { x: cell.x, y: cell.y + cell.height - height, width: cell.width, height, role };
          }),
    frames: [
      travel.goal,
      ...(largest && partOf(largest.line) > 0 && time < flightOfResult.starts ? [largest.slot] : []),
    ],
    hiddenLines: [
      ...(time < landed ? operands.flatMap(({ line }) => line ?? []) : []),
      ...lines.filter((line) => time < travel.times.get(line)!),
    ],
    hidesResult: time < flightOfResult.starts,
  };
}
