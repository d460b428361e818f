/** The neighbours of every word of a text. */
import type { NumbersOf } from "../../config/config.js";
import { sentencesOf, vocabularyOf } from "../../config/labs/words.js";

type Numbers = NumbersOf["words"];

/** For each word of the text: its id, and the ids of its neighbours, the words at most `window` places away in the same sentence. */
export function neighbourhoods({ text, window }: Pick<Numbers, "text" | "window">): {
  id: number;
  neighbourIds: number[];
}[] {
  const vocabulary = vocabularyOf(text);
  return sentencesOf(text).flatMap((sentence) => {
    const ids = sentence.map((word) => vocabulary.indexOf(word));
    return ids.map((id, at) => ({
      id,
      neighbourIds: [...ids.slice(Math.max(0, at - window), at), ...ids.slice(at + 1, at + 1 + window)],
    }));
  });
}
