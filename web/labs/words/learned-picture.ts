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
import {
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  labelWidth,
  legend,
  operatorGap,
  place,
  type Block,
  type Placing,
} from "../../stage/place.js";
import type { Point } from "../../stage/series.js";
import { learnedMap, lossChart } from "./charts.js";
import { markedSentences } from "./neighbourhoods.js";
import { stringsIn, type Say } from "./strings.js";
import { selectedWord } from "./tensors.js";

type Numbers = NumbersOf["words"];
type BlockOf = (node: string) => Block;

/** The width of the column of the text, and the height of a line in it. */
const TEXT = { width: 176, line: 19, gap: 22 };
/** The width of the column of the tables and the note. */
const TABLES = { width: 440, gap: 18 };
const LOSS = 124;
/** The size that bold words are measured with. */
const BOLD = 16;
/** The room above the rows of the tables: names of columns, and the row h. */
const ABOVE = { distances: 40, scores: 84 };
const NOTE_BELOW = 8;

/** The block with its rows as columns. */
const turned = (block: Block): Block => ({
  ...block,
  turned: true,
  rows: block.columns,
  columns: block.rows,
  letters: "",
});

/** Adds what the colours and lines of the map mean, from (x, y) to the right, as far as there is room. */
function placeKey(scene: Scene, numbers: Numbers, say: Say, x: number, y: number, right: number): void {
  const { step, steps } = numbers;
  const items = [
    {
      kind: "line",
      role: "key",
      dots: "large",
      text: say("key.beside", { word: selectedWord(numbers).word }),
    },
    { kind: "line", role: "query", text: say("key.so-far") },
    ...(step < steps
      ? [{ kind: "dashed", role: "query", text: say("key.ahead", { n: steps }) } as const]
      : []),
  ] as const;
  let left = x;
  for (const [at, { text, ...item }] of items.entries()) {
    const mark = "dots" in item ? 12 : 26;
    const end = left + mark + textWidth(text);
    if (end > right) return;
    const from: Point = [left + ("dots" in item ? 4 : 0), y - 4];
    const points = "dots" in item ? [from] : [from, [left + mark - 6, y - 4] as Point];
    scene.curves.push({ id: `key-${at}`, ...item, points, step: -1 });
    scene.labels.push({ x: left + mark, y, text, kind: "axis" });
    left = end + 12;
  }
}

/** Places the words of the text in lines from (x, y) down. Returns the lower edge, or null if the text does not fit above `bottom`. */
function placeText(
  scene: Scene,
  numbers: Numbers,
  say: Say,
  x: number,
  y: number,
  bottom: number,
): number | null {
  const labels: Scene["labels"] = [{ x, y: y + 14, text: say("heading.text"), kind: "heading" }];
  let line = y + 14;
  for (const sentence of markedSentences(numbers)) {
    let left = x;
    line += TEXT.line;
    for (const { word, mark } of sentence) {
      const role = mark === "selected" ? "query" : mark === "neighbour" ? "key" : null;
      const width = textWidth(word, role ? BOLD : 13.5);
      if (left > x && left + width > x + TEXT.width) [left, line] = [x + 12, line + TEXT.line];
      labels.push({
        x: left,
        y: line,
        text: word,
        kind: role ? "heading" : "caption",
        ...(role && { role }),
      });
      left += width + 6;
    }
  }
  if (line > bottom) return null;
  scene.labels.push(...labels);
  for (let rule = y + 14 + TEXT.line; rule <= line; rule += TEXT.line)
    scene.curves.push({
      id: `rule-${rule}`,
      points: [
        [x, rule + 5],
        [x + TEXT.width, rule + 5],
      ],
      role: "activation",
      kind: "faint",
      step: -1,
    });
  return line + 6;
}

/** The scene of the map and the tables. On a phone the map has the first stop, and lines show the other. */
export function learnedPicture(
  { numbers }: ConfigOf<"words">,
  snapshots: Snapshots,
  room: Room,
  of: BlockOf,
): Scene | null {
  const narrow = room.layout === "narrow";
  if (narrow && room.step > 0) return null;
  const say = stringsIn(room.words);
  const vocabulary = vocabularyOf(numbers.text);
  const count = vocabulary.length;
  const scene = emptyScene(room.width);
  const wide = room.layout === "wide";
  const height = narrow ? 412 : wide ? Math.max(520, room.height) : 520;
  const tall = Math.max(4, Math.min(20, Math.floor((wide ? 200 : 240) / count)));

  const placeNamed = (block: Block, x: number, y: number, width: number, placing: Placing): void => {
    place(scene, block, x, y, width, tall, { caption: "below", ...placing });
  };
  let left = 0;
  if (!narrow) {
    const shares = height - count * tall - CAPTION_BELOW - LEGEND - 8;
    const label = labelWidth(vocabulary);
    left = TEXT.width + TEXT.gap;
    placeText(scene, numbers, say, 0, 0, shares - 44);
    const { word } = selectedWord(numbers);
    const heading =
      numbers.method === "skipgram" ? say("heading.predicts", { word }) : say("heading.predicted");
    scene.labels.push({ x: 0, y: shares - 28, text: heading, kind: "heading" });
    const cell = Math.floor((TEXT.width - label - 8) / 2);
    placeNamed(turned(of("both")), label, shares, cell, {
      rowNames: vocabulary,
      columnNames: ["p", "q"],
      captionWidth: TEXT.width - label,
    });
    const bottom = shares + count * tall + CAPTION_BELOW;
    legend(scene, "probs", of("both").fill, 8, bottom, TEXT.width - 8, say("legend.probs"));
  }
  const right = wide ? room.width - TABLES.width : room.width;
  const mapWidth = right - left - (wide ? TABLES.gap : 0);
  const title = narrow ? "" : say(numbers.step === 1 ? "chart.map.one" : "chart.map", { n: numbers.step });
  const map = { x: left, y: 0, width: mapWidth, height: height - LOSS };
  placeChart(scene, learnedMap(numbers, snapshots, title), map);
  placeKey(scene, numbers, say, left + (narrow ? 8 : 46 + textWidth(title, 14) + 4), 14, left + mapWidth);
  // The handle has room at both ends of the axis.
  const track = { x: left, y: height - LOSS, width: mapWidth - HANDLE.width / 2, height: LOSS };
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
  scene.height = height;
  if (narrow) {
    const tables = { x: 0, y: height, width: room.width, rowHeight: tall };
    scene.height = placeTables(scene, numbers, say, of, tables, false);
    scene.stop = room.step;
    return scene;
  }
  const box = wide
    ? { x: right, y: 0, width: TABLES.width, rowHeight: tall }
    : { x: 0, y: height + 10, width: room.width, rowHeight: tall };
  const bottom = placeTables(scene, numbers, say, of, box, true);
  if (wide) scene.note = { x: right, y: bottom + NOTE_BELOW, width: TABLES.width - 8 };
  scene.height = Math.max(height, bottom);
  return scene;
}

/** Where the tables stand, and the height of their rows. */
interface TablesBox {
  x: number;
  y: number;
  width: number;
  rowHeight: number;
}

/**
 * Places the input embeddings and their distances from the selected word; if `withScores`, also the row h over the output embeddings,
 * and the scores. Returns the lower edge.
 */
function placeTables(
  scene: Scene,
  numbers: Numbers,
  say: Say,
  of: BlockOf,
  box: TablesBox,
  withScores: boolean,
): number {
  const { width, rowHeight } = box;
  const vocabulary = vocabularyOf(numbers.text);
  const { dim } = numbers;
  const label = labelWidth(vocabulary);
  const equals = operatorGap(["="]);
  const gaps = { distance: 20, output: 30 };
  const fixed = label + gaps.distance + 14 + (withScores ? gaps.output + equals : 0);
  const cell = Math.floor(
    Math.min(box.x > 0 ? 46 : 60, (width - fixed) / (withScores ? 2 * dim + 2 : dim + 1)),
  );
  const y = box.y + (withScores ? ABOVE.scores : ABOVE.distances);
  const bottom = y + vocabulary.length * rowHeight + CAPTION_BELOW;
  const columnNames = isPlane(numbers) ? ["x", "y"] : Array.from({ length: dim }, (_, at) => String(at));
  const below = { caption: "below" } as const;
  const left = box.x + label;
  const distance = left + dim * cell + gaps.distance;
  place(scene, of("w_in"), left, y, cell, rowHeight, {
    ...below,
    rowNames: vocabulary,
    columnNames,
    captionWidth: distance + cell - left,
  });
  place(scene, of("table.distance"), distance, y, cell, rowHeight);
  [say("heading.from"), cutName(selectedWord(numbers).word)].forEach((text, at) =>
    scene.labels.push({ x: distance + cell / 2, y: y - 23 + 14 * at, text, kind: "axis", anchor: "middle" }),
  );
  const half = Math.floor(width / 2);
  legend(scene, "parameters", of("w_in").fill, box.x + 8, bottom, half - 20, say("legend.parameters"));
  if (!withScores) return bottom + LEGEND;
  const output = distance + cell + gaps.output;
  const scores = output + dim * cell + equals;
  place(scene, { ...turned(of("w_out_T")), symbol: { text: "U" } }, output, y, cell, rowHeight, {
    ...below,
    captionWidth: dim * cell + equals,
  });
  place(scene, of("hidden"), output, box.y + 30, cell, rowHeight, { caption: "above" });
  place(scene, turned(of("scores")), scores, y, cell, rowHeight, below);
  scene.labels.push({
    x: scores - equals / 2,
    y: (y + bottom - CAPTION_BELOW) / 2 + 4,
    text: "=",
    kind: "heading",
    anchor: "middle",
    step: of("scores").step,
  });
  legend(
    scene,
    "vectors",
    of("scores").fill,
    box.x + half,
    bottom,
    half - 20,
    say("legend.vectors"),
    say("name.scores"),
  );
  return bottom + LEGEND;
}
