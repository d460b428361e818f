/**
 * The stage of learned vectors: the text, a map of the words with the way that each has come and will go, the loss under the map, and
 * the tables with one row for each word.
 */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { isPlane, vocabularyOf } from "../../config/labs/words.js";
import { cutName, textWidth } from "../../marks/measure.js";
import { HANDLE } from "../../marks/rail.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { addRail, placeChart } from "../../stage/chart.js";
import { penOn, placeMarks, placeSentences, type Mark } from "../../stage/pen.js";
import {
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  labelWidth,
  legend,
  operatorGap,
  place,
  turned,
  type Block,
} from "../../stage/place.js";
import { learnedMap, lossChart } from "./charts.js";
import { markedSentences } from "./neighbourhoods.js";
import { stringsIn, type Say } from "./strings.js";
import { selectedWord } from "./tensors.js";

type Numbers = NumbersOf["words"];

interface Parts {
  scene: Scene;
  numbers: Numbers;
  vocabulary: readonly string[];
  say: Say;
  of: (node: string) => Block;
  /** The height of a row of the tables. */
  rowHeight: number;
}

/** The width of the column of the text. */
const TEXT = { width: 176, gap: 22 };
/** The width of the column of the tables and the note. */
const TABLES = { width: 440, gap: 18 };
const LOSS = 124;
/** The room above the rows of the tables: names of columns, and the row h. */
const ABOVE = { distances: 40, scores: 84 };
/** From the title of the map to the meanings of its colours and lines. */
const MARGIN = 50;

/** Places the text, and under it the shares of the predicted words in the model and in the text. */
function placeLeft(parts: Parts, height: number): void {
  const { scene, numbers, vocabulary, say, of, rowHeight } = parts;
  const foot = height - LEGEND - 8;
  const y = foot - CAPTION_BELOW - vocabulary.length * rowHeight;
  const label = labelWidth(vocabulary);
  const { write } = penOn(scene, -1);
  write(0, 14, say("heading.text"), { kind: "heading" });
  placeSentences(scene, markedSentences(numbers), {
    x: 0,
    y: 14,
    width: TEXT.width,
    line: 19,
    bottom: y - 44,
  });
  const { word } = selectedWord(numbers);
  const heading =
    numbers.method === "skipgram" ? say("heading.predicts", { word }) : say("heading.predicted");
  write(0, y - 28, heading, { kind: "heading" });
  place(scene, turned(of("both")), label, y, Math.floor((TEXT.width - label - 8) / 2), rowHeight, {
    caption: "below",
    rowNames: vocabulary,
    columnNames: ["p", "q"],
    captionWidth: TEXT.width - label,
  });
  legend(scene, "probs", of("both").fill, 8, foot, TEXT.width - 8, say("legend.probs"));
}

/**
 * Places the input embeddings and their distances from the selected word; if `withScores`, also the row h over the output embeddings,
 * and the scores. Returns the lower edge.
 */
function placeTables(parts: Parts, x: number, top: number, width: number, withScores: boolean): number {
  const { scene, numbers, vocabulary, say, of, rowHeight } = parts;
  const { dim } = numbers;
  const label = labelWidth(vocabulary);
  const equals = operatorGap(["="]);
  const gaps = { distance: 20, output: 30 };
  const fixed = label + gaps.distance + 14 + (withScores ? gaps.output + equals : 0);
  const most = x > 0 ? 46 : 60;
  const cell = Math.floor(Math.min(most, (width - fixed) / (withScores ? 2 * dim + 2 : dim + 1)));
  const y = top + (withScores ? ABOVE.scores : ABOVE.distances);
  const foot = y + vocabulary.length * rowHeight;
  const bottom = foot + CAPTION_BELOW;
  const left = x + label;
  const distance = left + dim * cell + gaps.distance;
  place(scene, of("w_in"), left, y, cell, rowHeight, {
    caption: "below",
    rowNames: vocabulary,
    columnNames: isPlane(numbers) ? ["x", "y"] : Array.from({ length: dim }, (_, at) => String(at)),
    captionWidth: distance + cell - left,
  });
  place(scene, of("table.distance"), distance, y, cell, rowHeight);
  const { write } = penOn(scene, 0);
  const middle = distance + cell / 2;
  write(middle, y - 23, say("heading.from"), { anchor: "middle" });
  write(middle, y - 9, cutName(selectedWord(numbers).word), { anchor: "middle" });
  const half = Math.floor(width / 2);
  legend(scene, "parameters", of("w_in").fill, x + 8, bottom, half - 20, say("legend.parameters"));
  if (!withScores) return bottom + LEGEND;
  const output = distance + cell + gaps.output;
  const scores = output + dim * cell + equals;
  const below = { caption: "below", captionWidth: dim * cell + equals } as const;
  place(scene, { ...turned(of("w_out_T")), symbol: { text: "U" } }, output, y, cell, rowHeight, below);
  place(scene, of("hidden"), output, top + 30, cell, rowHeight, { caption: "above" });
  const product = turned(of("scores"));
  place(scene, product, scores, y, cell, rowHeight, { caption: "below" });
  const sign = { kind: "heading", anchor: "middle" } as const;
  penOn(scene, product.step).write(scores - equals / 2, (y + foot) / 2 + 4, "=", sign);
  const texts = [say("legend.vectors"), say("name.scores")];
  legend(scene, "vectors", product.fill, x + half, bottom, half - 20, ...texts);
  return bottom + LEGEND;
}

/** The scene of the map and the tables. On a phone the map has the first stop, and lines show the other. */
export function learnedPicture(
  { numbers }: ConfigOf<"words">,
  snapshots: Snapshots,
  room: Room,
  of: Parts["of"],
): Scene | null {
  const [wide, narrow] = [room.layout === "wide", room.layout === "narrow"];
  if (narrow && room.step > 0) return null;
  const say = stringsIn(room.words);
  const vocabulary = vocabularyOf(numbers.text);
  const scene = emptyScene(room.width);
  const height = narrow ? 412 : wide ? Math.max(520, room.height) : 520;
  const rowHeight = Math.max(4, Math.min(20, Math.floor((wide ? 200 : 240) / vocabulary.length)));
  const parts: Parts = { scene, numbers, vocabulary, say, of, rowHeight };
  if (!narrow) placeLeft(parts, height);

  const left = narrow ? 0 : TEXT.width + TEXT.gap;
  const right = wide ? room.width - TABLES.width : room.width;
  const width = right - left - (wide ? TABLES.gap : 0);
  const title = narrow ? "" : say(numbers.step === 1 ? "chart.map.one" : "chart.map", { n: numbers.step });
  const map = learnedMap(numbers, snapshots, title);
  placeChart(scene, map, { x: left, y: 0, width, height: height - LOSS });
  const { word } = selectedWord(numbers);
  const marks: Mark[] = [
    [say("key.beside", { word }), "key", "dot"],
    [say("key.so-far"), "query", "line"],
  ];
  if (numbers.step < numbers.steps) marks.push([say("key.ahead", { n: numbers.steps }), "query", "dashed"]);
  const start = left + (narrow ? 8 : MARGIN + textWidth(title, 14));
  placeMarks(scene, marks, start, 14, left + width);
  // The handle has room at both ends of the axis.
  const track = { x: left, y: height - LOSS, width: width - HANDLE.width / 2, height: LOSS };
  const plot = placeChart(scene, lossChart(numbers, snapshots, say), track);
  if (plot)
    addRail(scene, plot, {
      id: "step",
      changes: { control: "step" },
      name: say("axis.step"),
      ends: [0, numbers.steps],
      unit: 1,
      marks: [],
      value: numbers.step,
      ...(narrow ? { isSmall: true } : { reach: HANDLE.height / 2 }),
    });
  const bottom = wide
    ? placeTables(parts, right, 0, TABLES.width, true)
    : placeTables(parts, 0, height + (narrow ? 0 : 10), room.width, !narrow);
  if (wide) scene.note = { x: right, y: bottom + 8, width: TABLES.width - 8 };
  if (narrow) scene.stop = room.step;
  scene.height = Math.max(height, bottom);
  return scene;
}
