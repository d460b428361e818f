/** Words and vectors of a graph: word2vec, similarity, projections, surfaces. */
import { choice, integer, options, text } from "../arguments.js";
import type { IdsOperand, Node, Operand } from "../node.js";
import { numbers, type Attributes, type Inputs } from "../operations.js";
import type { Named } from "../options.js";
import { ModelsGraph, type ParametersOperand } from "./models.js";

/** The steps of a word2vec model over N words; without the axis N for one word. */
export interface Word2VecNodes {
  /** (N, d) */
  hidden: Node;
  /** (N, V) with the softmax over all words, (N, 1 + K) with negative sampling: the positive word first. */
  scores: Node;
  /** (N, V); only with the softmax over all words. */
  probs?: Node;
  /** (): the sum over the words. */
  loss: Node;
}

/** Comparisons of every row with every other, each (N, N). */
export interface SimilarityNodes {
  dot: Node;
  /** The cosine similarity; 0 for a row of zeros. */
  cosine: Node;
  distance: Node;
}

/** Principal components: vectors projected onto the directions in which they vary most. */
export interface PrincipalComponentsNodes {
  /** (1, D) */
  mean: Node;
  /** (N, D) */
  centred: Node;
  /** (count, D): orthonormal rows; a leaf. */
  components: Node;
  /** (count): falling, divided by N - 1; a leaf. */
  explainedVariance: Node;
  /** (N, count): centred components^T, the projected vectors. */
  output: Node;
}

export interface BagOfWordsOptions {
  /** The number of ids. */
  vocabulary: number;
}

export interface PrincipalComponentsOptions {
  /** The number of components. */
  count: number;
}

const SURFACES = ["rosenbrock", "bowl", "saddle", "himmelblau"] as const;

export interface TestSurfaceOptions {
  /** (1 - x)^2 + 100 (y - x^2)^2, (x^2 + 10 y^2) / 2, x^2 - y^2, (x^2 + y - 11)^2 + (x + y^2 - 7)^2. */
  surface: (typeof SURFACES)[number];
}

const wordIds = (operand: IdsOperand) => ({ operand, allowed: ["int32"] as const });

/** Every step has a name, with the prefix `name` and a dot when one is given. word2vec has two tables, w_in (V, d) and w_out (V, d). */
export class WordsGraph extends ModelsGraph {
  #steps(
    operation: string,
    inputs: Inputs,
    given?: Named,
    attributes: Attributes = {},
  ): Record<string, Node> {
    return this.apply(operation, inputs, attributes, text(operation, "name", given?.name ?? ""));
  }

  #word2vec(
    operation: string,
    ids: Record<string, IdsOperand>,
    parameters: ParametersOperand,
    given?: Named,
  ): Word2VecNodes {
    const { name = "" } = options(operation, given, ["name"]);
    const inputs: Inputs = {};
    for (const [argument, operand] of Object.entries(ids)) inputs[argument] = wordIds(operand);
    return this.layer<Word2VecNodes>(operation, inputs, parameters, {}, name);
  }

  /** CBOW: h = mean of w_in[context], p = softmax(w_out h), loss = -log p[word]. word (N?), context (N?, C). */
  cbow(word: IdsOperand, context: IdsOperand, parameters: ParametersOperand, given?: Named): Word2VecNodes {
    return this.#word2vec("cbow", { word, context }, parameters, given);
  }

  /** Skip-gram: h = w_in[word], p = softmax(w_out h), loss = -sum of log p over the context. word (N?), context (N?, C). */
  skipGram(
    word: IdsOperand,
    context: IdsOperand,
    parameters: ParametersOperand,
    given?: Named,
  ): Word2VecNodes {
    return this.#word2vec("skipGram", { word, context }, parameters, given);
  }

  /**
   * Skip-gram with negative sampling: a few binary decisions in place of the softmax.
   * loss = -log sigmoid(h . w_out[positive]) - sum of log sigmoid(-h . w_out[negative]). word, positive (N?), negatives (N?, K).
   */
  skipGramNegativeSampling(
    word: IdsOperand,
    positive: IdsOperand,
    negatives: IdsOperand,
    parameters: ParametersOperand,
    given?: Named,
  ): Word2VecNodes {
    return this.#word2vec("skipGramNegativeSampling", { word, positive, negatives }, parameters, given);
  }

  /** CBOW with negative sampling: h = mean of w_in[context], and the word is the positive one. word (N?), context (N?, C), negatives (N?, K). */
  cbowNegativeSampling(
    word: IdsOperand,
    context: IdsOperand,
    negatives: IdsOperand,
    parameters: ParametersOperand,
    given?: Named,
  ): Word2VecNodes {
    return this.#word2vec("cbowNegativeSampling", { word, context, negatives }, parameters, given);
  }

  /** Dot product, cosine similarity and distance of every pair of rows. vectors (N, D). */
  similarity(vectors: Operand, given?: Named): SimilarityNodes {
    options("similarity", given, ["name"]);
    return this.#steps("similarity", { vectors: numbers(vectors) }, given) as unknown as SimilarityNodes;
  }

  /** The number of times that each id occurs: ids (L) -> (vocabulary). The node is called `counts`. */
  bagOfWords(ids: IdsOperand, given: BagOfWordsOptions & Named): Node {
    const { vocabulary } = options("bagOfWords", given, ["vocabulary", "name"]);
    const attributes = { vocabulary: integer("bagOfWords", "vocabulary", vocabulary, { min: 1 }) };
    return this.#steps("bagOfWords", { ids: wordIds(ids) }, given, attributes)["output"]!;
  }

  /**
   * (x - mean) components^T: x (N, D) -> (N, count). The sign of a component is chosen so that its number of largest size is positive. The
   * components are leaves: an edit of x moves the points, not the directions.
   */
  principalComponents(x: Operand, given: PrincipalComponentsOptions & Named): PrincipalComponentsNodes {
    const operation = "principalComponents";
    const { count } = options(operation, given, ["count", "name"]);
    const attributes = { count: integer(operation, "count", count, { min: 1 }) };
    const nodes = this.#steps(operation, { x: numbers(x) }, given, attributes);
    return nodes as unknown as PrincipalComponentsNodes;
  }

  /** mean((w x + b - y)^2): w, b (), x, y (N) -> (). The node is called `loss`. */
  lineFitLoss(w: Operand, b: Operand, x: Operand, y: Operand, given?: Named): Node {
    options("lineFitLoss", given, ["name"]);
    const inputs = { w: numbers(w), b: numbers(b), x: numbers(x), y: numbers(y) };
    return this.#steps("lineFitLoss", inputs, given)["output"]!;
  }

  /** The height of a test surface for optimizers at points (..., 2) -> (...). The node is called `loss`. */
  testSurface(point: Operand, given: TestSurfaceOptions & Named): Node {
    const { surface } = options("testSurface", given, ["surface", "name"]);
    const attributes = { surface: choice("testSurface", "surface", surface, SURFACES) };
    return this.#steps("testSurface", { point: numbers(point) }, given, attributes)["output"]!;
  }

  /** sum of c p^2 / 2: p, c of one shape -> (). The node is called `loss`. */
  quadraticLoss(p: Operand, c: Operand, given?: Named): Node {
    options("quadraticLoss", given, ["name"]);
    return this.#steps("quadraticLoss", { p: numbers(p), c: numbers(c) }, given)["output"]!;
  }
}
