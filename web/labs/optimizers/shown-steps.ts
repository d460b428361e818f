/** The steps of a schedule whose numbers are shown one by one. */
import type { NumbersOf } from "../../config/config.js";

/** The first step, a quarter, half and the end of the warm-up, later ones and the last: those that the schedule has. */
export function shownSteps({ warmup, length }: NumbersOf["optimizers"]): number[] {
  const wanted = [1, warmup / 4, warmup / 2, warmup, 2 * warmup, 4 * warmup, length];
  const whole = wanted.map(Math.round).filter((step) => step >= 1 && step <= length);
  return [...new Set(whole)].sort((a, b) => a - b);
}
