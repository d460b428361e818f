// What is said of a work beside its times: who of the others is best and by how much, and the part of the registers' peak that ours reach.
import { partOfPeak } from "../../web/bench/peak.ts";
import { pairedRatio } from "../../web/bench/timing.ts";

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
      const part = peak ? partOfPeak({ time: row, flops }, { time: peak, flops: peak.flops }) : null;
      return [row.name, part];
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
