/** Lab 2: attention step by step. One head, every number of it (section 3.2.1). */
import { bounds, choices } from "../config/bounds.js";
import { keyCount } from "../config/counts.js";
import type { AttentionNumbers } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { attendingSet } from "./attend.js";
import { isOwn, withOwn } from "./attention-own.js";
import { attentionScene, attentionStrip } from "./attention-scene.js";
import { lede, sentence, title } from "./attention-sentence.js";
import { formula, nodeWords, opening, remarks, steps } from "./attention-words.js";
import type { Lab } from "./lab.js";
import { changing, oneOf, typedWords, wholeNumber, withoutNode, type Refused } from "./settings.js";
import attentionFormula from "./attention.tex?mathml";
import attentionAdditiveFormula from "./attention-additive.tex?mathml";
import attentionAdditiveMaskedFormula from "./attention-additive-masked.tex?mathml";
import attentionMaskedFormula from "./attention-masked.tex?mathml";
import attentionUnscaledFormula from "./attention-unscaled.tex?mathml";
import attentionUnscaledMaskedFormula from "./attention-unscaled-masked.tex?mathml";

function set(
  numbers: AttentionNumbers,
  control: string,
  value: string,
  words: Words,
): AttentionNumbers | Refused {
  const whole = (field: "dim" | "keyDim" | "valueDim" | "seed") =>
    wholeNumber(value, `labs.field.${field}`, bounds[field], words);
  switch (control) {
    case "words": {
      const tokens = typedWords(value, numbers.tokens, "labs.field.words", 1, words);
      if (!Array.isArray(tokens)) return tokens;
      if (tokens.join(" ") === numbers.tokens.join(" ")) return numbers;
      // The reader's own Q, K and V only have other names for their rows.
      if (isOwn(numbers) && tokens.length === numbers.tokens.length) return { ...numbers, tokens };
      return { ...numbers, tokens, source: "words", x: null, edits: withoutNode(numbers.edits, "X") };
    }
    case "memory": {
      const memory = typedWords(value, numbers.memory, "labs.field.memory", 0, words);
      return Array.isArray(memory) ? { ...numbers, memory, edits: withoutNode(numbers.edits, "M") } : memory;
    }
    case "dim": {
      const dim = whole("dim");
      if (typeof dim !== "number" || dim === numbers.dim) return typeof dim === "number" ? numbers : dim;
      return { ...numbers, dim, source: "words", x: null, edits: [] };
    }
    case "keyDim":
    case "valueDim": {
      const width = whole(control);
      if (typeof width !== "number" || width === numbers[control])
        return typeof width === "number" ? numbers : width;
      // v is as long as a key.
      const edits = control === "keyDim" ? withoutNode(numbers.edits, "v") : numbers.edits;
      return { ...numbers, [control]: width, edits };
    }
    case "seed": {
      const seed = whole("seed");
      return typeof seed === "number" ? { ...numbers, seed, wq: null, wk: null, wv: null } : seed;
    }
    case "draw": {
      if (value === "given") return numbers;
      if (value === "own") return isOwn(numbers) ? numbers : withOwn(numbers, {});
      const draw = oneOf(value, "labs.field.draw", ["scaled", "randint"], words);
      if (typeof draw !== "string") return draw;
      // Numbers drawn for the identity would be Q, K and V again.
      const typed = isOwn(numbers) ? { source: "words" as const, x: null } : {};
      return { ...numbers, ...typed, draw, wq: null, wk: null, wv: null };
    }
    case "score": {
      const score = oneOf(value, "labs.field.score", choices.attentionScore, words);
      if (typeof score !== "string") return score;
      if (score === "additive") return { ...numbers, score };
      const { score: _, ...others } = numbers;
      return { ...others, edits: withoutNode(numbers.edits, "v") };
    }
    case "scale":
    case "mask":
    case "paint":
      return attendingSet(numbers, control, value, numbers.tokens.length, keyCount(numbers), words);
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const attention: Lab<"attention"> = {
  id: "attention",
  formulas: {
    attention: attentionFormula,
    "attention-masked": attentionMaskedFormula,
    "attention-additive": attentionAdditiveFormula,
    "attention-additive-masked": attentionAdditiveMaskedFormula,
    "attention-unscaled": attentionUnscaledFormula,
    "attention-unscaled-masked": attentionUnscaledMaskedFormula,
  },
  title,
  lede,
  sentence,
  change: changing("attention", set),
  scene: attentionScene,
  strip: attentionStrip,
  steps,
  formula,
  nodeWords,
  opening,
  untrained: ({ numbers }) => numbers.source === "words",
  remarks,
};
