/** Words and vectors of a graph: word2vec, similarity, projections, surfaces. */
import { ModelsGraph } from "./models.js";

export class WordsGraph extends ModelsGraph {}
