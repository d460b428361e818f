/** Reading what was typed into a setting; refusals name the field, what was expected and what came. */
import { bounds, type Range } from "../config/bounds.js";
import type { Edit, LabId } from "../config/config.js";
import { repaired } from "../config/rules.js";
import { printable } from "../config/shortened.js";
import { isWord, piecesOf, tokenize } from "../config/tokens.js";
import type { Key, Words } from "../i18n/words.js";
import type { Lab } from "./lab.js";

export interface Refused {
  refused: string;
}

/** Whether an answer to a change is a refusal. */
export function isRefused(answer: object): answer is Refused {
  return "refused" in answer;
}

/** What a field is called: by a key of the page's strings, or in a lab's own words. */
export type FieldName = Key | { own: string };
const called = (field: FieldName, words: Words): string =>
  typeof field === "string" ? words(field) : field.own;

/** A whole number in `range`, or a refusal that names `field`. */
export function wholeNumber(
  typed: string,
  field: FieldName,
  { min, max }: Range,
  words: Words,
): number | Refused {
  const text = typed.trim();
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
  return {
    refused: words("labs.refused.whole", { field: called(field, words), min, max, given: printable(text) }),
  };
}

/** A number in `range`, or a refusal that names `field`. */
export function decimalNumber(
  typed: string,
  field: FieldName,
  { min, max }: Range,
  words: Words,
): number | Refused {
  const text = typed.trim().replace("\u2212", "-");
  const value = Number(text);
  if (/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?$/i.test(text) && value >= min && value <= max) return value;
  return {
    refused: words("labs.refused.decimal", { field: called(field, words), min, max, given: printable(text) }),
  };
}

/** One of `options`, or a refusal that names `field`. */
export function oneOf<T extends string>(
  typed: string,
  field: FieldName,
  options: readonly T[],
  words: Words,
): T | Refused {
  const found = options.find((option) => option === typed);
  return (
    found ?? {
      refused: words("labs.refused.choice", {
        field: called(field, words),
        options: options.join(", "),
        given: printable(typed),
      }),
    }
  );
}

/** At least `least` typed words, in any script; what was there before stays as it was, and pieces of a text too. A refusal names `field`. */
export function typedWords(
  typed: string,
  before: readonly string[],
  field: Key,
  least: number,
  words: Words,
): string[] | Refused {
  // A single word of several ideographs shows no space that would keep it whole.
  const tokens = piecesOf(typed) ?? (typed.trim() === before.join(" ") ? [...before] : tokenize(typed));
  if (tokens.length < least || tokens.length > bounds.words.max) {
    return {
      refused: words("labs.refused.words", {
        field: words(field),
        min: least,
        max: bounds.words.max,
        given: tokens.length,
      }),
    };
  }
  const { min, max } = bounds.wordLength;
  const long = tokens.find((token) => !isWord(token, min, max));
  if (long === undefined) return tokens;
  return {
    refused: words("labs.refused.word", { field: words(field), max, given: Array.from(long).length }),
  };
}

/** A lab's `change` from what sets one control: what no longer fits is taken out, edits without a cell, typed rows of another size. */
export function changing<L extends LabId>(lab: L, set: Lab<L>["change"]): Lab<L>["change"] {
  return (numbers, control, value, words) => {
    const answer = set(numbers, control, value, words);
    return isRefused(answer) || answer === numbers ? answer : repaired(lab, answer, numbers);
  };
}

export function withoutNode(edits: readonly Edit[], node: string): Edit[] {
  return edits.filter((edit) => edit.node !== node);
}
