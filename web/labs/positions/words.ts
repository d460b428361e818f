/** What the positions lab says of its numbers: steps, formula, names of tensors, what cells mean. */
import { symbolName } from "../../marks/lettering.js";
import type { ConfigOf, PositionsNumbers } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { FormulaPart, NodeWords, Remark, Step } from "../../marks/wording.js";
import { sizeWords } from "../../telling/phrases.js";
import { block, nodesOf, positionNames, stepIds, type PositionsNode } from "./blocks.js";
import { notNumbers } from "../../telling/remarks.js";

type Config = ConfigOf<"positions">;
type Cell = { node: string; index: number[] };

/** The base of the paper, section 3.5. */
const PAPER_BASE = 10000;

export function opening({ numbers }: Config): Cell {
  const row = Math.min(4, positionCount(numbers) - 1);
  const column = Math.min(20, numbers.dim - 1);
  switch (numbers.encoding) {
    case "alibi":
      return { node: "bias", index: [0, row, 0] };
    case "rotary":
      return { node: "rotated", index: [row, 0] };
    case "shift":
      return { node: "M_PE_p", index: [row, Math.min(column, numbers.dim - 2)] };
    default:
      return { node: numbers.x ? "input" : "PE", index: [row, numbers.dim > 20 ? column : 0] };
  }
}

export function steps(config: Config, words: Words): Step[] {
  const { numbers } = config;
  const cell = opening(config);
  const firsts: Record<string, Cell> = {
    encode: { node: numbers.encoding === "shift" ? "PE_p" : "PE", index: cell.index.slice(-2) },
    vectors: { node: nodesOf(numbers).at(-2) ?? "X", index: cell.index.slice(-2) },
    slopes: { node: "bias.slopes", index: [0] },
    alike: { node: "similarity", index: [cell.index.at(-2) ?? 0, 0] },
  };
  return stepIds(numbers).map((id, step) => ({
    id,
    title: words(`labs.positions.step.${id}` as Key),
    sentence: words(`labs.positions.tell.${id}` as Key, { k: numbers.offset }),
    nodes: nodesOf(numbers)
      .filter((node) => block(config, node, words).step === step)
      .sort((a, b) => Number(b === cell.node) - Number(a === cell.node)),
    cell: firsts[id] ?? cell,
  }));
}

export function formula(config: Config, words: Words): { id: string; parts: FormulaPart[] } {
  const { encoding } = config.numbers;
  const shown = nodesOf(config.numbers);
  const symbols: Partial<Record<PositionsNumbers["encoding"], [string, PositionsNode][]>> = {
    sinusoidal: [["PE", "PE"]],
    absolute: [["PE", "PE"]],
    learned: [["PE", "PE"]],
    rotary: [
      ["R", "rotated"],
      ["X", "X"],
    ],
    alibi: [
      ["B", "bias"],
      ["m", "bias.slopes"],
    ],
    shift: [
      ["PEk", "PE_pk"],
      ["M", "M_T"],
      ["PE", "PE_p"],
    ],
  };
  const parts = (symbols[encoding] ?? [])
    .filter(([, node]) => shown.includes(node))
    .map(([symbol, node]): FormulaPart => {
      const { rows, columns, name, role, symbol: sign } = block(config, node, words);
      return {
        symbol,
        ...(role === "activation" ? {} : { role }),
        nodes: node === "M_T" ? ["M_T", "M"] : [node],
        label: words("labs.formula.part", {
          symbol: symbolName(sign),
          name,
          size: sizeWords([rows, columns], words),
        }),
      };
    });
  // The formula names the base that the paper uses; another one by its letter.
  const other = encoding === "sinusoidal" && config.numbers.base !== PAPER_BASE;
  return { id: other ? "sinusoidal-base" : encoding, parts };
}

export function nodeWords(config: Config, node: string, words: Words): NodeWords {
  const { numbers } = config;
  const rows = positionNames(numbers).map((n) => words("labs.positions.position", { n }));
  const later = positionNames(numbers, numbers.offset).map((n) => words("labs.positions.position", { n }));
  const heads = Array.from({ length: numbers.heads }, (_, n) => words("labs.head", { n }));
  if (!(nodesOf(numbers) as string[]).includes(node)) return inputWords(node, rows, words);
  const name = node as PositionsNode;
  const shape = block(config, name, words);
  const axes: Partial<Record<PositionsNode, NodeWords["axes"]>> = {
    similarity: [rows, rows],
    PE_T: [null, rows],
    "bias.slopes": [heads],
    bias: [heads, rows, rows],
    M: [null, null],
    M_T: [null, null],
    PE_pk: [later, null],
    X: [numbers.x?.length === 1 && positionCount(numbers) !== 1 ? null : rows, null],
  };
  const waves = numbers.encoding === "sinusoidal" || numbers.encoding === "shift";
  return {
    symbol: shape.symbol,
    role: shape.role,
    name: shape.name,
    single: words(`labs.positions.single.${name}`),
    axes: axes[name] ?? [rows, null],
    meaning: (index) => {
      if (name === "bias")
        return words("labs.positions.meaning.bias", {
          head: heads[index[0]!] ?? "",
          row: rows[index[1]!] ?? "",
          column: rows[index[2]!] ?? "",
        });
      if (name === "similarity")
        return words("labs.positions.meaning.similarity", {
          row: rows[index[0]!] ?? "",
          column: rows[index[1]!] ?? "",
        });
      if (name === "PE_T") return rows[index[1]!] ?? "";
      if (name === "bias.slopes") return heads[index[0]!] ?? "";
      if (waves && (name === "PE" || name === "PE_p" || name === "PE_pk"))
        return words(index[1]! % 2 === 0 ? "labs.positions.meaning.sine" : "labs.positions.meaning.cosine");
      return (axes[name] ?? [rows, null])[0]?.[index[0]!] ?? "";
    },
  };
}

/** The list of positions that an encoding reads, or the offset of a shift. */
function inputWords(node: string, rows: readonly string[], words: Words): NodeWords {
  const offset = node.endsWith(".offset");
  const name = words(offset ? "labs.field.offset" : "labs.field.positions");
  const axes = offset ? [] : [rows];
  return {
    symbol: { text: offset ? "k" : "p" },
    role: "activation",
    name,
    single: name,
    axes,
    meaning: (index) => (offset ? "" : (rows[index[0]!] ?? "")),
  };
}

export function remarks(_config: Config, snapshots: Snapshots, words: Words): Remark[] {
  return notNumbers(snapshots, ["X", "PE", "input", "rotated", "bias", "PE_p", "M_PE_p"], words);
}
