/** The stage of token ids: the ids at the left, the table as a map with a line to each row that they pick, and these rows with their numbers at the right. */
import type { ConfigOf } from "../../config/config.js";
import { lookupOf } from "../../config/labs/words.js";
import type { Label, Room, Scene, Snapshots } from "../../marks/scene.js";
import { textWidth } from "../../marks/measure.js";
import {
  BRACKET,
  CAPTION_BELOW,
  LEGEND,
  PARAMETER,
  emptyScene,
  legend,
  place,
  type Block,
} from "../../stage/place.js";
import { stringsIn } from "./strings.js";

type BlockOf = (node: string) => Block;
type Point = [x: number, y: number];

const TOP = 30;
/** Width of the note beside the picture, and the gap before it. */
const NOTE = { width: 400, gap: 24 };
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

/** The scene of token ids; null for the stop of the product on a phone, which is shown in lines. */
export function idsPicture(
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
  const cellWidth = Math.floor(Math.min(46, narrow ? space / dim : (space - SIGN) / (2 * dim)));
  const cellHeight = ids.length > 4 ? 22 : 32;
  const lines = narrow ? 1 : 2;
  const matricesHeight = lines * ids.length * cellHeight + (lines - 1) * BETWEEN;
  const height = Math.max(narrow ? 300 : 400, matricesHeight);
  const rowY = (row: number): number => TOP + (row + 0.5) * cellHeight;
  const tableY = (id: number): number => TOP + ((id + 0.5) * height) / rows;

  const addLabel = (x: number, y: number, text: string, more: Partial<Label>): void => {
    scene.labels.push({ x, y, text, kind: "heading", anchor: "middle", ...more });
  };
  const below = { caption: "below" } as const;
  place(scene, of("ids"), left, TOP, idWidth, cellHeight, { ...below, captionWidth: idWidth + gap - 20 });
  const table = place(scene, of("E"), tableX, TOP, tableCell, height / rows, {
    ...below,
    captionWidth: dim * tableCell + gap,
  });
  place(scene, of("X"), rowsX, TOP, cellWidth, cellHeight, below);
  const tableEnd = tableX + dim * tableCell;
  addLabel((tableX + tableEnd) / 2, TOP - 12, say("map.rows", { last: rows - 1 }), { kind: "axis" });
  ids.forEach((id, row) => {
    const [from, to] = [rowY(row), tableY(id)];
    const cells = [{ node: "E", index: [id, 0] }];
    const addLine = (side: string, points: Point[]): void => {
      scene.curves.push({
        id: `${side}-${row}`,
        points,
        role: "query",
        kind: "line",
        over: true,
        step: table.step,
      });
    };
    addLine("id", [
      [left + idWidth + BRACKET + 3, from],
      [tableX - PARAMETER - 2, to],
    ]);
    addLine("picked", [
      [tableX - PARAMETER - 2, to],
      [tableEnd + PARAMETER + 2, to],
    ]);
    addLine("row", [
      [tableEnd + PARAMETER + 2, to],
      [rowsX - PARAMETER - 3, from],
    ]);
    scene.curves.push({
      id: `cell-${row}`,
      points: [[tableEnd + PARAMETER + 2, to]],
      role: "query",
      kind: "line",
      dots: true,
      cells,
      step: table.step,
    });
  });

  if (!narrow) {
    const secondX = rowsX + dim * cellWidth + SIGN;
    const y = TOP + ids.length * cellHeight + BETWEEN;
    const oneHotWidth = dim * cellWidth;
    const { step } = of("product");
    const oneHot = place(scene, of("onehot"), rowsX, y, oneHotWidth / rows, cellHeight, {
      ...below,
      // In the other sizes the lines from the table come so close that they would cross the names.
      ...(size === "wide" && { rowNames: ids.map(String) }),
    });
    place(scene, of("product"), secondX, y, cellWidth, cellHeight, below);
    place(scene, of("difference"), secondX, TOP, cellWidth, cellHeight, below);
    const addSign = (at: number, text: string): void =>
      addLabel(rowsX + oneHotWidth + SIGN / 2, at + (ids.length * cellHeight) / 2 + 5, text, { step });
    addSign(TOP, "− OE =");
    addSign(y, "· E =");
    ids.forEach((id, row) =>
      scene.curves.push({
        id: `one-${row}`,
        points: [[rowsX + ((id + 0.5) * oneHotWidth) / rows, y + (row + 0.5) * cellHeight]],
        role: oneHot.role,
        kind: "line",
        dots: "large",
        over: true,
        cells: [{ node: "onehot", index: [row, id] }],
        step,
      }),
    );
  }

  const bottom = TOP + Math.max(height, matricesHeight) + CAPTION_BELOW + 10;
  const half = narrow ? width : width / 2;
  legend(scene, "table", of("E").fill, left, bottom, half - 40, say("legend.table"));
  if (!narrow)
    legend(scene, "onehot", of("onehot").fill, left + half, bottom, half - 40, say("legend.onehot"));
  scene.height = bottom + LEGEND + 8;
  if (isBeside) scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  if (narrow) scene.stop = room.step;
  return scene;
}
