/** The tensors of words in two orders: who they are, what their places are called. */
import type { ConfigOf } from "../../config/config.js";
import { orderOf, swapped } from "../../config/labs/positions.js";
import { own, type OwnWords, type Words } from "../../i18n/words.js";
import { wordNames } from "../attention/blocks.js";
import type { Block } from "../../stage/place.js";
import { orderText } from "./order-text.js";
import { schemesOf, under, type Scheme } from "./schemes.js";
import type { FullTensor as Tensor } from "../../telling/telling.js";

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
function stepOf(compare: boolean, name: string): number {
  if (["moved", "minus", "difference"].includes(name)) return compare ? 2 : 3;
  if (name === "output") return 2;
  return ["K_T", "scores", "scaled", "masked", "weights"].includes(name) ? 1 : 0;
}

/** What attention reads under a scheme. */
export function inputName(scheme: Scheme): "X" | "input" {
  return scheme === "none" || scheme === "alibi" ? "X" : "input";
}

interface Kind {
  shape: [number, number];
  letters: string;
  symbol: Block["symbol"];
  role?: Block["role"];
  fill?: Block["fill"];
  family: string;
  axes: Tensor["axes"];
}

export function tensors(config: Config, words: Words): Tensor[] {
  const { numbers } = config;
  const text = orderWords(words);
  const order = orderOf(numbers);
  const [n, d] = [order.tokens.length, order.dim];
  const compare = numbers.encoding === "compare";
  const { first, second } = rowsOf(config, words);
  const positions = order.tokens.map((_, p) => text("position", { n: p }));
  const heads = Array.from({ length: numbers.heads }, (_, h) => text("head", { n: h }));
  const vectors = compare ? "inputs" : "vectors";
  const found: Tensor[] = [];

  const make = (
    node: string,
    name: Name,
    kind: Kind,
    more: Partial<Tensor> & { side?: boolean; scheme?: Scheme },
  ) => {
    const { side = false, scheme, ...rest } = more;
    const plain = text(`name.${name}`);
    const placed = side ? text("in.second", { name: plain }) : plain;
    const { shape, ...own } = kind;
    const meaning = (index: number[]): string => {
      const names = index.flatMap((at, axis) => kind.axes[axis]?.[at] ?? []);
      const [row = "", column] = names;
      const what = column === undefined ? row : text("meaning.pair", { row, column });
      return compare && scheme ? text("meaning.scheme", { scheme: text(`scheme.${scheme}`), what }) : what;
    };
    found.push({
      node,
      rows: shape[0],
      columns: shape[1],
      role: "activation",
      fill: "activation",
      ...own,
      name:
        compare && scheme ? text("of.scheme", { scheme: text(`scheme.${scheme}`), name: placed }) : placed,
      single: text(`single.${name}`),
      step: stepOf(compare, name),
      meaning,
      ...rest,
    });
  };

  const rows: Kind = {
    shape: [n, d],
    letters: "S×D",
    symbol: { text: "X" },
    family: vectors,
    axes: [first, null],
  };
  make("X", "X", rows, { editable: true });
  make(
    "order",
    "order",
    {
      ...rows,
      shape: [1, n],
      letters: "S",
      symbol: { text: "p" },
      fill: "none",
      family: "order",
      axes: [positions],
    },
    { at: [null] },
  );
  make("swapped.X", "swapped.X", { ...rows, symbol: { text: "PX" }, axes: [second, null] }, {});

  for (const scheme of schemesOf(numbers)) {
    const at = under(numbers, scheme);
    const input = inputName(scheme);
    const added = scheme === "absolute" || scheme === "learned" || scheme === "sinusoidal";
    if (added) {
      const learned = scheme === "learned";
      make(
        at("PE"),
        "PE",
        {
          ...rows,
          symbol: { text: "PE" },
          axes: [positions, null],
          ...(learned ? { role: "weight", fill: "parameter", family: "parameters" } : {}),
        },
        {
          scheme,
        },
      );
      if (!learned)
        make(
          at("PE.positions"),
          "positions",
          {
            ...rows,
            shape: [1, n],
            letters: "S",
            symbol: { text: "p" },
            fill: "none",
            family: "order",
            axes: [positions],
          },
          { scheme, at: [null] },
        );
    }
    if (scheme === "alibi") {
      const pairs: Kind = {
        shape: [n, n],
        letters: "S×S",
        symbol: { text: "B" },
        family: "distance",
        axes: [heads, positions, positions],
      };
      make(
        at("bias.slopes"),
        "bias.slopes",
        {
          ...pairs,
          shape: [1, heads.length],
          letters: "H",
          symbol: { text: "m" },
          role: "weight",
          fill: "parameter",
          family: "parameters",
          axes: [heads],
        },
        {
          scheme,
          at: [null],
        },
      );
      make(at("bias"), "bias", pairs, {
        scheme,
        at: [0, null, null],
      });
      make(
        at("first"),
        "first",
        { ...pairs, axes: [heads.slice(0, 1), positions, positions] },
        {
          scheme,
          at: [0, null, null],
        },
      );
      make(at("distance"), "distance", { ...pairs, axes: [positions, positions] }, { scheme });
    }
    for (const side of ["", "swapped."] as const) {
      const names = side ? second : first;
      const of = (name: string): string => at(side + name);
      const rest = { scheme, side: side !== "" };
      const p = side ? "P" : "";
      if (input === "input") {
        const symbol = scheme === "rotary" ? `R${p}X` : `${p}X+PE`;
        make(of("input"), "input", { ...rows, symbol: { text: symbol }, axes: [names, null] }, { ...rest });
        if (scheme === "rotary")
          make(
            of("input.positions"),
            "positions",
            {
              ...rows,
              shape: [1, n],
              letters: "S",
              symbol: { text: "p" },
              fill: "none",
              family: "order",
              axes: [positions],
            },
            { ...rest, at: [null] },
          );
      }
      const pairs: Kind = {
        shape: [n, n],
        letters: "S×S",
        symbol: { text: "S" },
        family: "scores",
        axes: [names, names],
      };
      make(
        of("K_T"),
        "K_T",
        {
          ...rows,
          shape: [d, n],
          letters: "D×S",
          symbol: { text: "X", sup: "T" },
          role: "key",
          axes: [null, names],
        },
        { ...rest },
      );
      make(of("scores"), "scores", pairs, { ...rest });
      make(of("scaled"), "scaled", { ...pairs, symbol: { text: "S/√d" } }, { ...rest });
      if (scheme === "alibi")
        make(of("masked"), "masked", { ...pairs, symbol: { text: "S+B" } }, { ...rest });
      make(
        of("weights"),
        "weights",
        { ...pairs, symbol: { text: "A" }, role: "attention", fill: "probability", family: "weights" },
        { ...rest },
      );
      make(
        of("output"),
        "output",
        {
          ...rows,
          symbol: { text: "O" },
          role: "output",
          family: compare ? "differences" : vectors,
          axes: [names, null],
        },
        {
          ...rest,
        },
      );
    }
    const back: Kind = {
      ...rows,
      role: "output",
      family: compare ? "differences" : vectors,
      axes: [second, null],
    };
    make(at("moved"), "moved", { ...back, symbol: { text: "PO" } }, { scheme });
    make(at("minus"), "minus", { ...back, symbol: { text: "−PO" } }, { scheme });
    // Side by side each encoding has a scale of its own, or the index leaves the others pale; without positions nothing is left.
    const scale = scheme === "none" ? "absolute" : scheme;
    const own = compare ? ({ fill: "difference", family: `difference.${scale}` } as const) : {};
    make(at("difference"), "difference", { ...back, ...own, symbol: { text: "Δ" } }, { scheme });
  }
  return found;
}
