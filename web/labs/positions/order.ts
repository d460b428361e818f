/** The positions lab without an encoding, and with each side by side: what it says of words in two orders. */
import { bounds, choices } from "../../config/bounds.js";
import type { ConfigOf, PositionsNumbers } from "../../config/config.js";
import { orderOf } from "../../config/order.js";
import type { Words } from "../../i18n/words.js";
import type { FormulaPart } from "../../marks/wording.js";
import { wordNames } from "../attention/blocks.js";
import { counted, numberControls, sizeWords } from "../controls.js";
import type { Lab } from "../lab.js";
import { orderScene, orderStrip } from "./order-scene.js";
import { STOPS, orderWords, tensors } from "./order-tensors.js";
import { schemesOf, under } from "./schemes.js";
import { oneOf, typedWords, wholeNumber, withoutNode, type Refused } from "../settings.js";
import { told } from "../telling.js";
import { largestInRow } from "../largest.js";

type Config = ConfigOf<"positions">;
type Kind = "none" | "compare";
const kindOf = ({ encoding }: PositionsNumbers): Kind => (encoding === "compare" ? "compare" : "none");

function sentence({ numbers }: Config, words: Words): ReturnType<Lab<"positions">["sentence"]> {
  const text = orderWords(words);
  const kind = kindOf(numbers);
  const { tokens, dim, swap } = orderOf(numbers);
  const number = numberControls(words);
  const names = wordNames(tokens, words);
  const place = (id: "first" | "second", at: number) => ({
    id,
    kind: "choice" as const,
    title: text(`field.${id}`),
    value: String(at),
    label: names[at]!,
    help: text("help.swap"),
    options: names.map((label, value) => ({ value: String(value), label })),
    essential: id === "first",
  });
  return {
    text: text(`sentence.${kind}`),
    controls: [
      {
        id: "encoding",
        kind: "choice",
        essential: true,
        title: words("labs.field.encoding"),
        value: numbers.encoding,
        label: text(`label.${kind}`),
        help: words("labs.help.positions.encoding"),
        options: choices.encoding.map((value) => ({ value, label: words(`labs.encoding.${value}`) })),
      },
      {
        id: "words",
        kind: "words",
        title: words("labs.field.words"),
        value: tokens.join(" "),
        label: counted(words, "labs.words", tokens.length),
        help: text("help.words"),
      },
      {
        ...number("wordDim", "labs.field.dim", dim, bounds.wordDim, counted(words, "labs.numbers", dim)),
        help: text("help.wordDim"),
      },
      {
        ...number(
          "seed",
          "labs.field.seed",
          numbers.seed,
          bounds.seed,
          words("labs.seed", { n: numbers.seed }),
        ),
        help: words("labs.help.attention.seed"),
      },
      ...(kind === "compare"
        ? [
            {
              ...number(
                "base",
                "labs.field.base",
                numbers.base,
                bounds.base,
                words("labs.positions.base", { n: numbers.base }),
              ),
              help: words("labs.help.positions.base"),
            },
          ]
        : []),
      place("first", swap[0]),
      place("second", swap[1]),
    ],
  };
}

/** The numbers after one of the controls that only words in two orders have was set. */
export function setOrder(
  numbers: PositionsNumbers,
  control: "words" | "first" | "second" | "wordDim",
  value: string,
  words: Words,
): PositionsNumbers | Refused {
  const { tokens, dim, swap } = orderOf(numbers);
  switch (control) {
    case "words": {
      const typed = typedWords(value, tokens, "labs.field.words", 1, words);
      if (!Array.isArray(typed)) return typed;
      if (typed.join(" ") === tokens.join(" ")) return numbers;
      return { ...numbers, tokens: typed, edits: withoutNode(numbers.edits, "X") };
    }
    case "wordDim": {
      const width = wholeNumber(value, "labs.field.dim", bounds.wordDim, words);
      if (typeof width !== "number" || width === dim) return typeof width === "number" ? numbers : width;
      return { ...numbers, wordDim: width };
    }
    default: {
      const places = tokens.map((_, at) => String(at));
      const chosen = oneOf(value, "labs.field.positions", places, words);
      if (typeof chosen !== "string") return chosen;
      const at = Number(chosen);
      const next = control === "first" ? [at, swap[1]] : [swap[0], at];
      return next.every((place, which) => place === swap[which]) ? numbers : { ...numbers, swap: next };
    }
  }
}

function opening({ numbers }: Config): { node: string; index: number[] } {
  const [row] = orderOf(numbers).swap;
  return kindOf(numbers) === "compare"
    ? { node: "sinusoidal.difference", index: [row, 0] }
    : { node: "difference", index: [row, 0] };
}

function formula(config: Config, words: Words): { id: string; parts: FormulaPart[] } {
  const { numbers } = config;
  const all = tensors(config, words);
  const kind = kindOf(numbers);
  const part = (symbol: string, nodes: string[]): FormulaPart => {
    const { rows, columns, name, role } = all.find(({ node }) => node === nodes.at(-1))!;
    return {
      symbol,
      nodes,
      ...(role === "activation" ? {} : { role }),
      label: words("labs.formula.part", { symbol, name, size: sizeWords([rows, columns], words) }),
    };
  };
  const of = (name: string): string[] => schemesOf(numbers).map((scheme) => under(numbers, scheme)(name));
  return {
    id: kind === "none" ? "order" : "order-each",
    parts: [
      ...(kind === "compare" ? [part("D", of("difference"))] : []),
      part("OP", of("swapped.output")),
      part("PX", ["swapped.X"]),
      part("PO", of("moved")),
      part("X", ["X"]),
    ],
  };
}

const telling = told<"positions">({
  id: "positions",
  formulas: {},
  title: ({ numbers }, words) => orderWords(words)(`title.${kindOf(numbers)}`),
  lede: ({ numbers }, words, narrow) => orderWords(words)(narrow ? "lede.narrow" : `lede.${kindOf(numbers)}`),
  sentence,
  change: (numbers) => numbers,
  formula,
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
  flow: () => ({ lines: [], legendOf: () => "" }),
});

/** A part of the positions lab: what it answers where `hasOrder`. */
export const order = { ...telling, scene: orderScene, strip: orderStrip };
