/** Reading what was typed into a setting; refusals name the field, what was expected and what came. */
import { bounds, type Range } from "../config/bounds.js";
import type { Edit } from "../config/config.js";
import type { Leaves } from "../config/leaves.js";
import { isCellOf } from "../config/leaves.js";
import { isWord, tokenize } from "../config/tokens.js";
import type { Key, Words } from "../i18n/words.js";

export interface Refused {
  refused: string;
}

/** A whole number in `range`, or a refusal that names `field`. */
export function wholeNumber(typed: string, field: Key, { min, max }: Range, words: Words): number | Refused {
  const text = typed.trim();
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
  return { refused: words("labs.refused.whole", { field: words(field), min, max, given: text }) };
}

/** One of `options`, or a refusal that names `field`. */
export function oneOf<T extends string>(typed: string, field: Key, options: readonly T[], words: Words): T | Refused {
  const found = options.find((option) => option === typed);
  return found ?? { refused: words("labs.refused.choice", { field: words(field), options: options.join(", "), given: typed }) };
}

/** Typed words, in any script; a refusal names `field`. */
export function typedWords(typed: string, field: Key, words: Words): string[] | Refused {
  const tokens = tokenize(typed);
  if (tokens.length > bounds.words.max) {
    return { refused: words("labs.refused.words", { field: words(field), max: bounds.words.max, given: tokens.length }) };
  }
  const { min, max } = bounds.wordLength;
  const long = tokens.find((token) => !isWord(token, min, max));
  if (long === undefined) return tokens;
  return { refused: words("labs.refused.word", { field: words(field), max, given: Array.from(long).length }) };
}

/** The edits that still have a cell in one of the leaves. */
export function keptEdits(edits: readonly Edit[], leaves: Leaves): Edit[] {
  return edits.filter(({ node, index }) => {
    const shape = leaves[node];
    return shape !== undefined && isCellOf(shape, index);
  });
}

export function withoutNode(edits: readonly Edit[], node: string): Edit[] {
  return edits.filter((edit) => edit.node !== node);
}
