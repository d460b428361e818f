/** Rows that are looked up in a table, and the stage of token ids: the ids, the table as a map, and the rows that they pick. */
import type { ConfigOf } from "../../config/config.js";
import { lookupOf } from "../../config/labs/words.js";
import { textWidth } from "../../marks/measure.js";
import type { PlacedTensor, Scene } from "../../marks/scene.js";
import { penOn, pointsFrom } from "../../stage/pen.js";
import { BRACKET, CAPTION_BELOW, PARAMETER, place, placeBeside, right } from "../../stage/place.js";
import { finished, placeScales, type Sheet } from "../../stage/sheet.js";
import type { Say } from "./strings.js";

/** The sheet of a picture of this lab. */
export type WordsSheet = Sheet<ConfigOf<"words">, Say>;

const TOP = 30;
/** The gap on each side of the table, which the lines cross, and the greatest width of the table. */
const SIZES = { wide: { gap: 96, table: 144 }, long: { gap: 60, table: 96 }, narrow: { gap: 44, table: 72 } };
/** Rows of more numbers are "long": the gap and the table are smaller, so that the cells of the rows have room for digits. */
const MOST_IN_SHORT_ROW = 5;
/** The width of the gap for a sign between two matrices. */
const SIGN = 78;
/** The vertical distance between the looked-up rows and the product under them. */
const BETWEEN = CAPTION_BELOW + 40;

/**
 * Draws lines from each token to the row of the table that it picks, and from there to its vector. `isMap`: the rows of the table are too
 * low for numbers, and the lines run across them.
 */
export function drawPicks(
  { scene, of }: WordsSheet,
  placed: readonly PlacedTensor[],
  ids: readonly number[],
  isMap: boolean,
): void {
  const [tokens, table, vectors] = placed as [PlacedTensor, PlacedTensor, PlacedTensor];
  const end = (tensor: PlacedTensor): number => right(tensor, of(tensor.node).columns);
  const height = ({ y, cellHeight }: PlacedTensor, row: number): number => y + (row + 0.5) * cellHeight;
  const [start, exit] = [table.x - PARAMETER - 2, end(table) + PARAMETER + 2];
  const { draw } = penOn(scene, table.step);
  ids.forEach((id, at) => {
    const [from, to] = [height(tokens, at), height(table, id)];
    const line = (name: string, ...values: number[]) =>
      draw(`${name}-${at}`, "query", "line", pointsFrom(...values), { over: true });
    line("id", end(tokens) + BRACKET + 3, from, start, to);
    if (isMap) line("picked", start, to, exit, to);
    line("row", exit, to, vectors.x - PARAMETER - 3, height(vectors, at));
    const cells = [{ node: table.node, index: [id, 0] }];
    draw(`cell-${at}`, "query", "line", [[exit, to]], { dots: true, cells });
  });
}

/** The scene of token ids; null for the stop of the product on a phone, which is shown in lines. */
export function lookupPicture(sheet: WordsSheet): Scene | null {
  const { scene, room, numbers, of, say, isNarrow, width } = sheet;
  if (isNarrow && room.step > 0) return null;
  const { ids, rows } = lookupOf(numbers);
  const { dim } = numbers;
  const idWidth = Math.ceil(Math.max(...ids.map((id) => textWidth(String(id))))) + 16;
  const size = isNarrow ? "narrow" : dim > MOST_IN_SHORT_ROW ? "long" : "wide";
  const { gap, table } = SIZES[size];
  const tableCell = Math.min(isNarrow ? 16 : 28, table / dim);
  const left = isNarrow ? 12 : 28;
  const tableX = left + idWidth + gap;
  const rowsX = tableX + dim * tableCell + gap;
  const space = width - rowsX - 12;
  const cell = Math.floor(Math.min(46, isNarrow ? space / dim : (space - SIGN) / (2 * dim)));
  const row = ids.length > 4 ? 22 : 32;
  const tall = ids.length * row;
  const height = isNarrow ? Math.max(300, tall) : Math.max(400, 2 * tall + BETWEEN);
  const tensors = [
    { block: of("ids"), cell: idWidth, captionWidth: idWidth + gap - 20 },
    { block: of("E"), cell: tableCell, row: height / rows, captionWidth: dim * tableCell + gap },
    { block: of("X") },
  ];
  const below = { caption: "below" } as const;
  drawPicks(sheet, placeBeside(scene, tensors, { x: left, y: TOP, gap, cell, row }, below), ids, true);
  const about = say("map.rows", { last: rows - 1 });
  penOn(scene, 0).write(tableX + (dim * tableCell) / 2, TOP - 12, about, { anchor: "middle" });

  if (!isNarrow) {
    const wide = dim * cell;
    const secondX = rowsX + wide + SIGN;
    const y = TOP + tall + BETWEEN;
    const { draw, write } = penOn(scene, of("product").step);
    // In the other sizes the lines from the table come so close that they would cross the names.
    const names = size === "wide" ? { rowNames: ids.map(String) } : {};
    const factors = [{ block: of("onehot"), cell: wide / rows, ...names }, { block: of("product") }];
    placeBeside(scene, factors, { x: rowsX, y, gap: SIGN, cell, row }, below);
    place(scene, of("difference"), secondX, TOP, cell, row, below);
    for (const [top, sign] of [[TOP, "− OE ="] as const, [y, "· E ="] as const])
      write(secondX - SIGN / 2, top + tall / 2 + 5, sign, { kind: "heading", anchor: "middle" });
    ids.forEach((id, at) => {
      const point = pointsFrom(rowsX + ((id + 0.5) * wide) / rows, y + (at + 0.5) * row);
      const cells = [{ node: "onehot", index: [at, id] }];
      draw(`one-${at}`, of("onehot").role, "line", point, { dots: "large", over: true, cells });
    });
  }

  const scales = { x: left, y: TOP + height + CAPTION_BELOW + 10, width };
  return finished(sheet, placeScales(sheet, scales, isNarrow ? 1 : 2, 40) + 8);
}
