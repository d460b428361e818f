/** The stored form of the numbers of a link: a small tensor completely, a larger one as some cells and sums over all of them. */
import type { Snapshot } from "../../web/core/attention.js";

/** Numbers that JSON cannot represent are stored as text. */
type Written = number | "Infinity" | "-Infinity" | "NaN";

export type StoredTensor = { shape: number[] } & (
  | { data: Written[] }
  | {
      /** The largest magnitude. This and the sums are over the finite numbers. */
      largest: number;
      /** The sum, the sum of squares (of the numbers over the largest) and the sum of each number times its place (from 1) over the number of places. */
      sums: [number, number, number];
      /** The number of values that are not finite, and the sum of their places. Absent: all are finite. */
      infinite?: [number, number];
      /** The numbers at `places`. */
      data: Written[];
    }
  | {
      /** Whether it was measured by a clock: it is only checked to be finite and not negative. */
      measured: true;
    }
);

/** A link, and the named tensors of its Config; or the core's message if it refuses them. */
export type LinkNumbers =
  { link: string; tensors: Record<string, StoredTensor> } | { link: string; refused: string };

type Numbers = Pick<Snapshot, "name" | "op" | "inputs" | "shape" | "data">;

/** How far a number may be from the stored one: RELATIVE of itself, and ABSOLUTE of the largest number of its tensor. */
const RELATIVE = 1e-9;
const ABSOLUTE = 1e-12;

/** A tensor with up to this many numbers is stored completely. */
const WHOLE = 12;

/** A link with up to this many tensors is stored with all of them. */
const FEW = 16;

const written = (value: number): Written =>
  Number.isFinite(value) ? value : (String(value) as "Infinity" | "-Infinity" | "NaN");

/** The stored cells of a larger tensor, row by row: the first, the last, and two between, by the golden section, so in different rows and columns. */
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
      // Numbers that overflowed have no squares.
      sums[1] += value === 0 ? 0 : (value / largest) ** 2;
      sums[2] += value * ((at + 1) / data.length);
    } else {
      infinite[0] += 1;
      infinite[1] += at;
    }
  }
  return { largest, sums, ...(infinite[0] > 0 ? { infinite } : {}) };
}

function storedNumbers({ shape, data }: Numbers, measured: boolean): StoredTensor {
  if (measured) return { shape: [...shape], measured };
  if (data.length <= WHOLE) return { shape: [...shape], data: Array.from(data, written) };
  return {
    shape: [...shape],
    ...sums(data),
    data: places(data.length).map((place) => written(data[place]!)),
  };
}

/** The tensors that matter to a reader where there are many: those that no other reads, and attention weights. */
function results(snapshots: readonly Numbers[]): readonly Numbers[] {
  if (snapshots.length <= FEW) return snapshots;
  const used = new Set(snapshots.flatMap(({ inputs }) => inputs));
  return snapshots.filter(({ name, op }) => !used.has(name) || op === "softmax");
}

/** The clock measurements of the complexity lab; its other leaves are settings and counts. */
const clocks = ["begun", "ended", "calls"];

/** The stored tensors of a link, by name. `timed`: whether the lab has clock measurements. */
export function storedTensors(snapshots: readonly Numbers[], timed: boolean): Record<string, StoredTensor> {
  const measured = new Set<string>();
  // Snapshots come in the order in which the nodes were made, inputs first.
  for (const { name, inputs } of snapshots)
    if (timed && (clocks.includes(name) || inputs.some((input) => measured.has(input)))) measured.add(name);
  return Object.fromEntries(
    results(snapshots).map((snapshot) => [
      snapshot.name,
      storedNumbers(snapshot, measured.has(snapshot.name)),
    ]),
  );
}

/** The result of a comparison: the largest difference over the largest number of its tensor, and the mistakes. */
export interface Compared {
  tensors: number;
  deviation: number;
  complaints: string[];
}

/** Compares computed numbers with the stored ones. Nodes that are not stored are new, and may have any numbers. */
export function compare(tensors: Record<string, StoredTensor>, computed: readonly Numbers[]): Compared {
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

function compareTensor(name: string, expected: StoredTensor, { data }: Numbers, result: Compared): void {
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
  /** Compares a number with the stored one; `scale` is the largest number that went into it. */
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
  // Each number may differ by its own bound, so a sum may differ by the sum of the bounds. By the Cauchy-Schwarz inequality the sum of the
  // magnitudes over the largest is at most the square root of their number times the sum of their squares.
  const bound = RELATIVE * Math.sqrt(data.length * expected.sums[1]) + ABSOLUTE * data.length;
  const bounds = [largest * bound, 4 * bound, largest * bound];
  expected.sums.forEach((wanted, at) => {
    if (!(Math.abs(now.sums[at]! - wanted) <= bounds[at]!)) complain(`.sums[${at}]`, now.sums[at]!, wanted);
  });
  const [count, where] = now.infinite ?? [0, 0];
  const [wantedCount, wantedWhere] = expected.infinite ?? [0, 0];
  if (count !== wantedCount || where !== wantedWhere) complain(".infinite", count, wantedCount);
}
