/** The tensors of the positions lab. */
import type { ConfigOf, PositionsNumbers } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import type { Words } from "../../i18n/words.js";
import type { Block } from "../../stage/place.js";

export type PositionsNode =
  | "PE"
  | "PE_T"
  | "similarity"
  | "X"
  | "input"
  | "rows"
  | "rotated"
  | "bias.slopes"
  | "bias"
  | "PE_p"
  | "PE_pk"
  | "M"
  | "M_T"
  | "M_PE_p";

/** What is encoded by itself; words in two orders are told by order.ts. */
export type Alone = Exclude<PositionsNumbers["encoding"], "none" | "compare">;
export const aloneOf = ({ encoding }: PositionsNumbers): Alone => encoding as Alone;

/** The steps that an encoding has, in order. */
export function stepIds(numbers: PositionsNumbers): string[] {
  if (numbers.encoding === "shift") return ["encode", "shift"];
  if (numbers.encoding === "rotary") return ["vectors", "turn"];
  if (numbers.encoding === "alibi") return ["slopes", "bias"];
  return ["encode", numbers.x ? "add" : "alike"];
}

/** The tensors of the encoding, in the order of the graph. */
export function nodesOf(numbers: PositionsNumbers): PositionsNode[] {
  switch (numbers.encoding) {
    case "rotary":
      return numbers.x && numbers.x.length !== positionCount(numbers)
        ? ["X", "rows", "rotated"]
        : ["X", "rotated"];
    case "alibi":
      return ["bias.slopes", "bias"];
    case "shift":
      return ["PE_p", "M", "M_T", "M_PE_p", "PE_pk"];
    default:
      return numbers.x ? ["PE", "X", "input"] : ["PE", "PE_T", "similarity"];
  }
}

/** Positions, as the names of rows. */
export function positionNames(numbers: PositionsNumbers, shift = 0): string[] {
  const places = numbers.positions ?? Array.from({ length: numbers.length }, (_, position) => position);
  return places.map((position) => String(position + shift));
}

export function block({ numbers }: ConfigOf<"positions">, node: PositionsNode, words: Words): Block {
  const { dim, heads } = numbers;
  const count = positionCount(numbers);
  const table: Record<PositionsNode, [number, number, string, Block["symbol"], Block["role"]]> = {
    PE: [count, dim, "S×D", { text: "PE" }, "activation"],
    PE_T: [dim, count, "D×S", { text: "PE", sup: "T" }, "activation"],
    similarity: [count, count, "S×S", { text: "PE·PE", sup: "T" }, "attention"],
    X: [numbers.x?.length ?? count, dim, "S×D", { text: "X" }, "activation"],
    rows: [count, dim, "S×D", { text: "X" }, "activation"],
    input: [count, dim, "S×D", { text: "X+PE" }, "output"],
    rotated: [count, dim, "S×D", { text: "RX" }, "output"],
    "bias.slopes": [1, heads, "H", { text: "m" }, "weight"],
    bias: [count, count, "S×S", { text: "B" }, "activation"],
    PE_p: [count, dim, "S×D", { text: "PE", sub: "p" }, "activation"],
    PE_pk: [count, dim, "S×D", { text: "PE", sub: "p+k" }, "activation"],
    M: [dim, dim, "D×D", { text: "M" }, "weight"],
    M_T: [dim, dim, "D×D", { text: "M", sup: "T" }, "weight"],
    M_PE_p: [count, dim, "S×D", { text: "M·PE" }, "output"],
  };
  const [rows, columns, letters, symbol, role] = table[node];
  const steps = stepIds(numbers);
  const step = {
    input: "add",
    PE_T: "alike",
    similarity: "alike",
    rotated: "turn",
    bias: "bias",
    M: "shift",
    M_T: "shift",
    M_PE_p: "shift",
    PE_pk: "shift",
  }[node as string];
  const learned = (node === "PE" || node === "PE_T") && numbers.encoding === "learned";
  return {
    node,
    rows,
    columns,
    letters,
    symbol,
    role: learned ? "weight" : role,
    fill: node === "similarity" ? "difference" : learned || role === "weight" ? "parameter" : "activation",
    family:
      node === "bias.slopes" || node === "M" || node === "M_T" || node === "similarity"
        ? node
        : node === "bias"
          ? "bias"
          : "encoding",
    name: words(`labs.positions.name.${node}`),
    step: Math.max(0, step ? steps.indexOf(step) : 0),
    ...(node === "X" || (learned && node === "PE") ? { editable: true } : {}),
  };
}
