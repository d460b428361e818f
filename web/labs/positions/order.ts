/** The positions lab without an encoding, and with each side by side: what it says of words in two orders. */
import { bounds } from "../../config/bounds.js";
import type { ConfigOf, PositionsNumbers } from "../../config/config.js";
import { orderOf } from "../../config/labs/positions.js";
import { wordNames } from "../attention/blocks.js";
import { counted } from "../../telling/phrases.js";
import { arrange, flow, picture, strip } from "./order-scene.js";
import { STOPS, orderWords, tensors } from "./order-tensors.js";
import { schemesOf, under } from "./schemes.js";
import { labControls, type ControlOf } from "../../telling/controls.js";
import { withoutNode } from "../../telling/typed-values.js";
import type { FormulaSymbols } from "../../telling/telling.js";
import { told } from "../../telling/told.js";
import { largestInRow } from "../../telling/largest.js";

type Config = ConfigOf<"positions">;
type Kind = "none" | "compare";
const kindOf = ({ encoding }: PositionsNumbers): Kind => (encoding === "compare" ? "compare" : "none");

/** A word that changes places with the other. */
const place = (which: 0 | 1): ControlOf<"positions"> => ({
  kind: "choice",
  ...(which === 0 && { essential: true as const }),
  help: (_config, words) => orderWords(words)("help.swap"),
  value: ({ numbers }) => String(orderOf(numbers).swap[which]),
  label({ numbers }, words) {
    const { tokens, swap } = orderOf(numbers);
    return wordNames(tokens, words)[swap[which]]!;
  },
  options: ({ numbers }, words) =>
    wordNames(orderOf(numbers).tokens, words).map((label, value) => ({ value: String(value), label })),
  set(numbers, typed, reading) {
    const { tokens, swap } = orderOf(numbers);
    const at = reading.whole(typed, { min: 0, max: tokens.length - 1 });
    if (typeof at !== "number") return at;
    return at === swap[which] ? numbers : { ...numbers, swap: which === 0 ? [at, swap[1]] : [swap[0], at] };
  },
});

const settings = labControls({
  id: "positions",
  say: orderWords,
  sentence: ({ numbers }, words) => orderWords(words)(`sentence.${kindOf(numbers)}`),
  controls: {
    encoding: {
      essential: true,
      label: ({ numbers }, words) => orderWords(words)(`label.${kindOf(numbers)}`),
    },
    words: {
      setting: "tokens",
      kind: "words",
      value: ({ numbers }) => orderOf(numbers).tokens.join(" "),
      label: ({ numbers }, words) => counted(words, "labs.words", orderOf(numbers).tokens.length),
      set(numbers, typed, reading) {
        const { tokens: before } = orderOf(numbers);
        const tokens = reading.words(typed, before, { min: 1, max: bounds.words.max });
        if (!Array.isArray(tokens)) return tokens;
        if (tokens.join(" ") === before.join(" ")) return numbers;
        return { ...numbers, tokens, edits: withoutNode(numbers.edits, "X") };
      },
    },
    wordDim: {
      title: "labs.field.dim",
      kind: "number",
      range: () => bounds.wordDim,
      value: ({ numbers }) => String(orderOf(numbers).dim),
      label: ({ numbers }, words) => counted(words, "labs.numbers", orderOf(numbers).dim),
      set(numbers, typed, reading) {
        const wordDim = reading.whole(typed, bounds.wordDim);
        if (typeof wordDim !== "number") return wordDim;
        return wordDim === orderOf(numbers).dim ? numbers : { ...numbers, wordDim };
      },
    },
    seed: { help: (_config, words) => words("labs.help.attention.seed") },
    base: { label: ({ numbers }, words) => words("labs.positions.base", { n: numbers.base }) },
    first: place(0),
    second: place(1),
  },
});

function opening({ numbers }: Config): { node: string; index: number[] } {
  const [row] = orderOf(numbers).swap;
  return kindOf(numbers) === "compare"
    ? { node: "sinusoidal.difference", index: [row, 0] }
    : { node: "difference", index: [row, 0] };
}

function symbols({ numbers }: Config): FormulaSymbols {
  const compared = kindOf(numbers) === "compare";
  const of = (name: string): string[] => schemesOf(numbers).map((scheme) => under(numbers, scheme)(name));
  return {
    id: compared ? "order-each" : "order",
    symbols: {
      ...(compared && { D: of("difference") }),
      OP: of("swapped.output"),
      PX: "swapped.X",
      PO: of("moved"),
      X: "X",
    },
  };
}

/** A part of the positions lab: what it answers where `hasOrder`. */
export const order = told<"positions">({
  id: "positions",
  formulas: {},
  title: ({ numbers }, words) => orderWords(words)(`title.${kindOf(numbers)}`),
  lede: ({ numbers }, words, narrow) => orderWords(words)(narrow ? "lede.narrow" : `lede.${kindOf(numbers)}`),
  ...settings,
  symbols,
  opening,
  tensors,
  stops(config, words, snapshots) {
    const text = orderWords(words);
    const kind = kindOf(config.numbers);
    const cell = opening(config);
    const at = under(config.numbers, kind === "compare" ? "sinusoidal" : "none");
    const [row] = orderOf(config.numbers).swap;
    const largest = (node: string) => largestInRow(snapshots, { node, index: [row, 0] });
    const cells: Record<string, { node: string; index: number[] }> = {
      words: largest("swapped.X"),
      encode: largest(at("input")),
      attend: largest(at("weights")),
      mix: largest(at("output")),
      differ: cell,
    };
    return STOPS[kind].map((id) => ({
      id,
      title: text(`step.${id}`),
      sentence: text(id === "differ" ? `tell.differ.${kind}` : `tell.${id}`),
      cell: cells[id]!,
    }));
  },
  arrange,
  flow,
  picture,
  strip,
});
