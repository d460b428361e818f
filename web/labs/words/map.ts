/** A map of words: a chart with a unit of the same length on both axes, and the words as its points. */
import type { Role } from "../../marks/scene.js";
import type { Axis, Chart, Series } from "../../stage/chart.js";
import type { Point } from "../../stage/series.js";

/** An axis that covers all of these values. Its domain is never a single number. */
function axisOf(values: readonly number[]): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { label: "", domain: low < high ? [low, high] : [low - 1, high + 1], air: true };
}

/** A map whose axes cover the points of `within`; the series of `under` are drawn under the words. The cells of the words are in `node`. */
export function mapOfWords(
  chart: Pick<Chart, "id" | "title">,
  node: string,
  within: readonly Point[],
  under: readonly Series[],
  names: readonly string[],
  places: readonly Point[],
  roleOf: (at: number) => Role,
): Chart {
  return {
    ...chart,
    x: axisOf(within.map(([x]) => x)),
    y: axisOf(within.map(([, y]) => y)),
    equal: true,
    grid: true,
    series: [
      ...under,
      ...names.map((name, at): Series => ({
        id: `word-${at}`,
        role: roleOf(at),
        kind: "line",
        points: [places[at] ?? [NaN, NaN]],
        cells: [{ node, index: [at, 0] }],
        dots: "large",
        label: name,
      })),
    ],
    step: 0,
  };
}
