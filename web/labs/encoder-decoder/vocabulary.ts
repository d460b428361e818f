/** The vocabulary of the translator, by id, and the words that it decoded. A test compares the vocabulary with the one it was trained with. */
import { sourceWords, type EncoderDecoderNumbers } from "../../config/labs/encoder-decoder.js";
import type { Snapshots } from "../../marks/scene.js";

export const vocabulary: readonly string[] = [
  "<begin>",
  ...sourceWords,
  ..."le un vieux petit noir blanc chat chien cheval dort chante voit suit".split(" "),
  "<end>",
];

/** The words that went into the decoder, and the word that it chose after each of them. */
export interface DecodedWords {
  inputs: readonly string[];
  outputs: readonly string[];
}

/** The words that the graph decoded; null before they are computed. */
export function decodedWords({ steps }: EncoderDecoderNumbers, snapshots: Snapshots): DecodedWords | null {
  const wordsOf = (node: string) =>
    Array.from(snapshots.get(node)?.data ?? [], (id) => vocabulary[id] ?? "").slice(0, steps);
  const decoded = { inputs: wordsOf("target_ids"), outputs: wordsOf("next_ids") };
  return decoded.inputs.length < steps || decoded.outputs.length < steps ? null : decoded;
}
