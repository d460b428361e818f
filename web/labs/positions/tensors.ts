/** The tensors of an encoding by itself: who they are, what their places are called. */
import type { ConfigOf, PositionsNumbers } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Tensor } from "../../telling/telling.js";

/** Positions, as the names of rows. */
export function positionNames({ positions, length }: PositionsNumbers, shift = 0): string[] {
  const places = positions ?? Array.from({ length }, (_, position) => position);
  return places.map((position) => String(position + shift));
}

export function tensors({ numbers }: ConfigOf<"positions">, words: Words): Tensor[] {
  const { encoding, x } = numbers;
  const namesOf = (shift: number) =>
    positionNames(numbers, shift).map((n) => words("labs.positions.position", { n }));
  const rows = namesOf(0);
  const heads = Array.from({ length: numbers.heads }, (_, n) => words("labs.head", { n }));
  const one = (
    node: string,
    stop: string | null,
    symbol: Tensor["symbol"],
    more: Partial<Tensor> = {},
  ): Tensor => ({
    node,
    stop,
    symbol,
    letters: "S×D",
    family: "encoding",
    axes: [rows, null],
    name: more.name ?? words(`labs.positions.name.${node}` as Key),
    single: more.name ?? words(`labs.positions.single.${node}` as Key),
    ...more,
  });
  /** What an encoding is computed from: positions, or how far they are shifted. */
  const given = (node: string, symbol: string, field: Key, axes: Tensor["axes"]): Tensor =>
    one(node, null, symbol, { name: words(field), axes });
  const positions = (node: string) => given(`${node}.positions`, "p", "labs.field.positions", [rows]);
  const row = (at = 0): string => rows[at] ?? "";
  const weight = { role: "weight" } as const;
  const wave = {
    meaning: ([, column]: number[]) =>
      words(column! % 2 === 0 ? "labs.positions.meaning.sine" : "labs.positions.meaning.cosine"),
  };
  // One vector for every position has no position of its own.
  const isShared = x?.length === 1 && positionCount(numbers) !== 1;
  const typed = { editable: true, ...(isShared && { axes: [null, null] }) };
  switch (encoding) {
    case "rotary":
      return [
        one("X", "vectors", "X", typed),
        ...(isShared ? [one("rows", "vectors", "X")] : []),
        one("rotated", "turn", "RX", { role: "output" }),
        positions("rotated"),
      ];
    case "alibi": {
      const slopes = { ...weight, family: "bias.slopes", letters: "H", axes: [heads] };
      const bias: Partial<Tensor> = {
        family: "bias",
        letters: "S×S",
        axes: [heads, rows, rows],
        at: [0, null, null],
        meaning: ([head, a, b]) =>
          words("labs.positions.meaning.bias", { head: heads[head!] ?? "", row: row(a), column: row(b) }),
      };
      return [one("bias.slopes", "slopes", "m", slopes), one("bias", "bias", "B", bias)];
    }
    case "shift": {
      const matrix = { ...weight, letters: "D×D", axes: [null, null] };
      const later = { ...wave, axes: [namesOf(numbers.offset), null] };
      return [
        one("PE_p", "encode", { text: "PE", sub: "p" }, wave),
        positions("PE_p"),
        one("M", "shift", "M", { ...matrix, family: "M" }),
        given("M.offset", "k", "labs.field.offset", []),
        one("M_T", "shift", { text: "M", sup: "T" }, { ...matrix, family: "M_T" }),
        one("M_PE_p", "shift", "M·PE", { role: "output" }),
        one("PE_pk", "shift", { text: "PE", sub: "p+k" }, later),
        positions("PE_pk"),
      ];
    }
    default: {
      const learned = encoding === "learned" ? weight : {};
      const table = { ...learned, editable: encoding === "learned", ...(encoding === "sinusoidal" && wave) };
      const transposed = { ...learned, letters: "D×S", axes: [null, rows] };
      const pairs = { role: "attention", fill: "difference", family: "similarity", letters: "S×S" } as const;
      const alike: Partial<Tensor> = {
        axes: [rows, rows],
        meaning: ([a, b]) => words("labs.positions.meaning.similarity", { row: row(a), column: row(b) }),
      };
      return [
        one("PE", "encode", "PE", table),
        positions("PE"),
        ...(x
          ? [one("X", "encode", "X", typed), one("input", "add", "X+PE", { role: "output" })]
          : [
              one("PE_T", "alike", { text: "PE", sup: "T" }, transposed),
              one("similarity", "alike", { text: "PE·PE", sup: "T" }, { ...pairs, ...alike }),
            ]),
      ];
    }
  }
}
