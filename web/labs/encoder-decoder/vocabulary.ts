/** The tokens of the model, by id, and the words that it decoded. */
import { sourceWords, type EncoderDecoderNumbers } from "../../config/labs/encoder-decoder.js";
import type { Snapshots } from "../../marks/scene.js";

/** The vocabulary of the stored translator. A test compares it with the one it was trained with. */
export const vocabulary: readonly string[] = [
  "<begin>",
  ...sourceWords,
  ..."le un vieux petit noir blanc chat chien cheval dort chante voit suit".split(" "),
  "<end>",
];

export const vocabularyOf = (numbers: Pick<EncoderDecoderNumbers, "vocabulary">): readonly string[] =>
  numbers.vocabulary ?? vocabulary;

/** The words that went into the decoder, and the word that it chose after each of them. */
export interface DecodedWords {
  inputs: readonly string[];
  outputs: readonly string[];
}

/** The words that the graph decoded; null before they are computed. */
export function decodedWords(numbers: EncoderDecoderNumbers, snapshots: Snapshots): DecodedWords | null {
  const { steps } = numbers;
  const tokens = vocabularyOf(numbers);
  const wordsOf = (node: string) =>
    Array.from(snapshots.get(node)?.data ?? [], (id) => tokens[id] ?? "").slice(0, steps);
  const decoded = { inputs: wordsOf("target_ids"), outputs: wordsOf("next_ids") };
  return decoded.inputs.length < steps || decoded.outputs.length < steps ? null : decoded;
}
