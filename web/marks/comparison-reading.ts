/** A scene compared with a stored state: each number is marked with its change, or replaced by its difference. See DESIGN.md, section 4. */
import type { Words } from "../i18n/words.js";
import { formatShape } from "./numbers.js";
import { readingScenes, type SceneReader } from "./reading.js";
import type { Snapshot, Snapshots } from "./scene.js";

/** A stored state and the differences from it. */
export interface ComparedState {
  before: Snapshots;
  /** Current minus stored numbers, for nodes with an unchanged shape. */
  differences: Snapshots;
}

/** What the cells of a comparison show: the current numbers with marks, or the differences. */
export type ComparisonMode = "now" | "difference";

/** Whether any number differs. Two NaN are equal, and so are two infinities of the same sign. */
export function hasDifference({ data }: Snapshot): boolean {
  return data.some((value) => value !== 0 && !Number.isNaN(value));
}

/** Adds the comparison to scenes. New tensors and tensors of another shape keep their own numbers, and their caption says so. */
export function comparisonReader(
  { before, differences }: ComparedState,
  mode: ComparisonMode,
  words: Words,
): SceneReader {
  const hasChanged = (node: string): boolean => {
    const difference = differences.get(node);
    return difference !== undefined && hasDifference(difference);
  };
  return readingScenes(
    ({ node }) => {
      const changes = differences.get(node);
      if (changes && mode === "now") return { changes };
      if (changes) return { changes, numbers: changes, name: words("compare.difference") };
      const old = before.get(node);
      const remark = old
        ? words("compare.other_shape", { shape: formatShape(old.shape) })
        : words("compare.new");
      return { remark };
    },
    mode === "now"
      ? null
      : {
          fill: "difference",
          legend: (nodes) =>
            words([...nodes].some(hasChanged) ? "compare.legend" : "compare.legend_unchanged"),
        },
  );
}
