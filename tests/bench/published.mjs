// The figures of a whole run for bench.html and the README: of every task the times, the share of the peak, and the ratio to the best other.
import { contestants, OURS } from "./contestants.mjs";

const PLAIN = contestants[1].name;

const figures = (number, digits = 3) => Number(number.toPrecision(digits));

/** The run as a file of web/bench/published. Milliseconds; `ratio` above 1 means that ours is faster. */
export function published({ date, processor, cores, browser, beside, stolen, versions, peak, works }) {
  return {
    date: date.slice(0, 10),
    processor,
    cores,
    browser,
    beside,
    stolen: figures(stolen ?? 0, 2),
    versions,
    peak: { simd: figures(peak.simd), relaxed: figures(peak.relaxed) },
    works: works.map(({ id, rows, best, ratios, ofPeak }) => {
      const timeOf = (name) => figures(rows.find((row) => row.name === name).median);
      return {
        id,
        relaxed: timeOf(OURS),
        simd: timeOf(PLAIN),
        ofPeak: figures(ofPeak[OURS], 2),
        other: best,
        otherTime: timeOf(best),
        ratio: figures(ratios[OURS]),
        plainRatio: figures(ratios[PLAIN]),
      };
    }),
  };
}
