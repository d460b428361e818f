/** Four bands, one for each layer: its connections between the words of a text, and the way from the first word to the last. */
import type { ConfigOf } from "../../config/config.js";
import type { Rectangle } from "../../marks/board.js";
import { textWidth } from "../../marks/measure.js";
import type { Role, Scene } from "../../marks/scene.js";
import type { Words } from "../../i18n/words.js";
import { linePath } from "../../marks/line-path.js";
import { arcPath } from "../../stage/paths.js";
import { penOn, rectangle } from "../../stage/pen.js";
import type { Point } from "../../stage/series.js";
import { layerIds, type LayerId } from "./layers.js";
import { stringsIn } from "./strings.js";

type Numbers = ConfigOf<"complexity">["numbers"];

/** The colour of each layer, in the order of the rows. */
export const roles: readonly Role[] = ["attention", "key", "value", "query"];

/** The most words of attention that are drawn with all their arcs. */
const MOST_WORDS = 32;
/** Closer words cannot be told apart: a lens shows some of them. */
const CLOSE = 6;
/** The parts of the one hop of attention, along its arc. */
const ARC = 12;
const LENS = { words: 13, pitch: 14, height: { 1: 22, 3: 30 } };

/** What is drawn of a layer: all connections, the way from the first word to the last, and where its one or two pulses are after each hop. */
interface Connections {
  all: string;
  way: string;
  pulses: Point[][];
}

/** The words of a band on a line: the x of each, and the y of all. */
interface Line {
  at: (word: number) => number;
  count: number;
  y: number;
  height: number;
  /** The height of the arcs of a hop; absent: as high as a thin band. */
  hop?: number;
}

/** Milliseconds after which so many hops are done: the first few can be counted, many are quick. */
const timeOf = (hops: number): number =>
  240 * Math.min(hops, 6) + 32 * Math.max(0, Math.min(hops, 32) - 6) + 4 * Math.max(0, hops - 32);

const arc = ({ at, y }: Line, from: number, to: number, height: number): string =>
  arcPath(at(from), at(to), y, height);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Every how many words of attention are drawn. */
const everyOf = (count: number): number => Math.ceil(count / MOST_WORDS);

/** Arcs from word to word; none where a word is the same. */
const arcs = (line: Line, words: readonly number[], height: number): string =>
  words
    .flatMap((to, at) => {
      const from = words[at - 1] ?? to;
      return from === to ? [] : arc(line, from, to, height);
    })
    .join("");

const pulse = ({ at, y }: Line, words: readonly number[]): Point[] => words.map((word) => [at(word), y]);

function attention(line: Line): Connections {
  const { count, height } = line;
  const last = count - 1;
  const drawn = upTo(count).filter((word) => word % everyOf(count) === 0 || word === last);
  const all = drawn.flatMap((from) =>
    drawn.filter((to) => to > from).map((to) => arc(line, from, to, (height * (to - from)) / last)),
  );
  // A half circle by the tangent of half the angle from its top, -1 to 1.
  const over = upTo(ARC + 1).map((part): Point => {
    const tangent = (2 * part) / ARC - 1;
    const square = 1 + tangent * tangent;
    return [line.at(last * (0.5 + tangent / square)), line.y - height * (2 / square - 1)];
  });
  return { all: all.join(""), way: arc(line, 0, last, height), pulses: [over] };
}

/** The first step reads the first word. */
function recurrent(line: Line): Connections {
  const words = upTo(line.count);
  return { all: "", way: arcs(line, words, line.hop ?? 12), pulses: [pulse(line, [0, ...words])] };
}

/** Layer over layer: each place of a layer reads `kernel` places of the layer below. */
function convolution(line: Line, { kernel }: Numbers): Connections {
  const layers: number[][] = [upTo(line.count).map(line.at)];
  for (let below = layers[0]!; below.length > 1; below = layers.at(-1)!)
    layers.push(
      upTo(Math.ceil(below.length / kernel)).map((place) => {
        const read = below.slice(place * kernel, (place + 1) * kernel);
        return read.reduce((sum, x) => sum + x, 0) / read.length;
      }),
    );
  const level = (layer: number): number => line.y - (layer * line.height) / (layers.length - 1);
  const up = (x: number, layer: number, place: number): Point[] => [
    [x, level(layer)],
    [layers[layer + 1]![Math.floor(place / kernel)]!, level(layer + 1)],
  ];
  const lines = layers.slice(0, -1).flatMap((places, layer) => places.map((x, place) => up(x, layer, place)));
  const pulses = [0, line.count - 1].map((end) =>
    layers.map((places, layer): Point => [places[Math.floor(end / kernel ** layer)]!, level(layer)]),
  );
  return { all: lines.map(linePath).join(""), way: pulses.map(linePath).join(""), pulses };
}

/** How many words on the left, and on the right, of a word its window covers, as in `windowsOf`. */
const sidesOf = ({ near }: Numbers): [left: number, right: number] => [near / 2, near / 2 - 1];

/** A hop carries the first word as far right as windows reach left, and the last word as far left as they reach right. */
function near(line: Line, numbers: Numbers): Connections {
  const [left, right] = sidesOf(numbers);
  const height = line.hop ?? 18;
  const all = upTo(line.count).flatMap((from) =>
    upTo(Math.min(left, line.count - 1 - from)).map((far) =>
      arc(line, from, from + far + 1, (height * 0.7 * (far + 1)) / left),
    ),
  );
  const [fromFirst, fromLast] = [[0], [line.count - 1]];
  while (fromFirst.at(-1)! < fromLast.at(-1)!) {
    fromFirst.push(Math.min(fromFirst.at(-1)! + left, fromLast.at(-1)!));
    fromLast.push(Math.max(fromLast.at(-1)! - right, fromFirst.at(-1)!));
  }
  const both = [fromFirst, fromLast];
  return {
    all: all.join(""),
    way: both.map((words) => arcs(line, words, height)).join(""),
    pulses: both.map((words) => pulse(line, words)),
  };
}

const connections: Readonly<Record<LayerId, (line: Line, numbers: Numbers) => Connections>> = {
  attention,
  recurrent,
  convolution,
  near,
};

/** Some words in the middle of the text, apart from each other, over the line of all words. */
function lens(scene: Scene, row: 1 | 3, line: Line, numbers: Numbers): void {
  const { draw, write } = penOn(scene, 0);
  const [id, role, hop] = [layerIds[row]!, roles[row]!, LENS.height[row]];
  const middle = line.at((line.count - 1) / 2);
  const half = (LENS.words * LENS.pitch) / 2 + 4;
  const first = Math.floor((line.count - LENS.words) / 2);
  const y = line.y - 34;
  const at = (word: number): number => middle + (word - (LENS.words - 1) / 2) * LENS.pitch;
  const part: Line = { at, count: LENS.words, y, height: hop, hop };
  const { all, way } = connections[id](part, numbers);
  const box = rectangle(middle - half, y - hop - 8, middle + half, y + 8);
  draw(`${id}-lens`, role, "bracket", box);
  draw(`${id}-near`, role, all ? "mesh" : "line", box, { path: all || way });
  draw(`${id}-some`, role, "faint", pulse(part, upTo(LENS.words)), { dots: true });
  write(middle - half - 6, y + 4, `${first + 1}`, { anchor: "end" });
  write(middle + half + 6, y + 4, `${first + LENS.words}`);
}

/** Draws the band of a row into a box. The name stands left of the box, or in it where `namesAbove`. */
export function band(
  scene: Scene,
  row: number,
  numbers: Numbers,
  words: Words,
  box: Rectangle,
  namesAbove: boolean,
): void {
  const say = stringsIn(words);
  const { draw, write } = penOn(scene, 0);
  const [id, role] = [layerIds[row]!, roles[row]!];
  const count = numbers.length;
  const y = box.y + box.height - 14;
  const pitch = (box.width - 12) / (count - 1);
  const height = box.height - 14 - (namesAbove ? 26 : 14);
  const line: Line = { at: (word) => box.x + 6 + word * pitch, count, y, height };

  const name = say(`title.${id}`);
  const about = [say(`about.${id}`, { k: numbers.kernel, r: numbers.near })];
  if (id === "attention" && everyOf(count) > 1) about.push(say("about.every", { n: everyOf(count) }));
  if (namesAbove) {
    write(box.x, box.y + 14, name, { kind: "heading", role });
    write(box.x + textWidth(name, 13.5) + 10, box.y + 14, about.at(-1)!);
  } else {
    const top = y - 14 * about.length;
    write(box.x - 146, top - 4, name, { kind: "large", role });
    about.forEach((text, at) => write(box.x - 146, top + 12 + 14 * at, text));
  }

  const { all, way, pulses } = connections[id](line, numbers);
  const extent = rectangle(box.x, box.y, box.x + box.width, y);
  const ends = pulse(line, [0, count - 1]);
  const close = pitch < CLOSE;
  if (all) draw(`${id}-all`, role, "mesh", extent, { path: all });
  draw(`${id}-way`, role, "line", extent, { path: way, ...(row !== 1 && { strong: true }) });
  if (close) draw(`${id}-words`, "activation", "line", ends);
  else draw(`${id}-words`, "activation", "faint", pulse(line, upTo(count)), { dots: true });
  draw(`${id}-ends`, "activation", "faint", ends, { dots: "open" });
  pulses.forEach((stations, at) =>
    draw(`${id}-pulse-${at}`, role, "faint", [stations.at(-1)!], {
      dots: "large",
      cells: [{ node: "hops", index: [row, 0] }],
      motion: stations.map((point, hop) => ({ point, time: timeOf(row === 0 ? hop / ARC : hop) })),
    }),
  );
  if (close && height > 60 && (row === 1 || row === 3)) lens(scene, row, line, numbers);
}
