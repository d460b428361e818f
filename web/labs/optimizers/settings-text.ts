/** Settings of an optimizer as they are drawn and written on the stage. */
import type { NumbersOf } from "../../config/config.js";
import { optimizers, type OptimizerName } from "../../config/labs/optimizers.js";

type Numbers = NumbersOf["optimizers"];

/** A setting as it was typed, with a true minus. */
export const settingText = (value: number): string => String(value).replaceAll("-", "\u2212");

/** The learning rate of the optimizer that is explained. */
export const rateOf = ({ rates, optimizer }: Numbers): number => rates[optimizers.indexOf(optimizer)]!;

/** The optimizers that run: the one that is explained, and with `compare` the others. */
export const running = ({ optimizer, compare }: Numbers): readonly OptimizerName[] =>
  compare ? optimizers : [optimizer];
