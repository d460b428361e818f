/** The steps of a schedule that are told one by one. */
import type { NumbersOf } from "../../config/config.js";

/** The first, a quarter, half and all of the warm-up, and on to the end: those that the schedule has. */
export function tellingSteps({ warmup, length }: NumbersOf["optimizers"]): number[] {
  const wanted = [1, warmup / 4, warmup / 2, warmup, 2 * warmup, 4 * warmup, length];
  const whole = wanted.map(Math.round).filter((step) => step >= 1 && step <= length);
  return [...new Set(whole)].sort((a, b) => a - b);
}
