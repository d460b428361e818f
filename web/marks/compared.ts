/** A scene in comparison with a stored state: every number marked by its change, or replaced by its difference. DESIGN.md, section 4. */
import type { Words } from "../i18n/words.js";
import { formatShape } from "./numbers.js";
import { readingScenes, type SceneReader } from "./reading.js";
import type { Snapshot, Snapshots } from "./scene.js";

/** A stored state, and the differences since. */
export interface Compared {
  before: Snapshots;
  /** The present minus the earlier numbers, for nodes with an unchanged shape. */
  differences: Snapshots;
}

/** The marks on the cells of a comparison. */
export type Shown = "now" | "difference";

/** Whether any number differs. Two NaN are equal, and so are two infinities of one sign. */
export function differs({ data }: Snapshot): boolean {
  return data.some((value) => value !== 0 && !Number.isNaN(value));
}

/** Scenes with their tensors marked; those of another shape, and new ones, say so and keep their own numbers. */
export function comparing({ before, differences }: Compared, shown: Shown, words: Words): SceneReader {
  const changed = (node: string): boolean => {
    const difference = differences.get(node);
    return difference !== undefined && differs(difference);
  };
  return readingScenes(
    ({ node }) => {
      const changes = differences.get(node);
      if (changes && shown === "now") return { changes };
      if (changes) return { changes, numbers: changes, name: words("compare.difference") };
      const was = before.get(node);
      const remark = was
        ? words("compare.other_shape", { shape: formatShape(was.shape) })
        : words("compare.new");
      return { remark };
    },
    shown === "now"
      ? null
      : {
          fill: "difference",
          legend: (nodes) => words([...nodes].some(changed) ? "compare.legend" : "compare.legend_unchanged"),
        },
  );
}
