/**
 * A selector: one line of data that says which numbers of which tensor are looked at, and how.
 *
 *     encoder.layers.0.self_attn.weights[0, :, 0:2] :grad :hist
 *
 * The name is that of a node. In brackets stands for each axis a place, a range `a:b` without its end, or `:` for all of it, as in NumPy:
 * negative numbers count from the end, a range may reach beyond it, and axes that are left out are whole. `:grad` selects the gradient of
 * the loss by these numbers instead, `:move` how the next step of the optimizer moves these parameters, and `:hist` adds a histogram. White
 * space means nothing.
 */
import { bounds, type Range } from "./bounds.js";

/** What is selected of an axis: one place, or the places from the first number up to the second; null is an end of the axis. */
export type AxisPart = number | readonly [start: number | null, stop: number | null];

export interface Selector {
  name: string;
  parts: AxisPart[];
  gradient: boolean;
  /** Whether the move of the next step is selected; never with the gradient. */
  move: boolean;
  histogram: boolean;
}

/** What is wrong with a selector: the part of it, and what was expected there. */
export interface SelectorProblem {
  kind: "name" | "bracket" | "part" | "flag" | "unknown" | "axes" | "place" | "empty";
  given: string;
  /** Names that are like the given one, or the numbers that are allowed. */
  expected?: string;
}

export const isProblem = (answer: object): answer is SelectorProblem => "kind" in answer;

/** The node that holds the selected numbers, and the ends of the names of nodes that hold a gradient and a move. */
export const SELECTED = "selected";
export const GRADIENT = ".gradient";
export const MOVE = ".move";

/** The most characters of a selector without white space. */
export const selectorLength = 128;

/** Every selector without white space, and "none". */
export const selectorForm =
  /^[A-Za-z][\w.]{0,63}(?:\[(?:-?\d{1,4}|(?:-?\d{1,4})?:(?:-?\d{1,4})?)(?:,(?:-?\d{1,4}|(?:-?\d{1,4})?:(?:-?\d{1,4})?)){0,3}\])?(?:(?::grad|:move)?(?::hist)?|:hist:(?:grad|move))$/;

function partOf(text: string): AxisPart | null {
  if (/^-?\d{1,4}$/.test(text)) return Number(text);
  const range = /^(-?\d{1,4})?:(-?\d{1,4})?$/.exec(text);
  const end = (given: string | undefined): number | null => (given === undefined ? null : Number(given));
  return range && [end(range[1]), end(range[2])];
}

/** Reads a selector, or says which part of it is wrong. */
export function parseSelector(given: string): Selector | SelectorProblem {
  const text = given.replaceAll(/\s/g, "");
  const [name] = /^[^[\]:]*/.exec(text)!;
  if (!/^[A-Za-z][\w.]{0,63}$/.test(name)) return { kind: "name", given: name };
  let rest = text.slice(name.length);
  const parts: AxisPart[] = [];
  if (rest.startsWith("[") || rest.startsWith("]")) {
    const [bracket, inside] = /^\[([^[\]]*)\]/.exec(rest) ?? [null, ""];
    if (bracket === null) return { kind: "bracket", given: rest };
    const given = inside.split(",");
    if (given.length > bounds.axes.max)
      return { kind: "axes", given: bracket, expected: String(bounds.axes.max) };
    for (const one of given) {
      const part = partOf(one);
      if (part === null) return { kind: "part", given: one };
      parts.push(part);
    }
    rest = rest.slice(bracket.length);
  }
  const flags = rest === "" ? [] : rest.replace(/^:/, "").split(":");
  const wrong = flags.find(
    (flag, at) =>
      !["grad", "move", "hist"].includes(flag) ||
      flags.indexOf(flag) < at ||
      (flag === "move" && flags.includes("grad")),
  );
  if (wrong !== undefined || (rest !== "" && !rest.startsWith(":")))
    return { kind: "flag", given: wrong === undefined ? rest : `:${wrong}` };
  const has = (flag: string): boolean => flags.includes(flag);
  return { name, parts, gradient: has("grad"), move: has("move"), histogram: has("hist") };
}

const partText = (part: AxisPart): string =>
  typeof part === "number" ? String(part) : part.map((end) => end ?? "").join(":");

/** A selector as text; `air` stands after commas and before flags, to read it better. */
export function selectorText({ name, parts, gradient, move, histogram }: Selector, air = ""): string {
  const slice = parts.length > 0 ? `[${parts.map(partText).join(`,${air}`)}]` : "";
  return (
    name +
    slice +
    (gradient ? `${air}:grad` : "") +
    (move ? `${air}:move` : "") +
    (histogram ? `${air}:hist` : "")
  );
}

/** The changes of one letter that make one name of another, for names that are nearly the same. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, sign] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + Number(sign !== b[j])));
    row = next;
  }
  return row[b.length]!;
}

/** The names most like the given one: first those that contain it. */
export function nearestNames(given: string, names: readonly string[], count = 3): string[] {
  const far = (name: string): number =>
    name.toLowerCase().includes(given.toLowerCase()) ? name.length / 1000 : distance(given, name);
  return names
    .map((name) => ({ name, far: far(name) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ name }) => name);
}

/** The places of an axis that a part selects, from `min` up to and without `max`. */
function rangeOf(part: AxisPart, size: number): Range | SelectorProblem {
  const fromStart = (place: number): number => (place < 0 ? place + size : place);
  if (typeof part === "number") {
    const place = fromStart(part);
    if (place >= 0 && place < size) return { min: place, max: place + 1 };
    return { kind: "place", given: String(part), expected: `${-size} … ${size - 1}` };
  }
  const inside = (place: number): number => Math.min(size, Math.max(0, fromStart(place)));
  const [min, max] = [inside(part[0] ?? 0), part[1] === null ? size : inside(part[1])];
  return min < max ? { min, max } : { kind: "empty", given: partText(part), expected: `0 … ${size - 1}` };
}

/** The range of places that a selector selects on each axis of its tensor, or what is wrong; `shapes` are those of all tensors. */
export function selectedRanges(
  { name, parts }: Selector,
  shapes: ReadonlyMap<string, readonly number[]>,
): Range[] | SelectorProblem {
  const shape = shapes.get(name);
  if (!shape)
    return { kind: "unknown", given: name, expected: nearestNames(name, [...shapes.keys()]).join(", ") };
  if (parts.length > shape.length)
    return { kind: "axes", given: `[${parts.map(partText).join(", ")}]`, expected: String(shape.length) };
  const ranges = shape.map((size, axis) => rangeOf(parts[axis] ?? [null, null], size));
  return ranges.find((range): range is SelectorProblem => isProblem(range)) ?? (ranges as Range[]);
}
