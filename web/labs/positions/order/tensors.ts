/** The tensors of words in two orders and the names of their rows and columns. */
import type { ConfigOf } from "../../../config/config.js";
import { orderOf, swappedOrder } from "../../../config/labs/positions.js";
import type { Words } from "../../../i18n/words.js";
import type { Axes, Tensor } from "../../../telling/declaration.js";
import { wordNames } from "../../../telling/phrases.js";
import { SIDES, inputName, schemesOf, nodeNamer, type Scheme, type Side } from "./schemes.js";
import { stringsIn, type Key } from "./strings.js";

type Config = ConfigOf<"positions">;

/** The names of the rows in the first order and in the second. */
export function rowsOf({ numbers }: Config, words: Words): { first: string[]; second: string[] } {
  const order = orderOf(numbers);
  const first = wordNames(order.tokens, words);
  return { first, second: swappedOrder(order).map((place) => first[place]!) };
}

/** The names of the two words that change places. */
export function swappedWords(config: Config, words: Words): { a: string; b: string } {
  const { first } = rowsOf(config, words);
  const [a, b] = orderOf(config.numbers).swap;
  return { a: first[a] ?? "", b: first[b] ?? "" };
}

/** The headings of the first order and of the second. */
export function headingsOf(config: Config, words: Words): { first: string; second: string } {
  const strings = stringsIn(words);
  return { first: strings("first"), second: strings("second", swappedWords(config, words)) };
}

/** The stop at which a tensor appears. */
function stopOf(isComparison: boolean, name: string): string {
  if (["moved", "minus", "difference"].includes(name)) return "differ";
  if (name === "output") return isComparison ? "differ" : "mix";
  if (["K_T", "scores", "scaled", "masked", "weights"].includes(name)) return "attend";
  return isComparison ? "encode" : "words";
}

/** The properties of a tensor besides its name and symbol. `stringsKey` is the key of its strings if that is not its name. */
type Properties = Partial<Tensor> & Pick<Tensor, "axes"> & { stringsKey?: string };
/** The scheme and the order of a tensor; absent if it belongs to all. */
interface Owner {
  scheme?: Scheme;
  side?: Side;
}

export function axes(config: Config, words: Words): Axes {
  const { numbers } = config;
  const { first, second } = rowsOf(config, words);
  const heads = Array.from({ length: numbers.heads }, (_, h) => words("labs.head", { n: h }));
  return {
    first: ["S", first],
    second: ["S", second],
    position: ["S", orderOf(numbers).tokens.map((_, n) => words("labs.positions.position", { n }))],
    head: ["H", heads],
    "first-head": ["H", heads.slice(0, 1)],
  };
}

export function tensors(config: Config, words: Words): Tensor[] {
  const { numbers } = config;
  const strings = stringsIn(words);
  const kinds = axes(config, words);
  const isComparison = numbers.encoding === "compare";
  const family = isComparison ? "inputs" : "vectors";
  const allTensors: Tensor[] = [];

  const addTensor = ({ scheme, side = "" }: Owner, name: string, symbol: string, more: Properties): void => {
    const { stringsKey = name, ...own } = more;
    const plain = strings(`name.${stringsKey}` as Key);
    const single = `single.${stringsKey}`;
    const nameInOrder = side ? strings("in.second", { name: plain }) : plain;
    const column = isComparison && scheme ? strings(`scheme.${scheme}`) : null;
    const meaning = (index: number[]): string => {
      const [a = "", b] = own.axes.split(" ").flatMap((kind, axis) => kinds[kind]?.[1]?.[index[axis]!] ?? []);
      const what = b === undefined ? a : strings("meaning.pair", { row: a, column: b });
      return column ? strings("meaning.scheme", { scheme: column, what }) : what;
    };
    allTensors.push({
      node: scheme ? nodeNamer(numbers, scheme)(side + name) : name,
      stop: stopOf(isComparison, name),
      symbol,
      name: column ? strings("of.scheme", { scheme: column, name: nameInOrder }) : nameInOrder,
      single: strings.has(single) ? strings(single) : plain,
      meaning,
      ...own,
    });
  };
  const vectors = (kind: string): Properties => ({ family, axes: `${kind} D` });
  const pairs = (kind: string): Properties => ({ family: "scores", axes: `${kind} ${kind}` });
  const result = { role: "output", ...(isComparison && { family: "differences" }) } as const;
  const parameters = { role: "weight", family: "parameters" } as const;
  const order: Properties = { fill: "none", family: "order", axes: "position" };
  const places = { ...order, stringsKey: "positions" };

  addTensor({}, "X", "X", { ...vectors("first"), editable: true });
  addTensor({}, "order", "p", order);
  addTensor({}, "swapped.X", "PX", vectors("second"));
  for (const scheme of schemesOf(numbers)) {
    const addOfScheme = (name: string, symbol: string, own: Properties): void =>
      addTensor({ scheme }, name, symbol, own);
    const isRotary = scheme === "rotary";
    if (scheme === "learned") addOfScheme("PE", "PE", { ...vectors("position"), ...parameters });
    if (scheme === "absolute" || scheme === "sinusoidal") {
      addOfScheme("PE", "PE", vectors("position"));
      addOfScheme("PE.positions", "p", places);
    }
    if (scheme === "alibi") {
      const distance = { ...pairs("position"), family: "distance" };
      const bias = { ...distance, at: [0, null, null] };
      addOfScheme("bias.slopes", "m", { ...parameters, axes: "head" });
      addOfScheme("bias", "B", { ...bias, axes: "head position position" });
      addOfScheme("first", "B", { ...bias, axes: "first-head position position" });
      addOfScheme("distance", "B", { ...distance, stringsKey: "first" });
    }
    for (const side of SIDES) {
      const addOfOrder = (name: string, symbol: string, own: Properties): void =>
        addTensor({ scheme, side }, name, symbol, own);
      const names = side ? "second" : "first";
      const [rows, p] = [vectors(names), side ? "P" : ""];
      if (inputName(scheme) === "input") addOfOrder("input", isRotary ? `R${p}X` : `${p}X+PE`, rows);
      if (isRotary) addOfOrder("input.positions", "p", places);
      addOfOrder("K_T", "X^T", { ...rows, role: "key", axes: `D ${names}` });
      addOfOrder("scores", "S", pairs(names));
      addOfOrder("scaled", "S/√d", pairs(names));
      if (scheme === "alibi") addOfOrder("masked", "S+B", pairs(names));
      addOfOrder("weights", "A", { ...pairs(names), role: "attention", family: "weights" });
      addOfOrder("output", "O", { ...rows, ...result });
    }
    const secondOutput = { ...vectors("second"), ...result };
    addOfScheme("moved", "PO", secondOutput);
    addOfScheme("minus", "−PO", secondOutput);
    // In a comparison each encoding has its own colour scale, because the differences of the absolute index would leave the others pale. Without an encoding the difference is 0.
    const scale = scheme === "none" ? "absolute" : scheme;
    const ownScale = isComparison && ({ fill: "difference", family: `difference.${scale}` } as const);
    addOfScheme("difference", "Δ", { ...secondOutput, ...ownScale });
  }
  return allTensors;
}
