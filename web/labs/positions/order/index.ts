/** The declaration of words in two orders, without an encoding or with every encoding side by side. */
import type { ConfigOf } from "../../../config/config.js";
import { orderOf } from "../../../config/labs/positions.js";
import type { Words } from "../../../i18n/words.js";
import type { Snapshots } from "../../../marks/scene.js";
import { cellAt, largestInRow, type Cell } from "../../../telling/largest.js";
import type { FormulaSymbols, SeveralDeclarations, Stop, Stops } from "../../../telling/declaration.js";
import { arrange, flow } from "./flow.js";
import { picture, strip } from "./picture.js";
import { schemesOf, nodeNamer } from "./schemes.js";
import { kindOf, stringsIn } from "./strings.js";
import { axes, tensors } from "./tensors.js";

type Config = ConfigOf<"positions">;

function opening({ numbers }: Config): Cell {
  return cellAt(nodeNamer(numbers, "sinusoidal")("difference"), orderOf(numbers).swap[0], 0);
}

function stops(config: Config, words: Words, snapshots: Snapshots): Stops {
  const { numbers } = config;
  const { index } = opening(config);
  const at = nodeNamer(numbers, "sinusoidal");
  const nodes = { words: "swapped.X", encode: at("input"), attend: at("weights"), mix: at("output") };
  const ids = [...new Set(tensors(config, words).map(({ stop }) => stop!))];
  return Object.fromEntries(
    ids.map((id): [string, Stop] => {
      if (id === "differ") return [id, { ...opening(config), tell: `differ.${kindOf(numbers)}` }];
      return [id, largestInRow(snapshots, { node: nodes[id as keyof typeof nodes], index })];
    }),
  );
}

function symbols({ numbers }: Config): FormulaSymbols {
  const isCompared = numbers.encoding === "compare";
  const of = (name: string): string[] => schemesOf(numbers).map((scheme) => nodeNamer(numbers, scheme)(name));
  return {
    id: isCompared ? "order-each" : "order",
    symbols: {
      ...(isCompared && { D: of("difference") }),
      OP: of("swapped.output"),
      PX: "swapped.X",
      PO: of("moved"),
      X: "X",
    },
  };
}

/** The declaration of a Config with `hasOrder`. */
export const order: ReturnType<SeveralDeclarations<"positions">["declarationOf"]> = {
  strings: stringsIn,
  title: ({ numbers }, words) => stringsIn(words)(`title.${kindOf(numbers)}`),
  lede: ({ numbers }, words, isNarrow) =>
    stringsIn(words)(isNarrow ? "lede.narrow" : `lede.${kindOf(numbers)}`),
  untrained: () => true,
  symbols,
  opening,
  axes,
  tensors,
  stops,
  arrange,
  flow,
  picture,
  strip,
};
