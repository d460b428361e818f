/** Words without a graph: nearest neighbours, analogies, training pairs of word2vec, and vocabularies. */
import { DEFAULT_MAX_BYTES, finiteNumbers, integer, options, refuse } from "../arguments.js";
import { FLOATS } from "../operations.js";
import { RandomState } from "../random.js";
import { checkTensor, type Ids, type Tensor } from "../tensor.js";
import {
  BytePairVocabulary,
  idsOf,
  idTensor,
  type BytePairOptions,
  type IdList,
} from "./byte-pair-vocabulary.js";
import { FileFunctions } from "./files.js";

/** "a is to b as c is to ?": the rows of a, b and c. */
export interface Analogy {
  a: number;
  b: number;
  c: number;
}

export interface MaskTokensOptions {
  /** The number of ids. */
  vocabulary: number;
  /** The id that replaces a masked token. */
  maskId: number;
  /** The seed of the draws, as of NumPy's RandomState(seed). */
  seed: number;
}

const row = (operation: string, argument: string, value: unknown): number =>
  integer(operation, argument, value, { min: 0, max: 2 ** 31 - 1 });

export class WordFunctions extends FileFunctions {
  /** The other rows of vectors (N, D), by falling cosine similarity to row `query`; of equal ones the smaller index first. */
  nearest(vectors: Tensor, query: number): number[] {
    checkTensor("nearest", "vectors", vectors, FLOATS);
    return this.module.nearest(vectors.data, [...vectors.shape], row("nearest", "query", query));
  }

  /** The row of vectors (N, D) with the largest cosine similarity to v[b] - v[a] + v[c], except those three. */
  analogy(vectors: Tensor, given: Analogy): number {
    const { a, b, c } = options("analogy", given, ["a", "b", "c"]);
    checkTensor("analogy", "vectors", vectors, FLOATS);
    const rows = [row("analogy", "a", a), row("analogy", "b", b), row("analogy", "c", c)];
    return this.module.analogy(vectors.data, [...vectors.shape], rows);
  }

  /** Pairs of each word of a text with every neighbour at most `window` away, in the order of the text: both (N). */
  skipGramPairs(ids: IdList, window: number, given?: { maxBytes?: number }): { word: Ids; context: Ids } {
    const operation = "skipGramPairs";
    const { maxBytes = DEFAULT_MAX_BYTES } = options(operation, given, ["maxBytes"]);
    const flat = this.module.skipGramPairs(
      idsOf(operation, "ids", ids),
      row(operation, "window", window),
      integer(operation, "maxBytes", maxBytes, { min: 0 }),
    );
    const every = (first: number): Ids =>
      idTensor(Array.from({ length: flat.length / 2 }, (_, place) => flat[2 * place + first]!));
    return { word: every(0), context: every(1) };
  }

  /** (number): ids drawn with probability proportional to count^0.75, each by one random_sample, as numpy.random.choice with p. */
  negativeSamples(counts: readonly number[] | Float64Array, number: number, random: RandomState): Ids {
    const operation = "negativeSamples";
    const given = finiteNumbers(operation, "counts", counts);
    const drawn = integer(operation, "number", number, { min: 0 });
    if (!(random instanceof RandomState)) return refuse(operation, "random", "a random state", random);
    return random.lend(operation, { method: "random_sample" }, drawn, (state) =>
      idTensor(this.module.negativeSamples(state, given, drawn)),
    );
  }

  /**
   * Masks sentences for training, as BERT does: each token is chosen with probability 0.15, and of the chosen 0.8 are masked,
   * 0.1 replaced by a random id and 0.1 left as they are. `targets` holds the chosen tokens, and -100, which crossEntropy ignores, elsewhere.
   */
  maskTokens(ids: IdList, given: MaskTokensOptions): { ids: Ids; targets: Ids } {
    const operation = "maskTokens";
    const { vocabulary, maskId, seed } = options(operation, given, ["vocabulary", "maskId", "seed"]);
    const words = idsOf(operation, "ids", ids);
    const flat = this.module.maskTokens(
      words,
      integer(operation, "vocabulary", vocabulary, { min: 1, max: 2 ** 31 - 1 }),
      row(operation, "maskId", maskId),
      integer(operation, "seed", seed, { min: 0, max: 2 ** 32 - 1 }),
    );
    return { ids: idTensor(flat.slice(0, words.length)), targets: idTensor(flat.slice(words.length)) };
  }

  /** A byte-pair vocabulary, learned from a text or made of merges learned before. Whoever makes it ends it with `delete()` or `using`. */
  bytePairVocabulary(given: BytePairOptions): BytePairVocabulary {
    return new BytePairVocabulary(this.module, given);
  }
}
