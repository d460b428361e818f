/** The settings that the stage shows: rates, and the optimizers that run. */
import type { NumbersOf } from "../../config/config.js";
import { optimizers, type OptimizerName } from "../../config/labs/optimizers.js";

type Numbers = NumbersOf["optimizers"];

/** A number with a true minus. */
export const settingText = (value: number): string => String(value).replaceAll("-", "\u2212");

/** The learning rate of the optimizer that is explained. */
export const rateOf = ({ rates, optimizer }: Numbers): number => rates[optimizers.indexOf(optimizer)]!;

/** The optimizers that run: the one that is explained, and with `compare` the others. */
export const runningOptimizers = ({ optimizer, compare }: Numbers): readonly OptimizerName[] =>
  compare ? optimizers : [optimizer];

/** Whether the stage shows the learning rate that each weight has for itself: AdaGrad's, on a rare feature. */
export const hasOwnRates = ({ topic, optimizer }: Numbers): boolean =>
  topic === "sparse" && optimizer === "adagrad";
