/** Reads what the reader typed into a setting. A refusal names the field, the expected value and the actual one. */
import { bounds, type Range } from "../config/bounds.js";
import type { Edit } from "../config/config.js";
import type { Editor } from "../config/kinds.js";
import { printable } from "../config/shortened.js";
import { isWord, piecesOf, tokenize } from "../config/tokens.js";
import type { Words } from "../i18n/words.js";

export interface Refused {
  refused: string;
}

/** Whether an answer to a change is a refusal. */
export function isRefused(answer: object): answer is Refused {
  return "refused" in answer;
}

/** Reads the text typed into one field. `field` is the field's name, for refusals. */
export class Reading {
  readonly field: string;
  readonly #words: Words;

  constructor(field: string, words: Words) {
    this.field = field;
    this.#words = words;
  }

  /** A value of the kind that `editor` edits. `before` is the previous value. */
  value(typed: string, editor: Editor, range: Range | undefined, before: unknown): unknown {
    switch (editor.kind) {
      case "whole":
        return this.whole(typed, range ?? editor.range);
      case "decimal":
        return this.decimal(typed, range ?? editor.range);
      case "words":
        return this.words(typed, before as readonly string[], range ?? editor.range);
      case "choice":
        return this.choice(typed, editor.options);
      case "flag": {
        const chosen = this.choice(typed, ["off", "on"]);
        return typeof chosen === "string" ? chosen === "on" : chosen;
      }
    }
  }

  /** A whole number in a range. */
  whole(typed: string, { min, max }: Range): number | Refused {
    const text = typed.trim();
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
    return this.#refused("labs.refused.whole", { min, max, given: printable(text) });
  }

  /** Any number in a range. */
  decimal(typed: string, { min, max }: Range): number | Refused {
    const text = typed.trim().replace("\u2212", "-");
    const value = Number(text);
    if (/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?$/i.test(text) && value >= min && value <= max) return value;
    return this.#refused("labs.refused.decimal", { min, max, given: printable(text) });
  }

  /** One of `options`. */
  choice<T extends string | number>(typed: string, options: readonly T[]): T | Refused {
    const found = options.find((option) => String(option) === typed);
    if (found !== undefined) return found;
    return this.#refused("labs.refused.choice", { options: options.join(", "), given: printable(typed) });
  }

  /** A list of words in any script. Text that was not changed keeps its words as they were split before. */
  words(typed: string, before: readonly string[], { min, max }: Range): string[] | Refused {
    // A word of several ideographs is typed without spaces; splitting it again would take it apart.
    const tokens = piecesOf(typed) ?? (typed.trim() === before.join(" ") ? [...before] : tokenize(typed));
    if (tokens.length < min || tokens.length > max)
      return this.#refused("labs.refused.words", { min, max, given: tokens.length });
    const { min: shortest, max: longest } = bounds.wordLength;
    const long = tokens.find((token) => !isWord(token, shortest, longest));
    if (long === undefined) return tokens;
    return this.#refused("labs.refused.word", { max: longest, given: Array.from(long).length });
  }

  #refused(
    key: `labs.refused.${"whole" | "decimal" | "choice" | "words" | "word"}`,
    slots: Record<string, string | number>,
  ): Refused {
    return { refused: this.#words(key, { field: this.field, ...slots }) };
  }
}

export function withoutNode(edits: readonly Edit[], node: string): Edit[] {
  return edits.filter((edit) => edit.node !== node);
}
