// The parts of a whole run that bench.html and the README show: for each task the times, the fraction of the peak, and the ratio to the best other library.
import { contestants, OURS } from "./contestants.mjs";

const PLAIN = contestants[1].name;

const rounded = (number, digits = 3) => Number(number.toPrecision(digits));

/** The content of a file in web/bench/published. Times are in milliseconds; a `ratio` above 1 means that ours is faster. */
export function publishedRun({ date, processor, cores, browser, beside, stolen, versions, peak, works }) {
  return {
    date: date.slice(0, 10),
    processor,
    cores,
    browser,
    beside,
    stolen: rounded(stolen ?? 0, 2),
    versions,
    peak: { simd: rounded(peak.simd), relaxed: rounded(peak.relaxed) },
    works: works.map(({ id, rows, best, ratios, ofPeak }) => {
      const timeOf = (name) => rounded(rows.find((row) => row.name === name).median);
      return {
        id,
        relaxed: timeOf(OURS),
        simd: timeOf(PLAIN),
        ofPeak: rounded(ofPeak[OURS], 2),
        other: best,
        otherTime: timeOf(best),
        ratio: rounded(ratios[OURS]),
        plainRatio: rounded(ratios[PLAIN]),
      };
    }),
  };
}
