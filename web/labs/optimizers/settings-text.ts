/** Settings of an optimizer as they are written on the stage. */
import type { NumbersOf } from "../../config/config.js";
import { optimizers } from "../../config/labs/optimizers.js";

/** A setting as it was typed, with a true minus. */
export const settingText = (value: number): string => String(value).replaceAll("-", "\u2212");

/** The learning rate of the optimizer that is explained. */
export const rateOf = ({ rates, optimizer }: NumbersOf["optimizers"]): number =>
  rates[optimizers.indexOf(optimizer)]!;
