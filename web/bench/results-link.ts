/**
 * Results in an address: `results=2026-11-23_58.6_56*matmul+64_0.0118_0.76_0.0158_0.62_1.33_y*...`. First the date and the registers' GFLOP/s
 * of the relaxed build (empty without one) and of the SIMD build. Then for each task its name, the time in milliseconds and the fraction of the peak of
 * the relaxed build (both empty without one) and of the SIMD build, how many times faster the first is (empty without one), and whether
 * both computed the same numbers (y, n).
 */
import type { Build } from "../core/attention.js";
import type { Measured, Result } from "./messages.js";
import { works } from "./works.js";

export interface Shared {
  /** The date, as 2026-11-23. */
  date: string;
  peaks: { simd: number; relaxed: number | null };
  results: Result[];
}

/** Why an address has no results: the field, the expected value and the actual one. */
export interface Unreadable {
  field: string;
  expected: string;
  actual: string;
}

const BETWEEN_WORKS = "*";
const BETWEEN_NUMBERS = "_";

const figures = (number: number): string => String(Number(number.toPrecision(4)));

const builds: readonly Build[] = ["relaxed", "simd"];

export function resultsText({ date, peaks, results }: Shared): string {
  const head = [date, peaks.relaxed === null ? "" : figures(peaks.relaxed), figures(peaks.simd)];
  const rows = results.map(({ id, builds: measured, faster, agrees }) => [
    id,
    ...builds.flatMap((build) => {
      const one = measured[build];
      return one ? [figures(one.median), figures(one.ofPeak)] : ["", ""];
    }),
    faster === null ? "" : figures(faster),
    agrees ? "y" : "n",
  ]);
  return [head, ...rows].map((parts) => parts.join(BETWEEN_NUMBERS)).join(BETWEEN_WORKS);
}

/** The page never writes a longer text. */
const LONGEST = 10_000;

class InvalidResults extends Error {
  constructor(readonly what: Unreadable) {
    super(what.field);
  }
}

function refuse(field: string, expected: string, actual: string): never {
  throw new InvalidResults({ field, expected, actual: actual.slice(0, 60) });
}

function positive(field: string, text: string): number {
  const number = Number(text);
  if (!/^\d/.test(text) || !(number > 0 && number < 1e12)) refuse(field, "a number above 0", text);
  return number;
}

const optional = (field: string, text: string): number | null => (text === "" ? null : positive(field, text));

function resultOf(text: string): Result {
  const parts = text.split(BETWEEN_NUMBERS);
  const [id = "", relaxed = "", ofRelaxed = "", simd = "", ofSimd = "", faster = "", agrees = ""] = parts;
  const work = works.find((one) => one.id === id);
  if (!work) refuse("results", "the name of a task", id);
  if (parts.length !== 7) refuse(id, "7 parts", String(parts.length));
  if (agrees !== "y" && agrees !== "n") refuse(id, "y or n", agrees);
  const measured = (time: string, part: string): Measured => {
    const median = positive(id, time);
    return { median, gflops: work.flops / median / 1e6, ofPeak: positive(id, part) };
  };
  const found: Result["builds"] = { simd: measured(simd, ofSimd) };
  if (relaxed !== "" || ofRelaxed !== "") found.relaxed = measured(relaxed, ofRelaxed);
  return { id, builds: found, faster: found.relaxed ? positive(id, faster) : null, agrees: agrees === "y" };
}

/** The results in an address, or the reason why they cannot be read. */
export function readResults(text: string): Shared | Unreadable {
  try {
    if (text.length > LONGEST) refuse("results", `at most ${LONGEST} characters`, String(text.length));
    const [head = "", ...rows] = text.split(BETWEEN_WORKS);
    const [date = "", relaxed = "", simd = ""] = head.split(BETWEEN_NUMBERS);
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) refuse("results", "a day as 2026-11-23", date);
    const peaks = { relaxed: optional("results", relaxed), simd: positive("results", simd) };
    const results = rows.map(resultOf);
    const ids = results.map(({ id }) => id);
    const again = ids.find((id, place) => ids.indexOf(id) !== place);
    if (again !== undefined) refuse("results", "each task once", again);
    if (!results.length) refuse("results", "at least one task", "none");
    const odd = results.find(({ builds: { relaxed: one } }) => !one !== (peaks.relaxed === null));
    if (odd) refuse(odd.id, "the relaxed build in all tasks or in none", "it in some tasks only");
    return { date, peaks, results };
  } catch (error) {
    if (error instanceof InvalidResults) return error.what;
    throw error;
  }
}
