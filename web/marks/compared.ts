/** A scene beside a state that was kept: every number marked by how it changed, or replaced by what changed. DESIGN.md, section 4. */
import type { Words } from "../i18n/words.js";
import { formatShape } from "./numbers.js";
import { readingScenes, type SceneReader } from "./reading.js";
import type { Snapshot, Snapshots } from "./scene.js";

/** A state that was kept, and what has changed since. */
export interface Compared {
  before: Snapshots;
  /** Now minus before, of the nodes that have the shape they had. */
  differences: Snapshots;
}

/** What is drawn on the cells of a comparison. */
export type Shown = "now" | "difference";

/** Whether any number differs. Of two that are no numbers, or infinite alike, none does. */
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
