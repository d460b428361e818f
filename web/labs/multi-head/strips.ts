/** The parts of the pictures of the multi-head lab: strips of one row of a tensor, and captions. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import { textWidth } from "../../marks/measure.js";
import type { PlacedTensor, Room, Scene, Symbol } from "../../marks/scene.js";
import { LEGEND, legend, place, type Block } from "../../stage/place.js";
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

/** The symbol of a head's tensor: A with the head's number. */
export const symbolOf = ({ symbol }: Block, head: number): Symbol => ({
  text: symbol.text,
  sub: String(head),
});

/** Places one row or column of a node as a horizontal strip without a caption. */
export function placeStrip(
  { scene, of }: Parts,
  node: string,
  at: (number | null)[],
  [x, y]: readonly [number, number],
  cell: number,
  id: string,
): PlacedTensor {
  const whole = of(node);
  // A place for the last axis leaves the one before it: a column.
  const isRow = at.at(-1) === null;
  const columns = isRow ? whole.columns : whole.rows;
  const part = isRow ? whole.parts?.columns : whole.parts?.rows;
  const masked = whole.masked?.[at.at(-2) ?? 0];
  const row: Block = {
    ...whole,
    rows: 1,
    columns,
    at,
    emptyRows: [],
    paintable: false,
    parts: part && part < columns ? { columns: part } : undefined,
    masked: masked && [masked],
  };
  return place(scene, row, x, y, cell, STRIP, { id });
}

/** Adds a caption over a node, and its shape at the right edge unless the two would touch. */
export function addCaption(
  { scene, of }: Parts,
  node: string,
  [left, right]: readonly [number, number],
  y: number,
  text: string,
  shape: string,
): void {
  const { step } = of(node);
  scene.labels.push({ x: left, y, text, kind: "caption", step });
  if (left + textWidth(text, 12.5) + 16 + textWidth(shape, 12) <= right)
    scene.labels.push({ x: right, y, text: shape, kind: "shape", anchor: "end", step });
}

/** Adds a caption with the symbol of the node before the text. */
export const addSymbolCaption: typeof addCaption = (parts, node, [left, right], y, text, shape) => {
  const { role, symbol, step } = parts.of(node);
  parts.scene.labels.push({ x: left - 4, y, text: symbol.text, kind: "symbol", role, step });
  addCaption(parts, node, [left + 30, right], y, text, shape);
};

/** Places the colour scales side by side, on several lines where their texts need it. Returns the y below them. */
export function placeLegends(
  { scene, words }: Parts,
  y: number,
  [left, right]: readonly [number, number],
): number {
  const width = right - left;
  const families = [...new Map(scene.tensors.map((tensor) => [tensor.family, tensor.fill])).entries()];
  const perLine = Math.max(1, Math.min(families.length, Math.floor(width / 264)));
  const each = Math.floor(width / perLine);
  families.forEach(([family, fill], index) => {
    const [x, line] = [left + (index % perLine) * each, Math.floor(index / perLine)];
    legend(scene, family, fill, x, y + line * LEGEND, each - 6, legendText(family, words));
  });
  return y + Math.ceil(families.length / perLine) * LEGEND;
}
