/** A scene read as gradients: on every cell how fast one number grows with it. And how such a number was made, as notes take it. */
import type { Explanation, ExplanationRegion, GradientExplanation, GradientUse } from "../core/attention.js";
import type { Words } from "../i18n/words.js";
import type { Cell } from "./board.js";
import { readingScenes, type SceneReader } from "./reading.js";
import type { Snapshots } from "./scene.js";

/** Every tensor with its gradients; those that the number is not computed from say so and stay empty. `of`: the number, as NumPy writes it. */
export function graded(gradients: Snapshots, of: string, words: Words): SceneReader {
  const name = words("gradient.name");
  return readingScenes(
    ({ node }) => {
      const numbers = gradients.get(node);
      return numbers ? { name, numbers } : { name, numbers: null, remark: words("gradient.none") };
    },
    {
      fill: "activation",
      legend: () => words("gradient.legend", { of }),
      short: words("gradient.legend_short", { of }),
    },
  );
}

/** How the gradient of `of` by a cell was made, where any explanation may stand. */
export interface GradientNote extends Explanation {
  of: Cell;
  uses: GradientUse[];
}

export function isGradientNote(explanation: Explanation): explanation is GradientNote {
  return explanation.op === "gradient";
}

export function gradientNote(of: Cell, { node, index, value, uses, sum }: GradientExplanation): GradientNote {
  const rows = [...uses.flatMap((use) => use.rows), sum];
  const sources = uses.flatMap((use): ExplanationRegion[] => use.sources.filter(({ gradient }) => gradient));
  return { node, op: "gradient", index, value, rows, sources, attributes: {}, of, uses };
}

/** The gradient alone, where how it was made is not known. */
export function bareGradientNote(
  of: Cell,
  { node, index }: Cell,
  value: number,
  role = "gradient",
): GradientNote {
  const rows = [{ role, operands: [], value }];
  return { node, op: "gradient", index, value, rows, sources: [], attributes: {}, of, uses: [] };
}

/**
 * Of a cell that `of` is not computed from, and the nodes that it is computed from instead. The cell may still tell `of`, as the
 * probabilities tell a loss that is computed from the logits. Ids and masks have no gradient at all: its value is NaN.
 */
export const noGradientNote = (
  of: Cell,
  cell: Cell,
  value: number,
  from: readonly string[],
): GradientNote => ({
  ...bareGradientNote(of, cell, value, "none"),
  attributes: { from },
});
