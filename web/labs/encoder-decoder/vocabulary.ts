/** The words of the translator, by id: a test holds them to those it was trained with. And what it wrote, read from the computed ids. */
import { sourceWords, type EncoderDecoderNumbers } from "../../config/labs/encoder-decoder.js";
import type { Snapshots } from "../../marks/scene.js";

export const vocabulary: readonly string[] = [
  "<begin>",
  ...sourceWords,
  ..."le un vieux petit noir blanc chat chien cheval dort chante voit suit".split(" "),
  "<end>",
];

/** The words that went into the decoder, and after each of them the one that was chosen. */
export interface Written {
  read: readonly string[];
  chosen: readonly string[];
}

/** What the graph of these numbers wrote; null while there are no ids, as before the first computation. */
export function writtenOf({ steps }: EncoderDecoderNumbers, snapshots: Snapshots): Written | null {
  const wordsOf = (node: string) =>
    Array.from(snapshots.get(node)?.data ?? [], (id) => vocabulary[id] ?? "").slice(0, steps);
  const written = { read: wordsOf("target_ids"), chosen: wordsOf("next_ids") };
  return written.read.length < steps || written.chosen.length < steps ? null : written;
}
