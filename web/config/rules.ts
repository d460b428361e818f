/** The rules between the fields of a Config: those of each lab, and those of what is looked at. */
import type { ConfigOf, LabId, MultiHeadNumbers, NumbersOf, View } from "./config.js";
import { expecting } from "./expected.js";
import { settingsOf } from "./labs.js";
import { batchCount } from "./labs/multi-head.js";
import { nearestDivisor, type Problem } from "./rule.js";

/** The head count to use for one that does not divide dim: `wish` if it does, else the next smaller that does. */
export const nearestHeads = (dim: number, heads: number, wish: number): number =>
  dim % wish === 0 ? wish : nearestDivisor(dim, heads);

/** The sample of the batch that is shown must exist. */
export function itemProblem(config: Pick<ConfigOf<LabId>, "numbers" | "view">): Problem | null {
  const { view, numbers } = config;
  const count = view.lab === "multi-head" ? batchCount(numbers as MultiHeadNumbers) : 1;
  return view.item < count
    ? null
    : { field: "item", expected: expecting("whole", { min: 0, max: count - 1 }), actual: String(view.item) };
}

/** The step of a story that the reader has come to must exist. */
export function reachedProblem({ story, reached }: Pick<View, "story" | "reached">): Problem | null {
  if (reached === undefined || (story && reached < story.length)) return null;
  const expected = story
    ? expecting("whole", { min: 0, max: story.length - 1 })
    : expecting("beside", { field: "story" });
  return { field: "reached", expected, actual: String(reached) };
}

/** Numbers in which every rule of the lab holds, changed as little as possible. */
export function repaired<L extends LabId>(
  lab: L,
  numbers: NumbersOf[L],
  base: NumbersOf[L],
  tell?: (problem: Problem, fixed: NumbersOf[L]) => void,
): NumbersOf[L] {
  let now = numbers;
  for (const rule of settingsOf(lab).rules) {
    const trouble = rule.broken(now);
    if (!trouble) continue;
    now = rule.repair(now, base);
    tell?.({ field: rule.field, ...trouble }, now);
  }
  return now;
}
