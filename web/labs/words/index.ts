/** The words lab (documents 000, 001 and 004): one-hot rows, bags of words, cosines, word2vec trained on a text, token ids that look up rows. */
import type { ConfigOf } from "../../config/config.js";
import { countedWords, isPlane, lookupOf, vocabularyOf } from "../../config/labs/words.js";
import type { Stops } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import { cellAt, type Cell } from "../../telling/largest.js";
import countFormula from "./count.tex?mathml";
import lookupFormula from "./lookup.tex?mathml";
import nearFormula from "./near.tex?mathml";
import negativeFormula from "./negative.tex?mathml";
import softmaxFormula from "./softmax.tex?mathml";
import { settings } from "./settings.js";
import { flow, isSmallVocabulary } from "./flow.js";
import { picture } from "./picture.js";
import { stringsIn } from "./strings.js";
import { axes, selectedWord, tensors } from "./tensors.js";

type Config = ConfigOf<"words">;

/** The cell of a word's first coordinate on the map: with two numbers per word, the first number of its row. */
const onMap = (numbers: Config["numbers"], word: number): Cell =>
  cellAt(isPlane(numbers) ? "w_in" : "places", word, 0);

/** The cell with the score of the first neighbour. */
function firstScore(numbers: Config["numbers"]): Cell {
  const { neighbours } = selectedWord(numbers);
  return cellAt("scores", 0, vocabularyOf(numbers.text).indexOf(neighbours[0]!));
}

function opening({ numbers }: Config): Cell {
  const { topic, tokens } = numbers;
  // The second word: its one-hot row has zeros on both sides of the 1.
  if (topic === "count") return cellAt("vectors", Math.min(1, tokens.length - 1), 0);
  if (topic === "near") return cellAt("target", 0, 1);
  if (topic === "lookup") return cellAt("X", 0, 0);
  const { word } = selectedWord(numbers);
  if (!isSmallVocabulary(numbers)) return onMap(numbers, vocabularyOf(numbers.text).indexOf(word));
  return firstScore(numbers);
}

function stops({ numbers }: Config): Stops {
  switch (numbers.topic) {
    case "count": {
      const second = Math.min(1, countedWords(numbers).length - 1);
      return {
        lookup: opening({ numbers } as Config),
        count: cellAt("counts", 0, 0),
        compare: cellAt("apart.distance", 0, second),
      };
    }
    case "near":
      return { near: cellAt("table.cosine", 0, 1), riddle: cellAt("target", 0, 1) };
    case "learn":
      return {
        map: { ...onMap(numbers, 0), ...(isPlane(numbers) && { tell: "plane" }) },
        predict: { ...firstScore(numbers), tell: `predict.${numbers.method}` },
      };
    case "lookup": {
      const slots = { n: lookupOf(numbers).rows - 1 };
      return {
        lookup: { ...cellAt("X", 0, 0), tell: "ids" },
        multiply: { ...cellAt("product", 0, 0), slots },
      };
    }
  }
}

/** The nodes that the symbols of a formula stand for. */
const symbols = {
  count: { v: "vectors", x: "onehot", e: "E", n: "counts" },
  near: { cos: "table.cosine", t: "target", a: "first", b: "less", c: "plus" },
  softmax: { p: "both", h: "hidden", u: "w_out_T" },
  negative: { p: "both", h: "hidden", u: "w_out_T" },
  lookup: { x: "X", e: "E", i: "ids", o: "onehot" },
} as const;

export const lab = declareLab({
  id: "words",
  formulas: {
    count: countFormula,
    near: nearFormula,
    softmax: softmaxFormula,
    negative: negativeFormula,
    lookup: lookupFormula,
  },
  strings: stringsIn,
  title: ({ numbers }: Config, language) => stringsIn(language)(`title.${numbers.topic}`),
  lede({ numbers }: Config, language, isNarrow) {
    const narrowKey = numbers.topic === "learn" ? ("lede.narrow" as const) : ("lede.tap" as const);
    return stringsIn(language)(isNarrow ? narrowKey : `lede.${numbers.topic}`);
  },
  ...settings,
  axes,
  tensors,
  stops,
  picture,
  flow,
  symbols({ numbers: { topic, loss } }) {
    const id = topic === "learn" ? loss : topic;
    return { id, symbols: symbols[id] };
  },
  opening,
  time({ numbers }, language) {
    if (numbers.topic !== "learn") return null;
    return {
      control: "step",
      at: numbers.step,
      last: numbers.steps,
      label: stringsIn(language)("axis.step"),
    };
  },
});
