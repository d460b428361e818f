/**
 * Scenes that show gradients: every cell shows the derivative of one number by the cell's own. Also the explanation of such a
 * gradient, for the note.
 */
import type { Explanation, ExplanationRegion, GradientExplanation, GradientUse } from "../core/attention.js";
import type { Words } from "../i18n/words.js";
import type { Cell } from "./board.js";
import { readingScenes, type SceneReader } from "./reading.js";
import type { Snapshots } from "./scene.js";

/**
 * Replaces the numbers of all tensors with gradients of the number `of`, written as in NumPy. A tensor that `of` is not computed
 * from stays empty, and its caption says so.
 */
export function gradientReader(gradients: Snapshots, of: string, words: Words): SceneReader {
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

/** The explanation of a gradient of `of`, in the form of any explanation. */
export interface GradientNote extends Explanation {
  of: Cell;
  uses: GradientUse[];
}

export function isGradientNote(explanation: Explanation): explanation is GradientNote {
  return "of" in explanation;
}

export function gradientNote(of: Cell, { node, index, value, uses, sum }: GradientExplanation): GradientNote {
  const rows = [...uses.flatMap((use) => use.rows), sum];
  const sources = uses.flatMap((use): ExplanationRegion[] => use.sources.filter(({ gradient }) => gradient));
  return { node, op: "gradient", index, value, rows, sources, attributes: {}, of, uses };
}

/** A gradient without an explanation of how it was computed. */
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
 * The note of a cell that `of` is not computed from; `from` names the nodes that `of` is computed from instead. `value` is NaN for
 * ids and masks, which have no gradient at all.
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
