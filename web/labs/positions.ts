/** Lab 5: positional encodings (section 3.5), and what came after. */
import { bounds, choices } from "../config/bounds.js";
import type { PositionsNumbers } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import type { Lab } from "./lab.js";
import { positionsScene, positionsStrip } from "./positions-scene.js";
import { lede, sentence, title } from "./positions-sentence.js";
import { becomes, formula, nodeWords, opening, remarks, steps } from "./positions-words.js";
import { changing, oneOf, wholeNumber, type Refused } from "./settings.js";
import sinusoidalFormula from "./sinusoidal.tex?mathml";
import sinusoidalBaseFormula from "./sinusoidal-base.tex?mathml";
import absoluteFormula from "./absolute.tex?mathml";
import learnedFormula from "./learned.tex?mathml";
import rotaryFormula from "./rotary.tex?mathml";
import alibiFormula from "./alibi.tex?mathml";
import shiftFormula from "./shift.tex?mathml";

const even = (encoding: PositionsNumbers["encoding"]) => encoding === "rotary" || encoding === "shift";

function set(
  numbers: PositionsNumbers,
  control: string,
  value: string,
  words: Words,
): PositionsNumbers | Refused {
  switch (control) {
    case "encoding": {
      const encoding = oneOf(value, "labs.field.encoding", choices.encoding, words);
      return typeof encoding === "string" ? { ...numbers, encoding } : encoding;
    }
    case "length":
    case "base":
    case "offset":
    case "heads":
    case "seed": {
      const whole = wholeNumber(
        value,
        control === "length" ? "labs.field.positions" : `labs.field.${control}`,
        bounds[control],
        words,
      );
      return typeof whole === "number" ? { ...numbers, [control]: whole } : whole;
    }
    case "positions": {
      const list = value.split(/[\s,，、]+/).filter(Boolean);
      if (list.length < 1 || list.length > bounds.length.max) {
        return {
          refused: words("labs.refused.count", {
            field: words("labs.field.positions"),
            max: bounds.length.max,
            given: list.length,
          }),
        };
      }
      const positions: number[] = [];
      for (const text of list) {
        const position = wholeNumber(text, "labs.field.positions", bounds.position, words);
        if (typeof position !== "number") return position;
        positions.push(position);
      }
      return { ...numbers, positions };
    }
    case "dim": {
      const dim = wholeNumber(value, "labs.field.dimensions", bounds.dim, words);
      if (typeof dim !== "number" || dim === numbers.dim) return typeof dim === "number" ? numbers : dim;
      if (even(numbers.encoding) && dim % 2 === 1)
        return { refused: words("labs.refused.even", { given: dim }) };
      return { ...numbers, dim, x: null, edits: [] };
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const positions: Lab<"positions"> = {
  id: "positions",
  formulas: {
    sinusoidal: sinusoidalFormula,
    "sinusoidal-base": sinusoidalBaseFormula,
    absolute: absoluteFormula,
    learned: learnedFormula,
    rotary: rotaryFormula,
    alibi: alibiFormula,
    shift: shiftFormula,
  },
  title,
  lede,
  sentence,
  change: changing("positions", set),
  scene: positionsScene,
  strip: positionsStrip,
  steps,
  formula,
  nodeWords,
  becomes,
  opening,
  remarks,
};
