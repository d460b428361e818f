/** Rows that are looked up in a table, and the stage of token ids: the ids, the table as a map, and the rows that they pick. */
import type { ConfigOf } from "../../config/config.js";
import { lookupOf } from "../../config/labs/words.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { textWidth } from "../../marks/measure.js";
import { penOn, pointsFrom } from "../../stage/pen.js";
import {
  BRACKET,
  CAPTION_BELOW,
  LEGEND,
  PARAMETER,
  emptyScene,
  legend,
  place,
  type Block,
  type Placing,
} from "../../stage/place.js";
import { stringsIn } from "./strings.js";

type BlockOf = (node: string) => Block;

const TOP = 30;
/** Width of the note beside the picture, and the gap before it. */
export const NOTE = { width: 400, gap: 24 };
/** The gap on each side of the table, which the lines cross. */
const LEADER = { wide: 96, long: 60, narrow: 44 };
/** The greatest width of the table. */
const TABLE = { wide: 144, long: 96, narrow: 72 };
/** Rows of more numbers are "long": the gap and the table are smaller, so that the cells of the rows have room for digits. */
const MOST_IN_SHORT_ROW = 5;
/** The width of the gap for a sign between two matrices. */
const SIGN = 78;
/** The vertical distance between the looked-up rows and the product under them. */
const BETWEEN = CAPTION_BELOW + 40;

/** A tensor of a lookup: its left edge, and the width and height of its cells. */
export interface LookupPart {
  block: Block;
  x: number;
  cell: number;
  row: number;
  placing?: Placing;
}

/**
 * Places the tokens, the table and the vectors from `y` down, with lines from each token to the row of the table that it picks, and from
 * there to its vector. `isMap`: the rows of the table are too low for numbers, and the lines run across them.
 */
export function placeLookup(
  scene: Scene,
  parts: readonly [LookupPart, LookupPart, LookupPart],
  y: number,
  ids: readonly number[],
  isMap: boolean,
): void {
  for (const { block, x, cell, row, placing } of parts)
    place(scene, block, x, y, cell, row, { caption: "below", ...placing });
  const [tokens, table, vectors] = parts;
  const end = ({ block, x, cell }: LookupPart): number => x + block.columns * cell;
  const height = ({ row }: LookupPart, at: number): number => y + (at + 0.5) * row;
  const [left, right] = [table.x - PARAMETER - 2, end(table) + PARAMETER + 2];
  const { draw } = penOn(scene, table.block.step);
  ids.forEach((id, at) => {
    const [from, to] = [height(tokens, at), height(table, id)];
    const line = (name: string, ...values: number[]) =>
      draw(`${name}-${at}`, "query", "line", pointsFrom(...values), { over: true });
    line("id", end(tokens) + BRACKET + 3, from, left, to);
    if (isMap) line("picked", left, to, right, to);
    line("row", right, to, vectors.x - PARAMETER - 3, height(vectors, at));
    const cells = [{ node: table.block.node, index: [id, 0] }];
    draw(`cell-${at}`, "query", "line", [[right, to]], { dots: true, cells });
  });
}

/** The scene of token ids; null for the stop of the product on a phone, which is shown in lines. */
export function lookupPicture(
  { numbers }: ConfigOf<"words">,
  _snapshots: Snapshots,
  room: Room,
  of: BlockOf,
): Scene | null {
  const narrow = room.layout === "narrow";
  if (narrow && room.step > 0) return null;
  const say = stringsIn(room.words);
  const { ids, rows } = lookupOf(numbers);
  const { dim } = numbers;
  const scene = emptyScene(room.width);
  const isBeside = room.layout === "wide";
  const width = isBeside ? room.width - NOTE.width - NOTE.gap : room.width;

  const idWidth = Math.ceil(Math.max(...ids.map((id) => textWidth(String(id))))) + 16;
  const size = narrow ? "narrow" : dim > MOST_IN_SHORT_ROW ? "long" : "wide";
  const gap = LEADER[size];
  const tableCell = Math.min(narrow ? 16 : 28, TABLE[size] / dim);
  const left = narrow ? 12 : 28;
  const tableX = left + idWidth + gap;
  const rowsX = tableX + dim * tableCell + gap;
  const space = width - rowsX - 12;
  const cell = Math.floor(Math.min(46, narrow ? space / dim : (space - SIGN) / (2 * dim)));
  const row = ids.length > 4 ? 22 : 32;
  const tall = ids.length * row;
  const needed = narrow ? tall : 2 * tall + BETWEEN;
  const height = Math.max(narrow ? 300 : 400, needed);
  const table = {
    block: of("E"),
    x: tableX,
    cell: tableCell,
    row: height / rows,
    placing: { captionWidth: dim * tableCell + gap },
  };
  const idsPart = {
    block: of("ids"),
    x: left,
    cell: idWidth,
    row,
    placing: { captionWidth: idWidth + gap - 20 },
  };
  placeLookup(scene, [idsPart, table, { block: of("X"), x: rowsX, cell, row }], TOP, ids, true);
  const middle = { anchor: "middle" } as const;
  penOn(scene, 0).write(
    tableX + (dim * tableCell) / 2,
    TOP - 12,
    say("map.rows", { last: rows - 1 }),
    middle,
  );

  if (!narrow) {
    const wide = dim * cell;
    const secondX = rowsX + wide + SIGN;
    const y = TOP + tall + BETWEEN;
    const { draw, write } = penOn(scene, of("product").step);
    const oneHot = place(scene, of("onehot"), rowsX, y, wide / rows, row, {
      caption: "below",
      // In the other sizes the lines from the table come so close that they would cross the names.
      ...(size === "wide" && { rowNames: ids.map(String) }),
    });
    place(scene, of("product"), secondX, y, cell, row, { caption: "below" });
    place(scene, of("difference"), secondX, TOP, cell, row, { caption: "below" });
    for (const [top, sign] of [[TOP, "− OE ="] as const, [y, "· E ="] as const])
      write(secondX - SIGN / 2, top + tall / 2 + 5, sign, { kind: "heading", ...middle });
    ids.forEach((id, at) => {
      const point = pointsFrom(rowsX + ((id + 0.5) * wide) / rows, y + (at + 0.5) * row);
      const cells = [{ node: "onehot", index: [at, id] }];
      draw(`one-${at}`, oneHot.role, "line", point, { dots: "large", over: true, cells });
    });
  }

  const bottom = TOP + height + CAPTION_BELOW + 10;
  const half = narrow ? width : width / 2;
  legend(scene, "table", of("E").fill, left, bottom, half - 40, say("legend.table"));
  if (!narrow)
    legend(scene, "onehot", of("onehot").fill, left + half, bottom, half - 40, say("legend.onehot"));
  scene.height = bottom + LEGEND + 8;
  if (isBeside) scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  if (narrow) scene.stop = room.step;
  return scene;
}
