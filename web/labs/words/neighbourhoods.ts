/** The neighbours of every word of a text. */
import type { NumbersOf } from "../../config/config.js";
import { sentencesOf, textWords, vocabularyOf } from "../../config/labs/words.js";

type Numbers = NumbersOf["words"];

/** A word of a sentence, and whether it is the selected word or one of its neighbours. */
export interface MarkedWord {
  word: string;
  mark: "selected" | "neighbour" | null;
}

/** The sentences of the text with the selected word marked: skip-gram uses all of its places, CBOW only the selected one. */
export function markedSentences(numbers: Numbers): MarkedWord[][] {
  const { text, at, method, window } = numbers;
  const selected = textWords(text)[at];
  let first = 0;
  return sentencesOf(text).map((sentence) => {
    const places = sentence.flatMap((word, place) =>
      word === selected && (method === "skipgram" || first + place === at) ? [place] : [],
    );
    first += sentence.length;
    return sentence.map((word, place): MarkedWord => {
      if (places.includes(place)) return { word, mark: "selected" };
      return { word, mark: places.some((one) => Math.abs(one - place) <= window) ? "neighbour" : null };
    });
  });
}

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
