/** Arcs over a line of words, from one of them to those that it attends to. */
import type { Scene } from "../marks/scene.js";
import { drawOn } from "./pen.js";
import { arcPath } from "./paths.js";

/** An arc for this weight or more is drawn strong, the others pale. */
export const STRONG = 0.1;
/** The height of the lowest arc, and of the loop of a word that attends to itself. */
const LOW = { arc: 14, loop: 20 };

/** A row of weights, by its node and its place there, and the middles of the words that they belong to. */
export interface ArcRow {
  node: string;
  at: readonly number[];
  weights: readonly number[];
  middles: readonly number[];
}

/**
 * Draws an arc from a word to each of these words on a line at `y`: as wide as its weight, with `thick` for 1, and higher the farther it
 * reaches, up to `high`. The widest lie on top. Its weight is pointed at where it is highest.
 */
export function drawArcs(
  scene: Scene,
  id: string,
  from: number,
  to: readonly number[],
  { node, at, weights, middles }: ArcRow,
  { y, high, thick, step }: Record<"y" | "high" | "thick" | "step", number>,
): void {
  const start = middles[from]!;
  const farthest = Math.max(...to.map((word) => Math.abs(middles[word]! - start)));
  for (const word of [...to].sort((a, b) => weights[a]! - weights[b]!)) {
    const [x, weight] = [middles[word]!, weights[word]!];
    const away = Math.abs(x - start);
    const tall = away ? LOW.arc + ((high - LOW.arc) * away) / farthest : LOW.loop;
    drawOn(
      scene,
      `${id}-${word}`,
      "attention",
      weight >= STRONG ? "line" : "mesh",
      [[(start + x) / 2, y - tall]],
      {
        path: arcPath(start, x, y, tall),
        width: Math.max(0.8, thick * weight),
        cells: [{ node, index: [...at, word] }],
        step,
      },
    );
  }
}
