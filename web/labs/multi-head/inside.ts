/** The rows that a number of the multi-head lab is made from, large enough for their numbers: those of the head in use, or those of the join. */
import { rowCount } from "../../config/labs/multi-head.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import { block, logits, rowNames, type MultiHeadNode } from "./blocks.js";
import { STRIP, label, strip, type Parts } from "./parts.js";

/** From one strip to the next: brackets do not touch. */
const PITCH = 28;
const TITLE = 22;
/** Widest cell. */
const WIDEST = 44;

/** One strip: which, where in its node, and what is written before it. */
interface Row {
  id: string;
  node: MultiHeadNode;
  at: (number | null)[];
  columns: number;
  text: string;
  /** The longest that `text` gets as other columns are pointed at, so that the strips stay where they are. */
  longest?: string;
  /** Its columns are words. */
  words?: boolean;
}

/** The join: the joined row of the word, and the column of W_O that makes the number. */
function joinRows({ config, room, focus, item }: Parts): Row[] {
  const { heads, valueDim, dim } = config.numbers;
  const column = focus.node === "output" || focus.node === "W_O" ? focus.column : 0;
  const columns = heads * valueDim;
  return [
    {
      id: "concat",
      node: "concat",
      at: [item, focus.row, null],
      columns,
      text: room.words("labs.name.concat"),
    },
    {
      id: "W_O-column",
      node: "W_O",
      at: [null, column],
      columns,
      text: room.words("labs.multi_head.row.W_O", { n: column }),
      longest: room.words("labs.multi_head.row.W_O", { n: dim - 1 }),
    },
  ];
}

/** A head's query and key, what becomes of their product, and the numbers that its weights mix. */
function headRows({ config, room, focus, key, item }: Parts): Row[] {
  const { numbers } = config;
  const { words } = room;
  const { head, row } = focus;
  const names = rowNames(numbers, words);
  const length = rowCount(numbers);
  const [node, at] =
    focus.node === "K_heads"
      ? (["K_heads", [item, head, key, null]] as const)
      : (["K_T", [item, head, null, key]] as const);
  const column = { V_heads: focus.column, heads: focus.column, concat: focus.column % numbers.valueDim }[
    focus.node
  ];
  return [
    {
      id: "row-Q",
      node: "Q_heads",
      at: [item, head, row, null],
      columns: numbers.keyDim,
      text: words("labs.multi_head.row.Q_heads", { word: names[row] ?? "" }),
    },
    {
      id: "row-K",
      node,
      at: [...at],
      columns: numbers.keyDim,
      text: words("labs.multi_head.row.K_T", { word: names[key] ?? "" }),
    },
    ...(logits(numbers) as ("scores" | "scaled" | "masked")[]).map((name) => ({
      id: `row-${name}`,
      node: name,
      at: [item, head, row, null],
      columns: length,
      text: name === "scaled" ? `÷√${numbers.keyDim}` : words(`labs.name.${name}`),
      words: true,
    })),
    {
      id: "column-V",
      node: "V_heads",
      at: [item, head, null, column ?? 0],
      columns: length,
      text: words("labs.multi_head.row.V_heads", { n: column ?? 0 }),
      words: true,
    },
  ];
}

/** Which strips a picture shows; on a phone, those of its stop. */
function rowsOf(parts: Parts, id: string): Row[] {
  const joins = ["concat", "W_O", "output"].includes(parts.focus.node);
  if (id === "mix") return joinRows(parts);
  if (id === "heads") return joins ? joinRows(parts) : headRows(parts);
  const all = headRows(parts);
  if (id === "split") return all.slice(0, 2);
  if (id === "attend") return all;
  const { config, item, focus, room } = parts;
  const weights: Row = {
    id: "row-weights",
    node: "weights",
    at: [item, focus.head, focus.row, null],
    columns: rowCount(config.numbers),
    text: room.words("labs.name.weights"),
    words: true,
  };
  return [weights, all.at(-1)!];
}

/** Height of the strips with their heading, at most: that of a head. */
export function insideHeight(parts: Parts): number {
  return TITLE + 21 + (3 + logits(parts.config.numbers).length) * PITCH;
}

/** Puts the strips between `left` and `right`; answers the y below them. */
export function inside(
  parts: Parts,
  id: string,
  top: number,
  [left, right]: readonly [number, number],
): number {
  const { scene, room, config, focus } = parts;
  const { words } = room;
  const rows = rowsOf(parts, id);
  const names = rowNames(config.numbers, words);
  const joins = rows[0]?.node === "concat";
  label(
    scene,
    left,
    top + 13,
    joins
      ? words("labs.multi_head.inside.join", { word: names[focus.row] ?? "" })
      : words("labs.multi_head.inside.head", { n: focus.head }),
    "heading",
    {
      step: Math.min(...rows.map(({ node }) => block(config, node, words).step)),
      ...(joins ? {} : { role: "attention" }),
    },
  );
  const before = Math.min(
    150,
    14 + Math.max(...rows.map(({ text, longest }) => textWidth(longest ?? text, 12))),
  );
  const x = left + before;
  const wide = (columns: number) => Math.min(WIDEST, (right - x - 6) / columns);
  let y = top + TITLE;
  let named = false;
  for (const { id: tensor, node, at, columns, text, words: ofWords } of rows) {
    const cell = wide(columns);
    const level = columnNames(names, cell);
    const naming = ofWords && !named && level.degrees === 0;
    if (naming) y += level.height - 6;
    const placed = strip(parts, node, at, [x, y], [cell, STRIP], tensor);
    if (naming) {
      placed.columnNames = names;
      named = true;
    }
    const { role, step } = block(config, node, words);
    label(scene, x - 12, y + 14, text, "axis", { anchor: "end", role, step });
    y += PITCH;
  }
  return y - (PITCH - STRIP);
}
