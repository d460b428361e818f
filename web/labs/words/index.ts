/** Lab 1: words to vectors (documents 000 and 001): one-hot rows, bags of words, near and far, word2vec on a text. */
import type { ConfigOf } from "../../config/config.js";
import { countedWords, vocabularyOf } from "../../config/labs/words.js";
import type { Words } from "../../i18n/words.js";
import type { Stop } from "../../telling/telling.js";
import { told } from "../../telling/told.js";
import countFormula from "./count.tex?mathml";
import nearFormula from "./near.tex?mathml";
import negativeFormula from "./negative.tex?mathml";
import softmaxFormula from "./softmax.tex?mathml";
import { settings } from "./settings.js";
import { flow, isSmall } from "./stage.js";
import { said, type OwnKey } from "./strings.js";
import { lookedAt, tensors } from "./tensors.js";

type Config = ConfigOf<"words">;
type Cell = { node: string; index: number[] };

const cell = (node: string, ...index: number[]): Cell => ({ node, index });

/** The score of the first neighbour. */
function predicted(numbers: Config["numbers"]): Cell {
  const { around } = lookedAt(numbers);
  return cell("scores", 0, vocabularyOf(numbers.text).indexOf(around[0]!));
}

function opening({ numbers }: Config): Cell {
  const { topic, tokens } = numbers;
  // A word that is not the table's first row, so that its one stands between zeros.
  if (topic === "count") return cell("vectors", Math.min(1, tokens.length - 1), 0);
  if (topic === "near") return cell("target", 0, 1);
  const { word } = lookedAt(numbers);
  if (!isSmall(numbers)) return cell("places", vocabularyOf(numbers.text).indexOf(word), 0);
  return predicted(numbers);
}

function stops({ numbers }: Config, words: Words): Stop[] {
  const text = said(words);
  const stop = (id: string, at: Cell, tell = id): Stop => ({
    id,
    title: text(`stop.${id}` as OwnKey),
    sentence: text(`tell.${tell}` as OwnKey),
    cell: at,
  });
  switch (numbers.topic) {
    case "count":
      return [
        stop("lookup", opening({ numbers } as Config)),
        stop("count", cell("counts", 0, 0)),
        stop("compare", cell("apart.distance", 0, Math.min(1, countedWords(numbers).length - 1))),
      ];
    case "near":
      return [stop("near", cell("table.cosine", 0, 1)), stop("riddle", cell("target", 0, 1))];
    case "learn":
      return [
        stop("map", cell("places", 0, 0)),
        stop("predict", predicted(numbers), `predict.${numbers.method}`),
      ];
  }
}

/** The nodes that the symbols of a formula stand for. */
const symbols = {
  count: { v: "vectors", x: "onehot", e: "E", n: "counts" },
  near: { cos: "table.cosine", t: "target", a: "first", b: "less", c: "plus" },
  softmax: { p: "both", h: "hidden", u: "w_out_T" },
  negative: { p: "both", h: "hidden", u: "w_out_T" },
} as const;

export const lab = told({
  id: "words",
  formulas: { count: countFormula, near: nearFormula, softmax: softmaxFormula, negative: negativeFormula },
  title: ({ numbers }: Config, language) => said(language)(`title.${numbers.topic}`),
  lede({ numbers }: Config, language, narrow) {
    const phone = numbers.topic === "learn" ? ("lede.narrow" as const) : ("lede.tap" as const);
    return said(language)(narrow ? phone : `lede.${numbers.topic}`);
  },
  ...settings,
  tensors,
  stops,
  flow,
  symbols({ numbers: { topic, loss } }) {
    const id = topic === "learn" ? loss : topic;
    return { id, symbols: symbols[id] };
  },
  opening,
  time({ numbers }, language) {
    if (numbers.topic !== "learn") return null;
    return { control: "step", at: numbers.step, last: numbers.steps, label: said(language)("axis.step") };
  },
});
