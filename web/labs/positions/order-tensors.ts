/** The tensors of words in two orders: who they are, what their places are called. */
import type { ConfigOf } from "../../config/config.js";
import { orderOf, swapped } from "../../config/labs/positions.js";
import { own, type OwnWords, type Words } from "../../i18n/words.js";
import { wordNames } from "../attention/blocks.js";
import { orderText } from "./order-text.js";
import { schemesOf, under, type Scheme } from "./schemes.js";
import type { Tensor } from "../../telling/telling.js";

type Config = ConfigOf<"positions">;
export type OrderWords = OwnWords<(typeof orderText)["en"]>;
type Name = Extract<keyof (typeof orderText)["en"], `name.${string}`> extends `name.${infer N}` ? N : never;

export const orderWords = (words: Words): OrderWords => own(words, orderText);

/** Names of the rows in the first order and in the second. */
export function rowsOf({ numbers }: Config, words: Words): { first: string[]; second: string[] } {
  const order = orderOf(numbers);
  const first = wordNames(order.tokens, words);
  return { first, second: swapped(order).map((place) => first[place]!) };
}

/** Stops of Play: without an encoding the words come first, side by side their encodings do. */
export const STOPS = {
  none: ["words", "attend", "mix", "differ"],
  compare: ["encode", "attend", "differ"],
} as const;

/** At which stop a tensor appears. */
function stopOf(compare: boolean, name: string): string {
  if (["moved", "minus", "difference"].includes(name)) return "differ";
  if (name === "output") return compare ? "differ" : "mix";
  if (["K_T", "scores", "scaled", "masked", "weights"].includes(name)) return "attend";
  return compare ? "encode" : "words";
}

/** What attention reads under a scheme. */
export function inputName(scheme: Scheme): "X" | "input" {
  return scheme === "none" || scheme === "alibi" ? "X" : "input";
}

/** A tensor but for what its name says; `side`: of the second order; `scheme`: of one encoding. */
type Own = Partial<Tensor> & Pick<Tensor, "symbol" | "axes"> & { side?: boolean; scheme?: Scheme };

export function tensors(config: Config, words: Words): Tensor[] {
  const { numbers } = config;
  const text = orderWords(words);
  const { tokens } = orderOf(numbers);
  const compare = numbers.encoding === "compare";
  const { first, second } = rowsOf(config, words);
  const positions = tokens.map((_, p) => text("position", { n: p }));
  const heads = Array.from({ length: numbers.heads }, (_, h) => text("head", { n: h }));
  const family = compare ? "inputs" : "vectors";
  const found: Tensor[] = [];

  const make = (node: string, name: Name, { side = false, scheme, ...own }: Own) => {
    const plain = text(`name.${name}`);
    const placed = side ? text("in.second", { name: plain }) : plain;
    const called = compare && scheme ? text(`scheme.${scheme}`) : null;
    const meaning = (index: number[]): string => {
      const [row = "", column] = index.flatMap((at, axis) => own.axes[axis]?.[at] ?? []);
      const what = column === undefined ? row : text("meaning.pair", { row, column });
      return called ? text("meaning.scheme", { scheme: called, what }) : what;
    };
    found.push({
      node,
      stop: stopOf(compare, name),
      name: called ? text("of.scheme", { scheme: called, name: placed }) : placed,
      single: text(`single.${name}`),
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
      make(at("distance"), "distance", { ...bias, at: [null, null], axes: [positions, positions] });
    }
    for (const side of ["", "swapped."] as const) {
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
