/**
 * The stage of learned vectors: the text, a map of the words with the way that each has come and will go, the loss under the map, and
 * the tables with one row for each word.
 */
import { isPlane, vocabularyOf } from "../../config/labs/words.js";
import { cutName } from "../../marks/measure.js";
import { HANDLE } from "../../marks/rail.js";
import type { Scene } from "../../marks/scene.js";
import { placeChart } from "../../stage/chart.js";
import { penOn, placeSentences } from "../../stage/pen.js";
import {
  CAPTION_BELOW,
  LEGEND,
  labelWidth,
  legend,
  operatorGap,
  place,
  placeBeside,
  turned,
} from "../../stage/place.js";
import { finished } from "../../stage/sheet.js";
import { learnedMap, lossChart } from "./charts.js";
import type { WordsSheet } from "./lookup-picture.js";
import { markedSentences } from "./neighbourhoods.js";
import { selectedWord } from "./tensors.js";

/** The width of the column of the text. */
const TEXT = { width: 176, gap: 22 };
/** The width of the column of the tables and the note. */
const TABLES = { width: 440, gap: 18 };
const LOSS = 124;
/** The room above the rows of the tables: names of columns, and the row h. */
const ABOVE = { distances: 40, scores: 84 };
/** The gaps before the distances and before the output embeddings. */
const GAPS = { distance: 20, output: 30 };

/** Places the text, and under it the shares of the predicted words in the model and in the text. */
function placeLeft({ scene, numbers, say, of }: WordsSheet, height: number, rowHeight: number): void {
  const rowNames = vocabularyOf(numbers.text);
  const foot = height - LEGEND - 8;
  const y = foot - CAPTION_BELOW - rowNames.length * rowHeight;
  const label = labelWidth(rowNames);
  const space = TEXT.width - label;
  const { write } = penOn(scene, -1);
  write(0, 14, say("heading.text"), { kind: "heading" });
  const box = { x: 0, y: 14, width: TEXT.width, line: 19, bottom: y - 44 };
  placeSentences(scene, markedSentences(numbers), box);
  const predicts = numbers.method === "skipgram" ? "heading.predicts" : "heading.predicted";
  write(0, y - 28, say(predicts, { word: selectedWord(numbers).word }), { kind: "heading" });
  const placing = { caption: "below", rowNames, columnNames: ["p", "q"], captionWidth: space } as const;
  place(scene, turned(of("both")), label, y, Math.floor((space - 8) / 2), rowHeight, placing);
  legend(scene, "probs", of("both").fill, 8, foot, TEXT.width - 8, say("legend.probs"));
}

/**
 * Places the input embeddings and their distances from the selected word; except on a phone, also the row h over the output embeddings,
 * and the scores. Returns the lower edge.
 */
function placeTables(sheet: WordsSheet, x: number, top: number, width: number, row: number): number {
  const { scene, numbers, say, of, isNarrow } = sheet;
  const { dim } = numbers;
  const rowNames = vocabularyOf(numbers.text);
  const label = labelWidth(rowNames);
  const equals = operatorGap(["="]);
  const fixed = label + GAPS.distance + 14 + (isNarrow ? 0 : GAPS.output + equals);
  const most = x > 0 ? 46 : 60;
  const cell = Math.floor(Math.min(most, (width - fixed) / (isNarrow ? dim + 1 : 2 * dim + 2)));
  const y = top + (isNarrow ? ABOVE.distances : ABOVE.scores);
  const foot = y + rowNames.length * row;
  const bottom = foot + CAPTION_BELOW;
  const columns = isPlane(numbers) ? ["x", "y"] : Array.from({ length: dim }, (_, at) => String(at));
  const factor = { ...turned(of("w_out_T")), symbol: { text: "U" } };
  const tensors = [
    { block: of("w_in"), columnNames: columns, captionWidth: (dim + 1) * cell + GAPS.distance },
    { block: of("table.distance"), caption: "none" as const },
    ...(isNarrow ? [] : [{ block: factor, gap: GAPS.output, captionWidth: dim * cell + equals }]),
  ];
  const area = { x: x + label, y, cell, row, gap: GAPS.distance };
  const [, distance, output] = placeBeside(scene, tensors, area, { caption: "below", rowNames });
  const { write } = penOn(scene, 0);
  const middle = distance!.x + cell / 2;
  write(middle, y - 23, say("heading.from"), { anchor: "middle" });
  write(middle, y - 9, cutName(selectedWord(numbers).word), { anchor: "middle" });
  const half = Math.floor(width / 2);
  legend(scene, "parameters", of("w_in").fill, x + 8, bottom, half - 20, say("legend.parameters"));
  if (!output) return bottom + LEGEND;
  const scores = output.x + dim * cell + equals;
  const product = turned(of("scores"));
  place(scene, of("hidden"), output.x, top + 30, cell, row, { caption: "above" });
  place(scene, product, scores, y, cell, row, { caption: "below" });
  const sign = { kind: "heading", anchor: "middle" } as const;
  penOn(scene, product.step).write(scores - equals / 2, (y + foot) / 2 + 4, "=", sign);
  const texts = [say("legend.vectors"), say("name.scores")];
  legend(scene, "vectors", product.fill, x + half, bottom, half - 20, ...texts);
  return bottom + LEGEND;
}

/** The scene of the map and the tables. On a phone the map has the first stop, and lines show the other. */
export function learnedPicture(sheet: WordsSheet): Scene | null {
  const { scene, room, numbers, snapshots, say, isWide, isNarrow } = sheet;
  if (isNarrow && room.step > 0) return null;
  const height = isNarrow ? 412 : isWide ? Math.max(520, room.height) : 520;
  const words = vocabularyOf(numbers.text).length;
  const rowHeight = Math.max(4, Math.min(20, Math.floor((isWide ? 200 : 240) / words)));
  if (!isNarrow) placeLeft(sheet, height, rowHeight);
  const left = isNarrow ? 0 : TEXT.width + TEXT.gap;
  const right = isWide ? room.width - TABLES.width : room.width;
  const width = right - left - (isWide ? TABLES.gap : 0);
  const map = learnedMap(numbers, snapshots, say, isNarrow);
  placeChart(scene, map, { x: left, y: 0, width, height: height - LOSS });
  // The handle has room at both ends of the axis.
  const track = { x: left, y: height - LOSS, width: width - HANDLE.width / 2, height: LOSS };
  placeChart(scene, lossChart(numbers, snapshots, say, isNarrow), track);
  const bottom = isWide
    ? placeTables(sheet, right, 0, TABLES.width, rowHeight)
    : placeTables(sheet, 0, height + (isNarrow ? 0 : 10), room.width, rowHeight);
  const note = { x: right, y: bottom + 8, width: TABLES.width - 8 };
  return finished(sheet, Math.max(height, bottom), note);
}
