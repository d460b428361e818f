/** Draws the rows that the target is computed from, large enough for their numbers: those of its head, or those of the output projection. */
import { columnNames, textWidth } from "../../marks/measure.js";
import type { Words } from "../../i18n/words.js";
import { penOn, writeOn } from "../../stage/pen.js";
import { STRIP, placeStrip, type Parts } from "./strips.js";
import { dropoutOf, hasBiases } from "../../config/labs/multi-head.js";
import { kindsOf, logits, mixingNode } from "./tensors.js";

/** The distance from one strip to the next, so that their brackets do not touch; and with its text above it. */
const PITCH = 28;
const STACKED = 42;
const TITLE = 22;
/** The greatest width of a cell. */
const WIDEST = 44;

/** One strip: its id, its node, its place in the node, and the text before it. */
type Row = [id: string, node: string, at: (number | null)[], text: string];

const columnOfW = (words: Words, n: number): string => words("labs.multi_head.row.W_O", { n });

/** The rows of the output projection: the joined row of the word, the column of W_O that gives the number, and the biases. */
const joinRows = ({ config, of, opened, item, words }: Parts): Row[] => [
  ["row-concat", "concat", [item, opened.row, null], of("concat").name],
  ["W_O-column", "W_O", [null, opened.column], columnOfW(words, opened.column)],
  ...(hasBiases(config.numbers) ? [["b_O", "b_O", [null], of("b_O").name] satisfies Row] : []),
];

const droppedRow = (of: Parts["of"], at: (number | null)[]): Row => [
  "row-dropped",
  "dropped",
  at,
  of("dropped").name,
];

/** The rows of a head: query, key, the scores up to the weights, and a column of the values. */
function headRows({ config, of, opened, item, words, keys: keyNames, word }: Parts): Row[] {
  const { head, row, key, column, alternative } = opened;
  const keys = alternative === "K_heads" ? [item, head, key, null] : [item, head, null, key];
  const texts = {
    Q: words("labs.multi_head.row.Q_heads", { word }),
    K: words("labs.multi_head.row.K_T", { word: keyNames[key] ?? "" }),
    V: words("labs.multi_head.row.V_heads", { n: column }),
    scaled: `÷√${of("Q_heads").columns}`,
  };
  return [
    ["row-Q", "Q_heads", [item, head, row, null], texts.Q],
    ["row-K", alternative === "K_heads" ? "K_heads" : "K_T", keys, texts.K],
    ...logits(config.numbers).map((node): Row => {
      const text = node === "scaled" ? texts.scaled : of(node).name;
      return [`row-${node}`, node, [item, head, row, null], text];
    }),
    ...(dropoutOf(config.numbers) > 0 ? [droppedRow(of, [item, head, row, null])] : []),
    ["column-V", "V_heads", [item, head, null, column], texts.V],
  ];
}

/** The rows that a picture shows; on a phone, those of its stop. */
function rowsOf(parts: Parts): Row[] {
  const { opened, item, of, config } = parts;
  const { picture, alternative, head, row } = opened;
  if (alternative === "joined") return joinRows(parts);
  const rows = headRows(parts);
  if (picture === "split") return rows.slice(0, 2);
  if (picture !== "join" && picture !== "mix") return rows;
  const mixing = mixingNode(config.numbers);
  return [[`row-${mixing}`, mixing, [item, head, row, null], of(mixing).name], rows.at(-1)!];
}

/** The greatest height of the strips with their heading: that of a head. */
export const insideHeight = ({ config }: Parts): number =>
  TITLE + 21 + (3 + logits(config.numbers).length + (dropoutOf(config.numbers) > 0 ? 1 : 0)) * PITCH;

/** Places the strips between `left` and `right`, each after its text, or under it. Returns the y below them. */
export function placeInside(
  parts: Parts,
  top: number,
  [left, right]: readonly [number, number],
  isStacked = false,
): number {
  const { config, scene, of, opened, words, keys, word } = parts;
  const rows = rowsOf(parts);
  const joins = opened.alternative === "joined";
  const heading = joins
    ? words(`labs.multi_head.inside.join${isStacked ? ".short" : ""}`, { word })
    : words("labs.multi_head.inside.head", { n: opened.head });
  writeOn(scene, "heading", left, top + 13, heading, {
    step: Math.min(...rows.map(([, node]) => of(node).step)),
    ...(!joins && { role: "attention" }),
  });
  // The text of the last column counts too, so that the strips do not move while other columns are pointed at.
  const texts = [...rows.map(([, , , text]) => text), joins ? columnOfW(words, of("W_O").columns - 1) : ""];
  const beside = Math.min(150, 14 + Math.max(...texts.map((text) => textWidth(text, 12))));
  const x = left + (isStacked ? 6 : beside);
  let y = top + TITLE + (isStacked ? STACKED - STRIP : 0);
  let hasNames = false;
  for (const [id, node, at, text] of rows) {
    const { role, step, rows: down, columns } = of(node);
    const { write } = penOn(scene, step);
    const cell = Math.min(WIDEST, (right - x - 6) / (at.at(-1) === null ? columns : down));
    const level = columnNames(keys, cell);
    // The columns of the first strip of words are named, where its text does not stand over it.
    const ofWords = kindsOf(config.numbers, node)[at.indexOf(null)] === "column";
    const getsNames: boolean = !isStacked && ofWords && !hasNames && level.degrees === 0;
    if (getsNames) y += level.height - 6;
    const placed = placeStrip(parts, node, at, [x, y], cell, id);
    if (getsNames) placed.columnNames = keys;
    hasNames ||= getsNames;
    if (isStacked) write(left, y - 7, text, { role });
    else write(x - 12, y + 14, text, { role, anchor: "end" });
    y += isStacked ? STACKED : PITCH;
  }
  return y - (isStacked ? STACKED : PITCH) + STRIP;
}
