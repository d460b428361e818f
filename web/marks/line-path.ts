/** SVG path data of lines through points. */

/** A length to a tenth of a pixel: a path of many lines stays short. */
export const px = (length: number): string => String(Math.round(10 * length) / 10);

/** A line through points. */
export const linePath = (points: readonly (readonly [x: number, y: number])[]): string =>
  points.map(([x, y], at) => `${at ? "L" : "M"}${px(x)} ${px(y)}`).join("");
