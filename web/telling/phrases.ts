/** Phrases that several labs share. */
import { inPieces } from "../config/tokens.js";
import type { Key, Words } from "../i18n/words.js";

/** One word or several: keys end in ".one" or ".many". */
export function counted(
  words: Words,
  key: string,
  n: number,
  more: Record<string, string | number> = {},
): string {
  return words(`${key}.${n === 1 ? "one" : "many"}` as Key, { n, ...more });
}

/** The number of words of a text, or of its pieces: then with ".pieces" before the end of the key. */
export function countedTokens(words: Words, key: string, tokens: readonly string[]): string {
  return counted(words, inPieces(tokens) ? `${key}.pieces` : key, tokens.length);
}

/** "4 by 3", for a screen reader. */
export function sizeWords(shape: readonly number[], words: Words): string {
  return shape.join(words("labs.by"));
}

/** "word 3", or the word itself. Words that are only place numbers are translated. */
export function wordNames(tokens: readonly string[], words: Words): string[] {
  return tokens.map((token, place) =>
    token === `word_${place + 1}` ? words("labs.word", { n: place + 1 }) : token,
  );
}
