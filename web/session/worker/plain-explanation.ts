/** The gradient of a cell in the form of any explanation, for a note that stands among notes of numbers. */
import type { Explanation, ExplanationRow, GradientExplanation, GradientUse } from "../../core/attention.js";
import type { Cell } from "../messages.js";

/** The gradient that a use only passes on: its only term, with the factor 1 that is no cell of a tensor. */
function passedOn({ rows }: GradientUse): Cell | undefined {
  const [upstream, local] = rows;
  const [from, other] = upstream?.operands ?? [];
  const [slope] = local?.operands ?? [];
  const isAlone = from && !other && !upstream?.rest && slope?.node === "" && slope.value === 1;
  return isAlone ? from : undefined;
}

/** The uses through which something comes. */
const usesOf = ({ uses }: GradientExplanation): GradientUse[] =>
  uses.filter(({ rows }) => (rows[0]?.operands.length ?? 0) > 0);

/** The rows of a use; slopes that are no cell of a tensor have a role of their own. */
const rowsOf = ({ rows }: GradientUse): ExplanationRow[] =>
  rows.map((row) =>
    row.role === "local" && row.operands[0]?.node === "" ? { ...row, role: "slopes" } : row,
  );

/** A gradient that is only passed on, from a part of a tensor to the whole, is explained where it was computed. */
export function plainExplanation(
  explained: GradientExplanation,
  explainGradient: (node: string, index: readonly number[]) => GradientExplanation,
): Explanation {
  const { node, index, value } = explained;
  const uses = usesOf(explained);
  const from = uses.length === 1 && passedOn(uses[0]!);
  if (from)
    return { ...plainExplanation(explainGradient(from.node, from.index), explainGradient), node, index };
  const rows = uses.flatMap(rowsOf);
  return {
    node,
    op: "gradient",
    index,
    value,
    rows: uses.length === 1 ? rows : [...rows, { role: "gradient", operands: [], value }],
    // The other sources are gradients, which stand nowhere on the stage.
    sources: uses.flatMap(({ sources }) => sources.filter(({ gradient }) => !gradient)),
    attributes: {},
  };
}
