/** The numbers a link must produce, as they are kept: a small tensor whole, of a larger one some cells and sums over all of them. */
import type { Snapshot } from "../../web/core/attention.js";

/** Numbers that JSON has not are kept as text. */
type Written = number | "Infinity" | "-Infinity" | "NaN";

export type Kept = { shape: number[] } & (
  | { data: Written[] }
  | {
      /** The largest magnitude. This and the sums are of the finite numbers. */
      largest: number;
      /** The sum, the sum of squares of numbers over the largest, and the sum of each number times its place, from 1, over the number of places. */
      sums: [number, number, number];
      /** How many numbers are not finite, and the sum of their places. Absent: all are. */
      infinite?: [number, number];
      /** What stands at `places`. */
      data: Written[];
    }
  | {
      /** Made from a clock: only that it is finite and not negative can be said. */
      measured: true;
    }
);

/** A link, and the named tensors of its Config; or what the core says where it refuses them. */
export type LinkNumbers = { link: string; tensors: Record<string, Kept> } | { link: string; refused: string };

type Numbers = Pick<Snapshot, "name" | "op" | "inputs" | "shape" | "data">;

/** How far a number may be from the one that is kept: RELATIVE of it, and ABSOLUTE of the largest of its tensor. */
const RELATIVE = 1e-9;
const ABSOLUTE = 1e-12;

/** A tensor of so many numbers is kept whole. */
const WHOLE = 12;

/** Of a link with so many tensors each is kept. */
const FEW = 16;

const written = (value: number): Written =>
  Number.isFinite(value) ? value : (String(value) as "Infinity" | "-Infinity" | "NaN");

/** Of a larger tensor, row by row: the first place, the last, and two between, by the golden section, so in no one row or column. */
const places = (length: number): number[] => [
  0,
  Math.floor(length * 0.381966),
  Math.floor(length * 0.618034),
  length - 1,
];

function sums(data: ArrayLike<number>) {
  let largest = 0;
  for (let at = 0; at < data.length; at++)
    if (Number.isFinite(data[at])) largest = Math.max(largest, Math.abs(data[at]!));
  const sums: [number, number, number] = [0, 0, 0];
  const infinite: [number, number] = [0, 0];
  for (let at = 0; at < data.length; at++) {
    const value = data[at]!;
    if (Number.isFinite(value)) {
      sums[0] += value;
      // Numbers that ran away have no squares.
      sums[1] += value === 0 ? 0 : (value / largest) ** 2;
      sums[2] += value * ((at + 1) / data.length);
    } else {
      infinite[0] += 1;
      infinite[1] += at;
    }
  }
  return { largest, sums, ...(infinite[0] > 0 ? { infinite } : {}) };
}

function kept({ shape, data }: Numbers, measured: boolean): Kept {
  if (measured) return { shape: [...shape], measured };
  if (data.length <= WHOLE) return { shape: [...shape], data: Array.from(data, written) };
  return {
    shape: [...shape],
    ...sums(data),
    data: places(data.length).map((place) => written(data[place]!)),
  };
}

/** What a reader looks at where there are many tensors: what nothing else is made of, and shares of attention. */
function results(snapshots: readonly Numbers[]): readonly Numbers[] {
  if (snapshots.length <= FEW) return snapshots;
  const used = new Set(snapshots.flatMap(({ inputs }) => inputs));
  return snapshots.filter(({ name, op }) => !used.has(name) || op === "softmax");
}

/** What the complexity lab reads off a clock; its other leaves are settings and counts. */
const clocks = ["begun", "ended", "calls"];

/** The tensors of a link as they are kept, by their names. `timed`: the lab has clocks. */
export function numbersKept(snapshots: readonly Numbers[], timed: boolean): Record<string, Kept> {
  const measured = new Set<string>();
  // Snapshots come in the order in which nodes were made, inputs first.
  for (const { name, inputs } of snapshots)
    if (timed && (clocks.includes(name) || inputs.some((input) => measured.has(input)))) measured.add(name);
  return Object.fromEntries(
    results(snapshots).map((snapshot) => [snapshot.name, kept(snapshot, measured.has(snapshot.name))]),
  );
}

/** What a comparison found: how far the numbers are apart at most, over the largest of their tensor, and what is wrong. */
export interface Compared {
  tensors: number;
  deviation: number;
  complaints: string[];
}

/** Compares what was computed with what is kept. Nodes that are not kept are new, and may be what they are. */
export function compare(tensors: Record<string, Kept>, computed: readonly Numbers[]): Compared {
  const found = new Map(computed.map((snapshot) => [snapshot.name, snapshot]));
  const result: Compared = { tensors: 0, deviation: 0, complaints: [] };
  for (const [name, expected] of Object.entries(tensors)) {
    const got = found.get(name);
    result.tensors += 1;
    if (!got) result.complaints.push(`${name} is not computed`);
    else if (got.shape.join() !== expected.shape.join())
      result.complaints.push(
        `${name} has the shape (${got.shape.join()}), kept is (${expected.shape.join()})`,
      );
    else compareTensor(name, expected, got, result);
  }
  return result;
}

function compareTensor(name: string, expected: Kept, { data }: Numbers, result: Compared): void {
  const complain = (what: string, got: number, wanted: number): void =>
    void result.complaints.push(`${name}${what} is ${got}, kept is ${wanted}`);
  if ("measured" in expected) {
    const wrong = data.findIndex((value) => !(value >= 0 && value < Infinity));
    if (wrong >= 0) result.complaints.push(`${name}[${wrong}] is ${data[wrong]}, expected a measured number`);
    return;
  }
  const values = expected.data.map(Number);
  const finite = values.filter(Number.isFinite);
  const largest = "sums" in expected ? expected.largest : Math.max(0, ...finite.map(Math.abs));
  /** Holds a number to the kept one; `scale` is the largest that went into it. */
  const hold = (what: string, got: number, wanted: number, scale: number): void => {
    if (Object.is(got, wanted) || got === wanted) return;
    const apart = Math.abs(got - wanted);
    if (!(apart <= RELATIVE * Math.abs(wanted) + ABSOLUTE * scale) || !Number.isFinite(wanted))
      complain(what, got, wanted);
    if (Number.isFinite(apart)) result.deviation = Math.max(result.deviation, apart / scale);
    else result.deviation = Infinity;
  };
  if (!("sums" in expected)) {
    if (data.length !== values.length) complain(".length", data.length, values.length);
    values.forEach((wanted, place) => hold(`[${place}]`, data[place] ?? NaN, wanted, largest));
    return;
  }
  places(data.length).forEach((place, at) => hold(`[${place}]`, data[place]!, values[at]!, largest));
  const now = sums(data);
  hold(".largest", now.largest, largest, largest);
  // Each number may be apart as much as its own bound says, so a sum may be as much as all of them together; their magnitudes over
  // the largest sum to at most the root of how many there are times their squares.
  const bound = RELATIVE * Math.sqrt(data.length * expected.sums[1]) + ABSOLUTE * data.length;
  const bounds = [largest * bound, 4 * bound, largest * bound];
  expected.sums.forEach((wanted, at) => {
    if (!(Math.abs(now.sums[at]! - wanted) <= bounds[at]!)) complain(`.sums[${at}]`, now.sums[at]!, wanted);
  });
  const [count, where] = now.infinite ?? [0, 0];
  const [wantedCount, wantedWhere] = expected.infinite ?? [0, 0];
  if (count !== wantedCount || where !== wantedWhere) complain(".infinite", count, wantedCount);
}
