/** The words of the translator, by id: a test holds them to those it was trained with. And what it wrote, once it is computed. */
import { sourceWords, type EncoderDecoderNumbers } from "../../config/labs/encoder-decoder.js";
import type { Snapshots } from "../../marks/scene.js";

export const vocabulary: readonly string[] = [
  "<begin>",
  ...sourceWords,
  "le",
  "un",
  "vieux",
  "petit",
  "noir",
  "blanc",
  "chat",
  "chien",
  "cheval",
  "dort",
  "chante",
  "voit",
  "suit",
  "<end>",
];

/** The words that went into the decoder, and after each of them the one that was chosen. */
export interface Written {
  read: readonly string[];
  chosen: readonly string[];
}

/** What was written for the last few numbers: the names of rows are asked for without the tensors that tell them. */
const known = new Map<string, Written>();
const most = 16;

const keyOf = ({ tokens, steps, trained }: EncoderDecoderNumbers): string =>
  [trained, steps, ...tokens].join(" ");

/** Keeps what the graph of these numbers wrote. */
export function noteWritten(numbers: EncoderDecoderNumbers, snapshots: Snapshots): void {
  const wordsOf = (node: string) =>
    Array.from(snapshots.get(node)?.data ?? [], (id) => vocabulary[id] ?? "").slice(0, numbers.steps);
  const written = { read: wordsOf("target_ids"), chosen: wordsOf("next_ids") };
  if (written.read.length < numbers.steps || written.chosen.length < numbers.steps) return;
  const key = keyOf(numbers);
  known.delete(key);
  known.set(key, written);
  if (known.size > most) known.delete(known.keys().next().value!);
}

/** What was written; null before it is computed. */
export const writtenOf = (numbers: EncoderDecoderNumbers): Written | null =>
  known.get(keyOf(numbers)) ?? null;
