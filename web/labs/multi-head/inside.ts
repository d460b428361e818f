/** The rows that the target is computed from, large enough for their numbers: those of its head, or those of the output projection. */
import { hasBiases } from "../../config/labs/multi-head.js";
import { columnNames } from "../../marks/measure.js";
import { writeOn } from "../../stage/pen.js";
import { STRIP, placeStrip, type Parts, type Span } from "./parts.js";
import { kindsOf, logits, mixingNode } from "./tensors.js";

/** The heights of the heading, of the names of words over a strip, and between two strips: with their texts before them, or over them. */
const HEIGHT = { heading: 18, names: 15, before: 8, over: 22 };
/** The width of the texts before the rows of a head, and before those of the output projection. */
const TEXT = { head: 146, join: 124 };

/** One strip: its node, its place in the node, and its text. */
type Row = readonly [node: string, at: (number | null)[], text: string];

/** The rows of the output projection: the joined row of the word, the column of W_O that gives the number, and the biases. */
function joinRows({ numbers, of, opened: { row, column }, item, say }: Parts): Row[] {
  const rows: Row[] = [
    ["concat", [item, row, null], of("concat").name],
    ["W_O", [null, column], say("labs.multi_head.row.W_O", { n: column })],
  ];
  return hasBiases(numbers) ? [...rows, ["b_O", [null], of("b_O").name]] : rows;
}

/** The rows of a head: query, key, the scores up to the weights, and a column of the values; on a phone, those of its stop. */
function headRows({ numbers, of, opened, item, say, keys, word, isNarrow }: Parts): Row[] {
  const { picture, head, row, key, column, alternative } = opened;
  const ofWord = (node: string, text = of(node).name): Row => [node, [item, head, row, null], text];
  const keyText = say("labs.multi_head.row.K_T", { word: keys[key] ?? "" });
  const rows: Row[] = [
    ofWord("Q_heads", say("labs.multi_head.row.Q_heads", { word })),
    alternative === "K_heads"
      ? ["K_heads", [item, head, key, null], keyText]
      : ["K_T", [item, head, null, key], keyText],
    ...logits(numbers).map((node) =>
      node === "scaled" ? ofWord(node, `÷√${of("Q_heads").columns}`) : ofWord(node),
    ),
    ofWord(mixingNode(numbers)),
    ["V_heads", [item, head, null, column], say("labs.multi_head.row.V_heads", { n: column })],
  ];
  // The maps show the weights where they are on the stage.
  if (!isNarrow) return rows.filter(([node]) => node !== "weights");
  if (picture === "split") return rows.slice(0, 2);
  return picture === "attend" ? rows.filter(([node]) => node !== "weights") : rows.slice(-2);
}

/** The height of the rows of a head. */
export const insideHeight = (parts: Parts): number =>
  HEIGHT.heading + HEIGHT.names + headRows(parts).length * (HEIGHT.before + STRIP.height);

/** Places the strips between two edges, each after its text, or under it beside the maps of a few heads. Returns the y below them. */
export function placeInside(parts: Parts, [left, right]: Span, top: number): number {
  const { numbers, isFew, isNarrow, scene, of, opened, say, keys } = parts;
  const isOver = isFew && !isNarrow;
  const part = opened.alternative === "joined" ? "join" : "head";
  const rows = part === "join" ? joinRows(parts) : headRows(parts);
  const heading = say(`labs.multi_head.inside.${part}`, { n: opened.head });
  const step = Math.min(...rows.map(([node]) => of(node).step));
  writeOn(scene, "heading", left, top + 13, heading, { step, ...(part === "head" && { role: "attention" }) });
  const edges: Span = [left + (isOver ? 6 : TEXT[part]), right - 6];
  // The columns of the first strip of words are named, where its text does not stand over it.
  const isOfWords = ([node, at]: Row): boolean => kindsOf(numbers, node)[at.indexOf(null)] === "column";
  const cell = Math.min(STRIP.widest, (edges[1] - edges[0]) / keys.length);
  const hasNames = !isOver && columnNames(keys, cell).degrees === 0;
  const named = hasNames ? rows.find(isOfWords) : undefined;
  let bottom = top + HEIGHT.heading;
  for (const row of rows) {
    const [node, at, text] = row;
    const y = bottom + (isOver ? HEIGHT.over : HEIGHT.before) + (row === named ? HEIGHT.names : 0);
    const strip = placeStrip(parts, node, at, edges, y, { id: `inside-${node}`, isLeft: true });
    if (row === named) strip.columnNames = keys;
    const { role, step } = strip;
    if (isOver) writeOn(scene, "axis", left, y - 7, text, { role, step });
    else writeOn(scene, "axis", edges[0] - 12, y + 14, text, { role, step, anchor: "end" });
    bottom = y + STRIP.height;
  }
  return bottom;
}
