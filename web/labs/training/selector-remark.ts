/** What the page says about a selector that selects nothing. */
import type { ConfigOf } from "../../config/config.js";
import { isProblem, SELECTED } from "../../config/selector.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Remark } from "../../marks/wording.js";
import { selectionOf } from "./selection.js";
import type { Say } from "./strings.js";

/** The remark about a selector that selects nothing: what is wrong, expected and given. */
export function selectorRemarks({ numbers }: ConfigOf<"training">, snapshots: Snapshots, say: Say): Remark[] {
  const selection = snapshots.size > 0 ? selectionOf(numbers, snapshots.values()) : null;
  if (!selection || (!isProblem(selection) && snapshots.has(SELECTED))) return [];
  const problem = isProblem(selection)
    ? selection
    : selection.selector.move
      ? ({ kind: "move", given: `${selection.selector.name} :move` } as const)
      : ({ kind: "gradient", given: `${selection.selector.name} :grad` } as const);
  const body = say("refused.watch", {
    expected: say(`watch.problem.${problem.kind}`, {
      expected: ("expected" in problem && problem.expected) || "",
    }),
    given: problem.given,
  });
  return [{ id: "selector", title: say("watch.problem.title"), body, actions: [] }];
}
