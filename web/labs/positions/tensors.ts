/** The tensors of a single encoding and the names of their rows and columns. */
import type { ConfigOf, PositionsNumbers } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Axes, Tensor } from "../../telling/declaration.js";

/** The positions as names of rows. `shift` is added to each. */
export function positionNames({ positions, length }: PositionsNumbers, shift = 0): string[] {
  const places = positions ?? Array.from({ length }, (_, position) => position);
  return places.map((position) => String(position + shift));
}

export function axes({ numbers }: ConfigOf<"positions">, words: Words): Axes {
  const positions = (shift: number) =>
    ["S", positionNames(numbers, shift).map((n) => words("labs.positions.position", { n }))] as const;
  return {
    row: positions(0),
    column: positions(0),
    later: positions(numbers.offset),
    head: ["H", Array.from({ length: numbers.heads }, (_, n) => words("labs.head", { n }))],
  };
}

export function tensors({ numbers }: ConfigOf<"positions">, words: Words): Tensor[] {
  const { encoding, x } = numbers;
  const tensor = (node: string, stop: string | null, symbol: string, more: Partial<Tensor> = {}): Tensor => ({
    node,
    stop,
    symbol,
    family: "encoding",
    axes: "row D",
    ...more,
  });
  /** A tensor that an encoding is computed from: positions, or their shift. */
  const input = (node: string, symbol: string, field: Key, axes: string): Tensor =>
    tensor(node, null, symbol, { name: words(field), axes });
  const positions = (node: string) => input(`${node}.positions`, "p", "labs.field.positions", "row");
  const weight = { role: "weight" } as const;
  const wave = {
    meaning: ([, column]: number[]) =>
      words(column! % 2 === 0 ? "labs.positions.meaning.sine" : "labs.positions.meaning.cosine"),
  };
  // A vector that all positions share is not named by a position.
  const isShared = x?.length === 1 && positionCount(numbers) !== 1;
  const typedRows = { editable: true, ...(isShared && { axes: "S D" }) };
  switch (encoding) {
    case "rotary":
      return [
        tensor("X", "vectors", "X", typedRows),
        ...(isShared ? [tensor("rows", "vectors", "X")] : []),
        tensor("rotated", "turn", "RX", { role: "output" }),
        positions("rotated"),
      ];
    case "alibi": {
      const slopes = { ...weight, family: "bias.slopes", axes: "head" };
      const bias = { family: "bias", axes: "head row column", at: [0, null, null] };
      return [tensor("bias.slopes", "slopes", "m", slopes), tensor("bias", "bias", "B", bias)];
    }
    case "shift": {
      const matrix = { ...weight, axes: "D D" };
      const later = { ...wave, axes: "later D" };
      return [
        tensor("PE_p", "encode", "PE_p", wave),
        positions("PE_p"),
        tensor("M", "shift", "M", { ...matrix, family: "M" }),
        input("M.offset", "k", "labs.field.offset", ""),
        tensor("M_T", "shift", "M^T", { ...matrix, family: "M_T" }),
        tensor("M_PE_p", "shift", "M·PE", { role: "output" }),
        tensor("PE_pk", "shift", "PE_p+k", later),
        positions("PE_pk"),
      ];
    }
    default: {
      const learned = encoding === "learned" ? weight : {};
      const table = { ...learned, editable: encoding === "learned", ...(encoding === "sinusoidal" && wave) };
      const transposed = { ...learned, axes: "D row" };
      const pairs = {
        role: "attention",
        fill: "difference",
        family: "similarity",
        axes: "row column",
      } as const;
      return [
        tensor("PE", "encode", "PE", table),
        positions("PE"),
        ...(x
          ? [tensor("X", "encode", "X", typedRows), tensor("input", "add", "X+PE", { role: "output" })]
          : [tensor("PE_T", "alike", "PE^T", transposed), tensor("similarity", "alike", "PE·PE^T", pairs)]),
      ];
    }
  }
}
