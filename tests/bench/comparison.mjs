// What is said of a work beside its times: who of the others is best and by how much, and the part of the registers' peak that ours reach.
import { median, pairedRatio } from "../../web/bench/timing.ts";

/** The best of the others by its median; `ratios` is its time over ours, for each of our builds by name. Above 1 ours is faster. */
function best(rows, ours) {
  const others = rows.filter(({ name }) => !ours.has(name)).sort((a, b) => a.median - b.median);
  if (!others.length) return { best: null, ratios: {} };
  const ratios = rows
    .filter(({ name }) => ours.has(name))
    .map((row) => [row.name, pairedRatio(others[0], row)]);
  return { best: others[0].name, ratios: Object.fromEntries(ratios) };
}

/** Of each of our builds the part of its own peak, by the times of both in the same rounds: `peaks` are timed with the contestants. */
function partsOfPeak(rows, flops, ours, peaks) {
  return rows
    .filter(({ name }) => ours.has(name))
    .map((row) => {
      const peak = peaks.find(({ build }) => build === ours.get(row.name));
      if (!peak) return [row.name, null];
      const scale = flops / peak.flops;
      return [row.name, (row.repeats ? pairedRatio(peak, row) : median(peak.samples) / row.median) * scale];
    });
}

/** `rows` and `peaks` as they were timed. */
export function compared({ flops, rows, peaks, contestants }) {
  const ours = new Map(
    contestants.flatMap(({ name, library, started }) => (library === null ? [[name, started.build]] : [])),
  );
  const timed = rows.filter(({ median }) => median !== undefined);
  return { ...best(timed, ours), ofPeak: Object.fromEntries(partsOfPeak(timed, flops, ours, peaks)) };
}
