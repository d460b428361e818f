/** Lab 4: many heads side by side (section 3.2.2). */
import { bounds } from "../config/bounds.js";
import type { MultiHeadNumbers } from "../config/config.js";
import { rowCount } from "../config/counts.js";
import { headsProblem } from "../config/rules.js";
import type { Words } from "../i18n/words.js";
import { attendingSet } from "./attend.js";
import type { Lab } from "./lab.js";
import { multiHeadScene, multiHeadStrip } from "./multi-head-scene.js";
import { lede, sentence, title } from "./multi-head-sentence.js";
import { formula, nodeWords, opening, remarks, steps } from "./multi-head-words.js";
import {
  changing,
  isRefused,
  oneOf,
  typedWords,
  wholeNumber,
  withoutNode,
  type Refused,
} from "./settings.js";
import multiHeadFormula from "./multi-head.tex?mathml";

/** Heads that share the numbers of a word evenly keep doing so. */
function shared(numbers: MultiHeadNumbers): boolean {
  return numbers.heads * numbers.keyDim === numbers.dim && numbers.keyDim === numbers.valueDim;
}

function split(
  numbers: MultiHeadNumbers,
  next: Pick<MultiHeadNumbers, "dim" | "heads">,
  words: Words,
): MultiHeadNumbers | Refused {
  if (!shared(numbers)) return { ...numbers, ...next };
  if (headsProblem(next))
    return { refused: words("labs.refused.heads", { heads: next.heads, dim: next.dim }) };
  const width = next.dim / next.heads;
  if (width > bounds.keyDim.max)
    return { refused: words("labs.refused.width", { width, max: bounds.keyDim.max }) };
  return { ...numbers, ...next, keyDim: width, valueDim: width };
}

function set(
  numbers: MultiHeadNumbers,
  control: string,
  value: string,
  words: Words,
): MultiHeadNumbers | Refused {
  switch (control) {
    case "words": {
      const tokens = typedWords(value, numbers.tokens, "labs.field.words", 1, words);
      if (!Array.isArray(tokens)) return tokens;
      if (numbers.source === "words" && tokens.join(" ") === numbers.tokens.join(" ")) return numbers;
      return { ...numbers, tokens, source: "words", run: 1, edits: withoutNode(numbers.edits, "x") };
    }
    case "source": {
      if (value !== "words" || numbers.source === "words") return numbers;
      const tokens = numbers.tokens.length
        ? numbers.tokens
        : Array.from({ length: numbers.length }, (_, row) => `word_${row + 1}`);
      return { ...numbers, tokens, source: "words", run: 1, edits: [] };
    }
    case "dim":
    case "heads": {
      const size = wholeNumber(value, `labs.field.${control}`, bounds[control], words);
      if (typeof size !== "number") return size;
      if (size === numbers[control]) return numbers;
      const next = split(numbers, { dim: numbers.dim, heads: numbers.heads, [control]: size }, words);
      return isRefused(next) ? next : { ...next, edits: [] };
    }
    case "keyDim": {
      const keyDim = wholeNumber(value, "labs.field.headWidth", bounds.keyDim, words);
      if (typeof keyDim !== "number") return keyDim;
      return {
        ...numbers,
        keyDim,
        valueDim: numbers.valueDim === numbers.keyDim ? keyDim : numbers.valueDim,
      };
    }
    case "length": {
      const length = wholeNumber(value, "labs.field.length", bounds.drawLength, words);
      return typeof length === "number" ? { ...numbers, length } : length;
    }
    case "batch":
    case "run":
    case "seed": {
      const whole = wholeNumber(value, `labs.field.${control}`, bounds[control], words);
      return typeof whole === "number" ? { ...numbers, [control]: whole } : whole;
    }
    case "draw": {
      const draw = oneOf(value, "labs.field.draw", ["scaled", "randn"], words);
      return typeof draw === "string" ? { ...numbers, draw } : draw;
    }
    case "scale":
    case "mask":
    case "paint":
      return attendingSet(numbers, control, value, rowCount(numbers), rowCount(numbers), words);
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const multiHead: Lab<"multi-head"> = {
  id: "multi-head",
  formulas: {
    "multi-head": multiHeadFormula,
  },
  title,
  lede,
  sentence,
  change: changing("multi-head", set),
  scene: multiHeadScene,
  strip: multiHeadStrip,
  steps,
  formula,
  nodeWords,
  opening,
  untrained: () => true,
  remarks,
};
