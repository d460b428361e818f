/** Phrases that several labs share. */
import { inPieces } from "../config/tokens.js";
import type { Key, Words } from "../i18n/words.js";

/** A phrase with a count: its key ends in ".one" for 1 and in ".many" for other numbers. */
export function countText(
  words: Words,
  key: string,
  n: number,
  more: Record<string, string | number> = {},
): string {
  return words(`${key}.${n === 1 ? "one" : "many"}` as Key, { n, ...more });
}

/** A phrase with the number of words of a text, or of its pieces if it is split into pieces: its key then has ".pieces" before the end. */
export function wordCountText(words: Words, key: string, tokens: readonly string[]): string {
  return countText(words, inPieces(tokens) ? `${key}.pieces` : key, tokens.length);
}

/** The size of a tensor for a screen reader: "4 by 3". */
export function sizeWords(shape: readonly number[], words: Words): string {
  return shape.join(words("labs.by"));
}

/** The names of tokens: "word 3" in the reader's language for a token that is only numbered, else the token itself. */
export function wordNames(tokens: readonly string[], words: Words): string[] {
  return tokens.map((token, place) =>
    token === `word_${place + 1}` ? words("labs.word", { n: place + 1 }) : token,
  );
}
