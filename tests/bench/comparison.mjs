// The comparison within a task: which of the others is fastest and by how much, and the share of the registers' peak that our builds reach.
import { partOfPeak } from "../../web/bench/peak.ts";
import { pairedRatio } from "../../web/bench/timing.ts";

/** The fastest of the others by its median. `ratios` has its time over ours for each of our builds by name; above 1 ours is faster. */
function best(rows, ours) {
  const others = rows.filter(({ name }) => !ours.has(name)).sort((a, b) => a.median - b.median);
  if (!others.length) return { best: null, ratios: {} };
  const ratios = rows
    .filter(({ name }) => ours.has(name))
    .map((row) => [row.name, pairedRatio(others[0], row)]);
  return { best: others[0].name, ratios: Object.fromEntries(ratios) };
}

/** The share of the peak that each of our builds reaches, from times of the same rounds: `peaks` are timed together with the contestants. */
function partsOfPeak(rows, flops, ours, peaks) {
  return rows
    .filter(({ name }) => ours.has(name))
    .map((row) => {
      const peak = peaks.find(({ build }) => build === ours.get(row.name));
      const part = peak ? partOfPeak({ time: row, flops }, { time: peak, flops: peak.flops }) : null;
      return [row.name, part];
    });
}

/** The comparison of timed `rows` and `peaks`. */
export function compared({ flops, rows, peaks, contestants }) {
  const ours = new Map(
    contestants.flatMap(({ name, library, started }) => (library === null ? [[name, started.build]] : [])),
  );
  const timed = rows.filter(({ median }) => median !== undefined);
  return { ...best(timed, ours), ofPeak: Object.fromEntries(partsOfPeak(timed, flops, ours, peaks)) };
}
