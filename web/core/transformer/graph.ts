/** A graph with everything. */
import { WordsGraph } from "./words.js";

export class TransformerGraph extends WordsGraph {}
