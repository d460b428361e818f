/** What the parts of the picture share: the sheet with what is open on it, and how they mark a head and the row of the open word. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Label, PlacedTensor, Role } from "../../marks/scene.js";
import { drawOn, rectangle } from "../../stage/pen.js";
import { place, right } from "../../stage/place.js";
import type { Sheet } from "../../stage/sheet.js";
import { stripOf } from "../../stage/strip.js";
import { writeSymbol } from "../../stage/symbol.js";
import { hasFewHeads, openedIn, type stopPictures } from "./flow.js";
import { itemOf, keyNames, rowNames } from "./tensors.js";

/** The left and the right edge of a part of the picture. */
export type Span = readonly [left: number, right: number];

/** The height of a strip, enough for numbers, and the widest cell. */
export const STRIP = { height: 20, widest: 44 };

/** A sheet, and what is open on it. */
export function partsOf(sheet: Sheet<ConfigOf<"multi-head">, Words>) {
  const { config, numbers, room } = sheet;
  const opened = openedIn(room);
  const names = rowNames(numbers, room.words);
  return {
    ...sheet,
    opened,
    /** The sample that is shown. */
    item: itemOf(config),
    /** The names of the queries' words, of the keys' words, and of the word whose row is open. */
    names,
    keys: keyNames(numbers, room.words),
    word: names[opened.row] ?? "",
    /** Whether the heads are so few that the whole of Q is drawn, cut into them. */
    isFew: hasFewHeads(numbers, room.layout),
  };
}

export type Parts = ReturnType<typeof partsOf>;

/** Whether a part is shown: a phone shows only that of its stop. */
export const isShown = ({ isNarrow, opened }: Parts, picture: keyof typeof stopPictures): boolean =>
  !isNarrow || opened.picture === picture;

/** Places one row or column of a node as a strip between two edges: in the middle, or at the left edge. */
export function placeStrip(
  { scene, of }: Parts,
  node: string,
  at: (number | null)[],
  [left, right]: Span,
  y: number,
  { id = node, isLeft = false }: { id?: string; isLeft?: boolean } = {},
): PlacedTensor {
  const block = stripOf(of(node), at);
  const cell = Math.min(STRIP.widest, (right - left) / block.columns);
  const x = isLeft ? left : (left + right - cell * block.columns) / 2;
  return place(scene, block, x, y, cell, STRIP.height, { id });
}

/** Writes the symbol of a tensor with the number of a head, A_0. */
export function writeSymbolOf(
  { scene, of }: Parts,
  node: string,
  head: number,
  x: number,
  y: number,
  more: Partial<Label> = {},
): void {
  const block = of(node);
  const symbol = { text: block.symbol.text, sub: String(head) };
  writeSymbol(scene, { ...block, symbol }, x, y, more);
}

/** Frames the row of the open word in a tensor of a head, unless its rows are too low. */
export function frameOpenRow({ scene, opened, of }: Parts, role: Role, tensor: PlacedTensor): void {
  const { id, node, x, cellHeight, step } = tensor;
  if (cellHeight < 6) return;
  const y = tensor.y + opened.row * cellHeight;
  const frame = rectangle(x, y, right(tensor, of(node).columns), y + cellHeight);
  drawOn(scene, `row-${id}`, role, "line", frame, { over: true, step });
}
