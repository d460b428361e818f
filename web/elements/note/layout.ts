/**
 * The layout of the note as cells in columns: a pure function of an explanation and the words of its nodes.
 */
import type { Explanation } from "../../core/attention.js";
import type { Key, Words } from "../../i18n/words.js";
import { formatNote } from "../../marks/numbers.js";
import { sameIndexIn } from "../../marks/lighting.js";
import type { Role } from "../../marks/scene.js";
import {
  cellsOf,
  inOrder,
  missesSum,
  numberCell,
  restCell,
  restColumn,
  termCells,
  wordsCell,
} from "./cells.js";
import type { NoteCell } from "./cells.js";
import { addressText, placeName, roleOf, runAxes, runName, phraseForCell } from "./places.js";
import type { CellAddress, NodeWordsOf, Phrase } from "./places.js";
import { opNames, ops, rowWording } from "./rows.js";
import type { LabelWording } from "./rows.js";
import { sentenceOf } from "./sentence.js";
import { firstFilled, slotsOf } from "./slots.js";
import type { Context, Row } from "./slots.js";

export interface NoteLine {
  role: string;
  sign: string;
  label: Phrase;
  tone: Role | null;
  /** Whether there is a rule above this line. */
  hasRule: boolean;
  /** Whether the only cell spans all columns. */
  spansColumns: boolean;
  cells: NoteCell[];
}

export interface FromLink extends CellAddress {
  label: Phrase;
  role: Role;
  /** The name in words: "queries". */
  name: string;
}

export interface NoteLayout {
  address: string;
  /** The meaning of the cell in words, printed after the address. */
  words: string;
  /** The text of the live region. */
  sentence: string;
  columns: number;
  /** The name of each column of terms: "word 3", or a number; empty for the omitted terms. */
  places: string[];
  lines: NoteLine[];
  /** The number of omitted terms. */
  hidden: number;
  /** The number of all terms, including omitted ones; 0 when nothing is summed or compared. */
  total: number;
  /** Whether the terms as printed do not add up to the result as printed. */
  missesSum: boolean;
  foot: Key | null;
  from: FromLink[];
  /** Whether this is the note of a gradient, whose links go in the opposite direction. */
  isGradient: boolean;
  /** Whether one of several uses of a gradient is shown. */
  showsOneUse: boolean;
}

/** With more columns than this the result of a sum gets a line of its own. */
const INLINE_TERMS = 3;

function labelOf(wording: LabelWording, row: Row, loose: Key | undefined, context: Context): Phrase {
  const { explanation, nodeWords, words, slots } = context;
  const first = row.operands[0];
  if (wording === "result") return phraseForCell(nodeWords(explanation.node));
  const origin = row.role === "given" ? nodeWords(explanation.node).origin : undefined;
  if (origin !== undefined) return [origin];
  if (typeof wording === "object") return [firstFilled(wording, slots, words) ?? row.role];
  if (!first || first.node === "") return [loose ? words(loose) : row.role];
  if (wording === "address") return [addressText(first)];
  const node = nodeWords(first.node);
  const change = first.gradient ? ["∂\u2009"] : [];
  if (wording === "cell") return [...change, ...phraseForCell(node)];
  if (wording === "slice") return [node.name];
  const last = first.index.length - 1;
  const along =
    row.role === "column" && explanation.op !== "linear" ? last - 1 : row.role === "value" ? last - 1 : last;
  return [...change, ...runName(row.operands, runAxes(row.operands, along), node, words)];
}

/**
 * Terms with + between them. With few terms the line ends in = and the result; otherwise the result gets a
 * line of its own.
 */
function productLines(row: Row, line: NoteLine, added: NoteLine[], context: Context): NoteLine[] {
  const cells = inOrder([...termCells(row, false), ...restCell(row, false, false, context.words)]);
  cells.slice(0, -1).forEach((cell) => (cell.after = "+"));
  const result = (column: number): NoteCell =>
    numberCell(column, context.explanation.value, { kind: "result", tone: "own" });
  const last = cells[cells.length - 1];
  if (last && added.length === 0 && cells.length <= INLINE_TERMS) {
    last.after = "=";
    return [{ ...line, cells: [...cells, result(cells.length)] }];
  }
  return [{ ...line, cells }, ...added.map((late) => ({ ...late, wide: true })), sumLine(result(0), context)];
}

/** A sum on a line of its own, under its terms. */
function sumLine(cell: NoteCell, { words }: Context): NoteLine {
  const label = [words("note.row.sum")];
  return { role: "sum", sign: "", label, tone: null, hasRule: false, spansColumns: true, cells: [cell] };
}

/** The names of a slice's places, "word 1   word 2", with that of the explained cell in bold; none if places have no names and all are shown. */
function namesLine(row: Row, context: Context): NoteLine[] {
  const { nodeWords, words, own, axis } = context;
  const node = row.operands[0]?.node ?? "";
  if (node === "") return [];
  const names = row.operands.map(({ index }) => placeName(nodeWords(node), axis, index[axis] ?? 0));
  if (!row.rest && names.some((name) => name === null)) return [];
  const cells = row.operands.map(({ index }, place) =>
    wordsCell(place, names[place] ?? String(index[axis] ?? 0), {
      kind: "name",
      tone: place === own ? "own" : "dim",
    }),
  );
  const label = row.rest ? words("note.row.largest_of", { total: row.operands.length + row.rest.count }) : "";
  return [
    { role: "names", sign: "", label: [label], tone: null, hasRule: false, spansColumns: false, cells },
  ];
}

/** The names of the columns of terms, by their place along the axis that they run on. */
function placesOf(
  row: Row | undefined,
  axis: number,
  atEnd: boolean,
  nodeWords: NodeWordsOf,
  words: Words,
): string[] {
  if (!row) return [];
  const along = runAxes(row.operands, axis);
  const places = row.operands.map(({ node, index }) =>
    along
      .map(
        (one) => (node === "" ? null : placeName(nodeWords(node), one, index[one] ?? 0)) ?? index[one] ?? 0,
      )
      .join(words("note.place.list")),
  );
  if (row.rest) places.splice(restColumn(row, atEnd), 0, "");
  return places;
}

/**
 * The rows with more specific roles: whether a number was given or edited, and in which order the pair of a
 * rotation is used.
 */
function withSpecificRoles(explanation: Explanation, edited: boolean): Explanation {
  const { op, index, rows } = explanation;
  const pair = rows.find(({ role }) => role === "pair")?.operands[0];
  const isFirst = pair?.index.every((place, axis) => place === index[axis]) ?? true;
  const specific = rows.map((row): Row => {
    if (op === "leaf" && row.role === "typed" && !edited) return { ...row, role: "given" };
    const [cos, sin] = row.operands;
    if (op !== "rotary" || row.role !== "cos_sin" || !cos || !sin) return row;
    // The first of a pair becomes a cos − b sin, the second a sin + b cos.
    return isFirst
      ? { ...row, operands: [cos, { ...sin, value: -sin.value }] }
      : { ...row, role: "sin_cos", operands: [sin, cos] };
  });
  return { ...explanation, rows: specific };
}

/**
 * Everything the note shows, in order. Nothing is computed: the numbers are those of the explanation,
 * shortened.
 */
export function layoutOf(
  original: Explanation,
  nodeWords: NodeWordsOf,
  words: Words,
  { edited = false } = {},
): NoteLayout {
  const explanation = withSpecificRoles(original, edited);
  const { op, index } = explanation;
  const slice = explanation.rows.find(
    (row) => rowWording(op, row.role).show === "slice" && row.operands[0]?.node,
  );
  const [axis] = runAxes(slice?.operands ?? [], index.length - 1) as [number];
  const own = slice
    ? slice.operands.findIndex((operand) => operand.index.every((place, at) => place === index[at]))
    : -1;

  const lines: NoteLine[] = [];
  const late: NoteLine[] = [];
  const repeats = new Map<string, number>();
  let announced = false;
  for (const row of explanation.rows) {
    const repeat = repeats.get(row.role) ?? 0;
    repeats.set(row.role, repeat + 1);
    const wording = rowWording(op, row.role, repeat);
    const context: Context = { explanation, nodeWords, words, slots: slotsOf(explanation, row), own, axis };
    if (row === slice) lines.push(...namesLine(row, context));
    const line: NoteLine = {
      role: row.role,
      sign: lines.length === 0 && wording.sign !== "−" ? "" : (wording.sign ?? ""),
      label: labelOf(wording.label, row, wording.loose, context),
      tone:
        typeof wording.label === "object" || wording.label === "result"
          ? null
          : roleOf(row.operands[0], nodeWords),
      hasRule: wording.result === true && lines.length > 0,
      // The result of several terms is at the right end of its line, so that it is under their sum.
      spansColumns:
        wording.show === "reason" ||
        wording.show === "text" ||
        (wording.show === "value" && lines.some(({ cells }) => cells.length > 1)),
      cells: [],
    };
    if (wording.show === "products") {
      lines.push(...productLines(row, line, late, context));
    } else {
      line.cells = cellsOf(row, wording, announced, context);
      (wording.late ? late : lines).push(line);
      if (wording.summed && row.value !== undefined && line.cells.length > 1)
        lines.push({ ...sumLine(numberCell(0, row.value), context), hasRule: true });
    }
    announced ||= row.rest !== undefined;
  }

  const operation = opNames[op] ? words(opNames[op]) : op;
  const context: Context = { explanation, nodeWords, words, slots: {}, own, axis };
  const summed = explanation.rows.find((row) => rowWording(op, row.role).show === "products");
  const added = lines.filter((line) => line.role === summed?.role || line.role === "bias");
  const terms = added.flatMap((line) => line.cells.filter((cell) => cell.kind === "number"));
  const run = explanation.rows.find(
    (row) => rowWording(op, row.role).show === "terms" && row.operands[0]?.node,
  );
  const longest = explanation.rows.find((row) => row.rest) ?? slice ?? summed;
  return {
    address: addressText(explanation),
    words: nodeWords(explanation.node).meaning(index) || operation,
    sentence: sentenceOf(lines, operation, context),
    columns: Math.max(1, ...lines.flatMap((line) => line.cells.map((cell) => cell.column + 1))),
    places: placesOf(slice ?? run, axis, slice !== undefined, nodeWords, words),
    lines,
    hidden: longest?.rest?.count ?? 0,
    total: (longest?.operands.length ?? 0) + (longest?.rest?.count ?? 0),
    missesSum: summed !== undefined && missesSum(terms, formatNote(explanation.value)),
    foot: explanation.rows.at(-1)?.zeroWithinRounding ? "note.foot.rounding" : (ops[op]?.foot ?? null),
    from: explanation.sources
      .filter(
        ({ node }, place) =>
          node !== "" && explanation.sources.findIndex((other) => other.node === node) === place,
      )
      .map((region) => {
        const { node } = region;
        const { symbol, role, name } = nodeWords(node);
        return { node, index: sameIndexIn(region, index), label: [symbol], role, name };
      }),
    isGradient: false,
    showsOneUse: false,
  };
}

/** The places of the lines that have numbers. */
export const linesWithNumbers = ({ lines }: NoteLayout): number[] =>
  lines.flatMap(({ role, cells }, line) => (role !== "names" && cells.length > 0 ? [line] : []));

/** The layout with its operands and omitted terms as plain text. */
export const withoutLinks = (layout: NoteLayout): NoteLayout => ({
  ...layout,
  lines: layout.lines.map((line) => ({
    ...line,
    cells: line.cells.map((cell) => ({
      ...cell,
      operand: null,
      kind: cell.kind === "rest" ? "text" : cell.kind,
    })),
  })),
});
