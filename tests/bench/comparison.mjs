// Compares the times of a task: the best of the other libraries, its ratio to ours, and the fraction of the registers' peak that ours reach.
import { fractionOfPeak } from "../../web/bench/peak.ts";
import { pairedRatio } from "../../web/bench/timing.ts";

/** The best of the others by its median. `ratios` is its time over ours, for each of our builds by name: above 1 ours is faster. */
function best(rows, ours) {
  const others = rows.filter(({ name }) => !ours.has(name)).sort((a, b) => a.median - b.median);
  if (!others.length) return { best: null, ratios: {} };
  const ratios = rows
    .filter(({ name }) => ours.has(name))
    .map((row) => [row.name, pairedRatio(others[0], row)]);
  return { best: others[0].name, ratios: Object.fromEntries(ratios) };
}

/** The fraction of its own peak that each of our builds reaches, by the times of both in the same rounds. `peaks` are timed with the contestants. */
function fractionsOfPeak(rows, flops, ours, peaks) {
  return rows
    .filter(({ name }) => ours.has(name))
    .map((row) => {
      const peak = peaks.find(({ build }) => build === ours.get(row.name));
      const fraction = peak ? fractionOfPeak({ time: row, flops }, { time: peak, flops: peak.flops }) : null;
      return [row.name, fraction];
    });
}

/** The best of the others, the ratios and the fractions of the peak, from the timed `rows` and `peaks`. */
export function comparisonOf({ flops, rows, peaks, contestants }) {
  const ours = new Map(
    contestants.flatMap(({ name, library, options }) => (library === null ? [[name, options.build]] : [])),
  );
  const timed = rows.filter(({ median }) => median !== undefined);
  return { ...best(timed, ours), ofPeak: Object.fromEntries(fractionsOfPeak(timed, flops, ours, peaks)) };
}
