/** Arithmetic, activations, norms and rearrangements of a graph. */
import { Graph } from "../graph.js";

export class ArithmeticGraph extends Graph {}
