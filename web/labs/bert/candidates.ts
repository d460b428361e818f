/** The candidates for a hidden word: those of the largest probabilities. */
import { bertVocabulary, type BertNumbers } from "../../config/labs/bert.js";
import type { Snapshots } from "../../marks/scene.js";
import { rowOf } from "../../stage/series.js";

/** The likeliest words at a hidden place, with the word that was there among them, and the words that are left out. */
export function candidatesOf(numbers: BertNumbers, snapshots: Snapshots, nth: number, most: number) {
  const target = snapshots.get("targets")?.data[nth];
  const ranked = rowOf(snapshots, "probabilities", nth)
    .map((p, id) => ({ id, p, word: bertVocabulary(numbers)[id]!, isRight: id === target }))
    .sort((a, b) => b.p - a.p);
  const last = Math.max(
    most - 1,
    ranked.findIndex(({ isRight }) => isRight),
  );
  const shown = ranked.filter((_, at) => at < most - 1 || at === last);
  return { shown, others: ranked.filter((one) => !shown.includes(one)) };
}
