/** Lab 5: positional encodings (section 3.5), and what came after. */
import { bounds, choices } from "../config/bounds.js";
import type { ConfigOf, PositionsNumbers } from "../config/config.js";
import { hasOrder } from "../config/order.js";
import type { Words } from "../i18n/words.js";
import type { Lab } from "./lab.js";
import { order, setOrder } from "./positions-order.js";
import { positionsScene, positionsStrip } from "./positions-scene.js";
import { lede, sentence, title } from "./positions-sentence.js";
import { formula, nodeWords, opening, remarks, steps } from "./positions-words.js";
import { changing, oneOf, wholeNumber, type Refused } from "./settings.js";
import sinusoidalFormula from "./sinusoidal.tex?mathml";
import sinusoidalBaseFormula from "./sinusoidal-base.tex?mathml";
import orderFormula from "./order.tex?mathml";
import orderEachFormula from "./order-each.tex?mathml";
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
    case "words":
    case "first":
    case "second":
    case "wordDim":
      return setOrder(numbers, control, value, words);
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

/** Words in two orders have a part of the lab of their own. */
const alone: Omit<Lab<"positions">, "id" | "formulas" | "change"> = {
  title,
  lede,
  sentence,
  scene: positionsScene,
  strip: positionsStrip,
  steps,
  formula,
  nodeWords,
  opening,
  remarks,
};
const of = ({ numbers }: ConfigOf<"positions">): typeof alone => (hasOrder(numbers) ? order : alone);

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
    order: orderFormula,
    "order-each": orderEachFormula,
  },
  change: changing("positions", set),
  title: (config, words) => of(config).title(config, words),
  lede: (config, words, narrow) => of(config).lede(config, words, narrow),
  sentence: (config, words) => of(config).sentence(config, words),
  scene: (config, snapshots, room) => of(config).scene(config, snapshots, room),
  strip: (config, snapshots, room) => of(config).strip(config, snapshots, room),
  steps: (config, words, snapshots) => of(config).steps(config, words, snapshots),
  formula: (config, words) => of(config).formula(config, words),
  nodeWords: (config, node, words, snapshots) => of(config).nodeWords(config, node, words, snapshots),
  opening: (config) => of(config).opening(config),
  untrained: ({ numbers }) => hasOrder(numbers),
  remarks: (config, snapshots, words) => of(config).remarks(config, snapshots, words),
};
