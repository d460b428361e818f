/** The tensors of words in two orders: who they are, what their places are called. */
import type { ConfigOf } from "../../../config/config.js";
import { orderOf, swapped } from "../../../config/labs/positions.js";
import type { Words } from "../../../i18n/words.js";
import type { Axes, Tensor } from "../../../telling/declaration.js";
import { wordNames } from "../../../telling/phrases.js";
import { SIDES, inputName, schemesOf, under, type Scheme, type Side } from "./schemes.js";
import { stringsIn, type Key } from "./strings.js";

type Config = ConfigOf<"positions">;

/** Names of the rows in the first order and in the second. */
export function rowsOf({ numbers }: Config, words: Words): { first: string[]; second: string[] } {
  const order = orderOf(numbers);
  const first = wordNames(order.tokens, words);
  return { first, second: swapped(order).map((place) => first[place]!) };
}

/** The two words that change places, as they are called. */
export function movedWords(config: Config, words: Words): { a: string; b: string } {
  const { first } = rowsOf(config, words);
  const [a, b] = orderOf(config.numbers).swap;
  return { a: first[a] ?? "", b: first[b] ?? "" };
}

/** What stands over the first order and over the second. */
export function headingsOf(config: Config, words: Words): { first: string; second: string } {
  const say = stringsIn(words);
  return { first: say("first"), second: say("second", movedWords(config, words)) };
}

/** At which stop a tensor appears. */
function stopOf(compare: boolean, name: string): string {
  if (["moved", "minus", "difference"].includes(name)) return "differ";
  if (name === "output") return compare ? "differ" : "mix";
  if (["K_T", "scores", "scaled", "masked", "weights"].includes(name)) return "attend";
  return compare ? "encode" : "words";
}

/** What a tensor is beyond its name and symbol; `called`: whose strings it has, where not those of its name. */
type Own = Partial<Tensor> & Pick<Tensor, "axes"> & { called?: string };
/** Of which scheme and order it is; absent: of all. */
interface At {
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
  const say = stringsIn(words);
  const kinds = axes(config, words);
  const compare = numbers.encoding === "compare";
  const family = compare ? "inputs" : "vectors";
  const found: Tensor[] = [];

  const make = ({ scheme, side = "" }: At, name: string, symbol: string, more: Own): void => {
    const { called = name, ...own } = more;
    const plain = say(`name.${called}` as Key);
    const single = `single.${called}`;
    const placed = side ? say("in.second", { name: plain }) : plain;
    const column = compare && scheme ? say(`scheme.${scheme}`) : null;
    const meaning = (index: number[]): string => {
      const [a = "", b] = own.axes.split(" ").flatMap((kind, axis) => kinds[kind]?.[1]?.[index[axis]!] ?? []);
      const what = b === undefined ? a : say("meaning.pair", { row: a, column: b });
      return column ? say("meaning.scheme", { scheme: column, what }) : what;
    };
    found.push({
      node: scheme ? under(numbers, scheme)(side + name) : name,
      stop: stopOf(compare, name),
      symbol,
      name: column ? say("of.scheme", { scheme: column, name: placed }) : placed,
      single: say.has(single) ? say(single) : plain,
      meaning,
      ...own,
    });
  };
  const vectors = (kind: string): Own => ({ family, axes: `${kind} D` });
  const pairs = (kind: string): Own => ({ family: "scores", axes: `${kind} ${kind}` });
  const result = { role: "output", ...(compare && { family: "differences" }) } as const;
  const parameters = { role: "weight", family: "parameters" } as const;
  const order: Own = { fill: "none", family: "order", axes: "position" };
  const places = { ...order, called: "positions" };

  make({}, "X", "X", { ...vectors("first"), editable: true });
  make({}, "order", "p", order);
  make({}, "swapped.X", "PX", vectors("second"));
  for (const scheme of schemesOf(numbers)) {
    const one = (name: string, symbol: string, own: Own): void => make({ scheme }, name, symbol, own);
    const turned = scheme === "rotary";
    if (scheme === "learned") one("PE", "PE", { ...vectors("position"), ...parameters });
    if (scheme === "absolute" || scheme === "sinusoidal") {
      one("PE", "PE", vectors("position"));
      one("PE.positions", "p", places);
    }
    if (scheme === "alibi") {
      const distance = { ...pairs("position"), family: "distance" };
      const bias = { ...distance, at: [0, null, null] };
      one("bias.slopes", "m", { ...parameters, axes: "head" });
      one("bias", "B", { ...bias, axes: "head position position" });
      one("first", "B", { ...bias, axes: "first-head position position" });
      one("distance", "B", { ...distance, called: "first" });
    }
    for (const side of SIDES) {
      const each = (name: string, symbol: string, own: Own): void =>
        make({ scheme, side }, name, symbol, own);
      const names = side ? "second" : "first";
      const [rows, p] = [vectors(names), side ? "P" : ""];
      if (inputName(scheme) === "input") each("input", turned ? `R${p}X` : `${p}X+PE`, rows);
      if (turned) each("input.positions", "p", places);
      each("K_T", "X^T", { ...rows, role: "key", axes: `D ${names}` });
      each("scores", "S", pairs(names));
      each("scaled", "S/√d", pairs(names));
      if (scheme === "alibi") each("masked", "S+B", pairs(names));
      each("weights", "A", { ...pairs(names), role: "attention", family: "weights" });
      each("output", "O", { ...rows, ...result });
    }
    const back = { ...vectors("second"), ...result };
    one("moved", "PO", back);
    one("minus", "−PO", back);
    // Side by side each encoding has a scale of its own, or the index leaves the others pale; without positions nothing is left.
    const scale = scheme === "none" ? "absolute" : scheme;
    const apart = compare && ({ fill: "difference", family: `difference.${scale}` } as const);
    one("difference", "Δ", { ...back, ...apart });
  }
  return found;
}
