/** What the pictures of the multi-head lab share: strips of one row of a tensor, the names of heads, and the colour scales. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import { textWidth } from "../../marks/measure.js";
import type { PlacedTensor, Role, Room, Scene } from "../../marks/scene.js";
import { writeSymbol } from "../../stage/symbol.js";
import { drawOn, pointsFrom, rectangle, writeOn } from "../../stage/pen.js";
import { familiesOf, legends, place, right, type Block } from "../../stage/place.js";
import { stripOf } from "../../stage/strip.js";
import { legendText, type Opened } from "./flow.js";

/** The height of a strip, enough for numbers. */
export const STRIP = 20;

/** The data that a picture is drawn from, and the scene that its parts are added to. */
export interface Parts {
  config: ConfigOf<"multi-head">;
  room: Room;
  words: Words;
  of: (node: string) => Block;
  opened: Opened;
  /** The sample that is shown. */
  item: number;
  /** The names of the queries' words, of the keys' words, and of the word whose row is open. */
  names: readonly string[];
  keys: readonly string[];
  word: string;
  scene: Scene;
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Writes the symbol of a tensor with the number of a head: A_0. */
export function writeSymbolOf({ scene, of }: Parts, node: string, head: number, x: number, y: number): void {
  const block = of(node);
  writeSymbol(scene, { ...block, symbol: { text: block.symbol.text, sub: String(head) } }, x, y);
}

/** Writes the name of a head, in colour if the head is open. Returns its width. */
export function nameHead(
  { scene, words, opened }: Parts,
  head: number,
  x: number,
  y: number,
  step?: number,
): number {
  const name = words("labs.head", { n: head });
  writeOn(scene, "heading", x, y, name, { step, role: head === opened.head ? "attention" : undefined });
  return textWidth(name, 13.5);
}

/** Draws a line down to or from a tensor of a head; it is stronger if the head is open. */
export function linkHead(
  { scene, opened }: Parts,
  id: string,
  head: number,
  x: number,
  [from, to]: readonly [number, number],
  step: number,
): void {
  const [role, kind] =
    head === opened.head ? (["attention", "line"] as const) : (["activation", "faint"] as const);
  drawOn(scene, `${id}-${head}`, role, kind, pointsFrom(x, from, x, to), { step });
}

/** Frames the row of the opened word in a tensor of this many columns. */
export function frameOpenedRow(
  { scene, opened }: Parts,
  id: string,
  role: Role,
  tensor: PlacedTensor,
  columns: number,
): void {
  const { x, cellHeight, step } = tensor;
  const y = tensor.y + opened.row * cellHeight;
  const frame = rectangle(x, y, right(tensor, columns), y + cellHeight);
  drawOn(scene, id, role, "line", frame, { over: true, step });
}

/** Places one row or column of a node as a horizontal strip without a caption. */
export const placeStrip = (
  { scene, of }: Parts,
  node: string,
  at: (number | null)[],
  [x, y]: readonly [number, number],
  cell: number,
  id: string,
): PlacedTensor => place(scene, stripOf(of(node), at), x, y, cell, STRIP, { id });

/** Places the colour scales side by side, on several lines where their texts need it. Returns the y below them. */
export function placeLegends(
  { scene, words }: Parts,
  y: number,
  [left, end]: readonly [number, number],
): number {
  const width = end - left;
  const families = familiesOf(scene);
  const perLine = Math.max(1, Math.min(families.size, Math.floor(width / 264)));
  return legends(scene, families, { x: left, y, width }, perLine, (family) => legendText(family, words), 6);
}
