/** How far a drag, or a key, changes a number: the same in every lab. */

/** Pixels of the window that change the number by one unit. */
export const PIXELS_PER_UNIT = 3;

/** The unit of a drag: a tenth; with Shift a hundredth, with Alt a whole. */
export const unitOf = ({ shiftKey, altKey }: Pick<MouseEvent, "shiftKey" | "altKey">): number =>
  shiftKey ? 0.01 : altKey ? 1 : 0.1;

/** The change of a key that is pressed with Shift; null for another key. */
export function changeOf(key: string): number | null {
  const changes: Record<string, number> = {
    ArrowUp: 0.1, ArrowDown: -0.1, ArrowRight: 0.01, ArrowLeft: -0.01, PageUp: 1, PageDown: -1,
  }; // prettier-ignore
  return changes[key] ?? null;
}

/** The number that is `units` of a unit from another one, without the noise of binary fractions; exactly that number for no units. */
export function numberAfter(from: number, units: number, unit: number): number {
  return units === 0 ? from : Math.round((from + units * unit) * 1e12) / 1e12 + 0;
}
