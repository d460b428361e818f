/** Arcs over a line of words, from one of them to those that it attends to. */
import type { Curve, Scene } from "../marks/scene.js";
import { drawOn } from "./pen.js";
import { arcPath } from "./paths.js";

/** An arc for this weight or more is drawn strong, the others pale. */
export const STRONG = 0.1;
/** The height of the lowest arc, and of the loop of a word that attends to itself. */
const LOW = { arc: 14, loop: 20 };

/** The end of an arc: its x, its weight, and the cell of the weight. */
export interface ArcEnd {
  x: number;
  weight: number;
  cell: NonNullable<Curve["cells"]>[number];
}

/**
 * Draws an arc from `from` to each of the ends on a line at `y`: as wide as its weight, with `thick` for 1, and higher the farther it
 * reaches, up to `high`. The widest lie on top. Its weight is pointed at where it is highest.
 */
export function drawArcs(
  scene: Scene,
  id: string,
  from: number,
  ends: readonly ArcEnd[],
  { y, high, thick, step }: Record<"y" | "high" | "thick" | "step", number>,
): void {
  const farthest = Math.max(...ends.map(({ x }) => Math.abs(x - from)));
  for (const { x, weight, cell } of [...ends].sort((a, b) => a.weight - b.weight)) {
    const away = Math.abs(x - from);
    const tall = away ? LOW.arc + ((high - LOW.arc) * away) / farthest : LOW.loop;
    drawOn(
      scene,
      `${id}-${cell.index.at(-1)}`,
      "attention",
      weight >= STRONG ? "line" : "mesh",
      [[(from + x) / 2, y - tall]],
      {
        path: arcPath(from, x, y, tall),
        width: Math.max(0.8, thick * weight),
        cells: [cell],
        step,
      },
    );
  }
}
