/** Reference numbers of the documents the examples come from: tests/golden/seed_examples.json. */
import { readFileSync } from "node:fs";

interface Case {
  name: string;
  expected: Record<string, { shape: number[]; data: number[] }>;
  tolerance: Record<string, { f64: { rtol: number; atol: number } }>;
}

const file = new URL("../golden/seed_examples.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] };

/** A case by name; `near` compares a number with the expected one at a place of a key, within its tolerance. */
export function reference(name: string): Pick<Case, "expected"> & {
  near: (key: string, at: number, got: number) => { got: number; wanted: number; allowed: number };
} {
  const found = cases.find((one) => one.name === name);
  if (!found) throw new Error(`no case ${name} in ${file.pathname}`);
  const { expected, tolerance } = found;
  return {
    expected,
    near(key, at, got) {
      const wanted = expected[key]!.data[at]!;
      const { rtol, atol } = tolerance[key]!.f64;
      return { got, wanted, allowed: atol + rtol * Math.abs(wanted) };
    },
  };
}
