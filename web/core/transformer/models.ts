/** The models of a graph: encoder, decoder and all that is built of them. */
import { LossesGraph } from "./losses.js";

export class ModelsGraph extends LossesGraph {}
