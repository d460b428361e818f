/** The rules between the fields of a Config: repairs by the rules of a lab, and the rules of its view. */
import type { ConfigOf, LabId, MultiHeadNumbers, NumbersOf, View } from "./config.js";
import { expecting } from "./expected.js";
import { settingsOf } from "./labs.js";
import { batchCount } from "./labs/multi-head.js";
import { largestDivisorUpTo, type Problem } from "./rule.js";

/** A number of heads that divides dim: `wish` if it does, else the largest that is at most `heads`. */
export const nearestHeads = (dim: number, heads: number, wish: number): number =>
  dim % wish === 0 ? wish : largestDivisorUpTo(dim, heads);

/** The problem of a shown sample that the batch does not have; null if it exists. */
export function itemProblem(config: Pick<ConfigOf<LabId>, "numbers" | "view">): Problem | null {
  const { view, numbers } = config;
  const count = view.lab === "multi-head" ? batchCount(numbers as MultiHeadNumbers) : 1;
  return view.item < count
    ? null
    : { field: "item", expected: expecting("whole", { min: 0, max: count - 1 }), actual: String(view.item) };
}

/** The problem of a reached step that the story does not have; null if it exists. */
export function reachedProblem({ story, reached }: Pick<View, "story" | "reached">): Problem | null {
  if (reached === undefined || (story && reached < story.length)) return null;
  const expected = story
    ? expecting("whole", { min: 0, max: story.length - 1 })
    : expecting("beside", { field: "story" });
  return { field: "reached", expected, actual: String(reached) };
}

/** The numbers, repaired until every rule of the lab holds. */
export function repairNumbers<L extends LabId>(
  lab: L,
  numbers: NumbersOf[L],
  base: NumbersOf[L],
  report?: (problem: Problem, fixed: NumbersOf[L]) => void,
): NumbersOf[L] {
  let now = numbers;
  for (const rule of settingsOf(lab).rules) {
    const trouble = rule.broken(now);
    if (!trouble) continue;
    now = rule.repair(now, base);
    report?.({ field: rule.field, ...trouble }, now);
  }
  return now;
}
