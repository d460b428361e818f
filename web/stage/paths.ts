/** SVG paths that are drawn by hand in several labs: arrows, and arcs over a line of words. */
import { linePath, px } from "../marks/line-path.js";
import type { Point } from "./series.js";

/** A line through points that ends, at the last of them, in the head of an arrow. The head is `long`, and so wide to both sides. */
export function arrowPath(points: readonly Point[], long: number, wide = long): string {
  const [[fromX, fromY], [x, y]] = points.slice(-2) as [Point, Point];
  const [right, down] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  const side = (way: number): Point => [
    x - long * right + way * wide * down,
    y - long * down + way * wide * right,
  ];
  return linePath(points) + linePath([side(-1), [x, y], side(1)]);
}

/** Half an ellipse over a line at `y` from one place to another; a loop over a place if the two are the same. */
export function arcPath(from: number, to: number, y: number, high: number): string {
  if (from !== to) {
    const [left, right] = [Math.min(from, to), Math.max(from, to)];
    return `${linePath([[left, y]])}A${px((right - left) / 2)} ${px(high)} 0 0 1 ${px(right)} ${px(y)}`;
  }
  const control = `${px(y - 1.6 * high)}`;
  return `M${px(from - 7)} ${px(y)}C${px(from - 20)} ${control} ${px(from + 20)} ${control} ${px(from + 7)} ${px(y)}`;
}
