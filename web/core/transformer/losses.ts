/** Losses and comparisons of a graph. */
import { ArithmeticGraph } from "./arithmetic.js";

export class LossesGraph extends ArithmeticGraph {}
