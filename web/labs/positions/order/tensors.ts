/** The tensors of words in two orders: who they are, what their places are called. */
import type { ConfigOf } from "../../../config/config.js";
import { orderOf, swapped } from "../../../config/labs/positions.js";
import type { Words } from "../../../i18n/words.js";
import type { Tensor } from "../../../telling/telling.js";
import { wordNames } from "../../attention/blocks.js";
import { SIDES, inputName, schemesOf, under, type Scheme } from "./schemes.js";
import { sayIn, type Key } from "./strings.js";

type Config = ConfigOf<"positions">;
type Name = Extract<Key, `name.${string}`> extends `name.${infer N}` ? N : never;

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
  const say = sayIn(words);
  return { first: say("first"), second: say("second", movedWords(config, words)) };
}

/** At which stop a tensor appears. */
function stopOf(compare: boolean, name: string): string {
  if (["moved", "minus", "difference"].includes(name)) return "differ";
  if (name === "output") return compare ? "differ" : "mix";
  if (["K_T", "scores", "scaled", "masked", "weights"].includes(name)) return "attend";
  return compare ? "encode" : "words";
}

/** A tensor but for what its name says; `side`: of the second order; `scheme`: of one encoding. */
type Own = Partial<Tensor> & Pick<Tensor, "symbol" | "axes"> & { side?: boolean; scheme?: Scheme };

export function tensors(config: Config, words: Words): Tensor[] {
  const { numbers } = config;
  const say = sayIn(words);
  const { tokens } = orderOf(numbers);
  const compare = numbers.encoding === "compare";
  const { first, second } = rowsOf(config, words);
  const positions = tokens.map((_, p) => words("labs.positions.position", { n: p }));
  const heads = Array.from({ length: numbers.heads }, (_, h) => words("labs.head", { n: h }));
  const family = compare ? "inputs" : "vectors";
  const found: Tensor[] = [];

  const make = (node: string, name: Name, { side = false, scheme, ...own }: Own) => {
    const plain = say(`name.${name}`);
    const single = `single.${name}`;
    const placed = side ? say("in.second", { name: plain }) : plain;
    const called = compare && scheme ? say(`scheme.${scheme}`) : null;
    const meaning = (index: number[]): string => {
      const [row = "", column] = index.flatMap((at, axis) => own.axes[axis]?.[at] ?? []);
      const what = column === undefined ? row : say("meaning.pair", { row, column });
      return called ? say("meaning.scheme", { scheme: called, what }) : what;
    };
    found.push({
      node,
      stop: stopOf(compare, name),
      name: called ? say("of.scheme", { scheme: called, name: placed }) : placed,
      single: say.has(single) ? say(single) : plain,
      meaning,
      ...own,
    });
  };

  const rows = { letters: "S×D", symbol: "X", family, axes: [first, null] };
  const places: Own = { letters: "S", symbol: "p", fill: "none", family: "order", axes: [positions] };
  const parameters = { role: "weight", family: "parameters" } as const;
  make("X", "X", { ...rows, editable: true });
  make("order", "order", { ...places });
  make("swapped.X", "swapped.X", { ...rows, symbol: "PX", axes: [second, null] });

  for (const scheme of schemesOf(numbers)) {
    const at = under(numbers, scheme);
    const learned = scheme === "learned";
    if (learned || scheme === "absolute" || scheme === "sinusoidal")
      make(at("PE"), "PE", {
        ...rows,
        scheme,
        symbol: "PE",
        axes: [positions, null],
        ...(learned && parameters),
      });
    if (scheme === "absolute" || scheme === "sinusoidal")
      make(at("PE.positions"), "positions", { ...places, scheme });
    if (scheme === "alibi") {
      const bias = { scheme, letters: "S×S", symbol: "B", family: "distance", at: [0, null, null] };
      make(at("bias.slopes"), "bias.slopes", {
        scheme,
        ...parameters,
        letters: "H",
        symbol: "m",
        axes: [heads],
      });
      make(at("bias"), "bias", { ...bias, axes: [heads, positions, positions] });
      make(at("first"), "first", { ...bias, axes: [heads.slice(0, 1), positions, positions] });
      make(at("distance"), "first", { ...bias, at: [null, null], axes: [positions, positions] });
    }
    for (const side of SIDES) {
      const names = side ? second : first;
      const of = (name: string): string => at(side + name);
      const own = { scheme, side: side !== "" };
      const row = { ...rows, ...own, axes: [names, null] };
      const pairs = { ...own, letters: "S×S", symbol: "S", family: "scores", axes: [names, names] };
      const [p, turned] = [side ? "P" : "", scheme === "rotary"];
      if (inputName(scheme) === "input")
        make(of("input"), "input", { ...row, symbol: turned ? `R${p}X` : `${p}X+PE` });
      if (turned) make(of("input.positions"), "positions", { ...places, ...own });
      make(of("K_T"), "K_T", {
        ...row,
        letters: "D×S",
        symbol: { text: "X", sup: "T" },
        role: "key",
        axes: [null, names],
      });
      make(of("scores"), "scores", pairs);
      make(of("scaled"), "scaled", { ...pairs, symbol: "S/√d" });
      if (scheme === "alibi") make(of("masked"), "masked", { ...pairs, symbol: "S+B" });
      make(of("weights"), "weights", { ...pairs, symbol: "A", role: "attention", family: "weights" });
      make(of("output"), "output", {
        ...row,
        symbol: "O",
        role: "output",
        family: compare ? "differences" : family,
      });
    }
    const back: Own = {
      ...rows,
      scheme,
      role: "output",
      family: compare ? "differences" : family,
      axes: [second, null],
    };
    make(at("moved"), "moved", { ...back, symbol: "PO" });
    make(at("minus"), "minus", { ...back, symbol: "−PO" });
    // Side by side each encoding has a scale of its own, or the index leaves the others pale; without positions nothing is left.
    const scale = scheme === "none" ? "absolute" : scheme;
    const apart = compare && ({ fill: "difference", family: `difference.${scale}` } as const);
    make(at("difference"), "difference", { ...back, ...apart, symbol: "Δ" });
  }
  return found;
}
