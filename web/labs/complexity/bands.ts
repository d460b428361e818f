/** Four bands, one for each layer: its connections between the words of a text, and the way from the first word to the last. */
import type { ConfigOf } from "../../config/config.js";
import { textWidth } from "../../marks/measure.js";
import type { Curve, Role, Scene } from "../../marks/scene.js";
import type { Words } from "../../i18n/words.js";
import { layerIds, type LayerId } from "./layers.js";
import { stringsIn } from "./strings.js";

type Point = [x: number, y: number];
type Numbers = ConfigOf<"complexity">["numbers"];

/** The colour of each layer, in the order of the rows. */
export const roles: readonly Role[] = ["attention", "key", "value", "query"];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The most words of attention that are drawn with all their arcs. */
const MOST_WORDS = 32;
/** Closer words cannot be told apart: a lens shows some of them. */
const CLOSE = 6;
/** The parts of the one hop of attention, along its arc. */
const ARC = 12;
const LENS = { words: 13, pitch: 14, height: { recurrent: 22, near: 30 } };

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

const px = (value: number): string => String(Math.round(10 * value) / 10);

function arc({ at, y }: Line, from: number, to: number, height: number): string {
  return `M${px(at(from))} ${px(y)}A${px((at(to) - at(from)) / 2)} ${px(height)} 0 0 1 ${px(at(to))} ${px(y)}`;
}

const polyline = (points: readonly Point[]): string =>
  points.map(([x, y], at) => `${at ? "L" : "M"}${px(x)} ${px(y)}`).join("");

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Every how many words of attention are drawn. */
const everyOf = (count: number): number => Math.ceil(count / MOST_WORDS);

/** Arcs from word to word; none where a word is the same. */
const arcs = (line: Line, words: readonly number[], height: number): string =>
  words
    .flatMap((to, at) => {
      const from = words[at - 1] ?? to;
      return from === to ? [] : arc(line, Math.min(from, to), Math.max(from, to), height);
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
  const over = upTo(ARC + 1).map((part): Point => {
    const turn = (Math.PI * part) / ARC;
    return [line.at((last * (1 - Math.cos(turn))) / 2), line.y - height * Math.sin(turn)];
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
  return { all: lines.map(polyline).join(""), way: pulses.map(polyline).join(""), pulses };
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
function lens(scene: Scene, id: "recurrent" | "near", line: Line, numbers: Numbers, draw: Draw): void {
  const { words, pitch } = LENS;
  const hop = LENS.height[id];
  const middle = line.at((line.count - 1) / 2);
  const half = (words * pitch) / 2;
  const y = line.y - 24;
  const first = Math.floor((line.count - words) / 2);
  const part: Line = {
    at: (word) => middle + (word - (words - 1) / 2) * pitch,
    count: words,
    y: y - 8,
    height: hop,
    hop,
  };
  const { all, way } = connections[id](part, numbers);
  const [top, left, right] = [part.y - hop - 10, middle - half - 4, middle + half + 4];
  const box: Point[] = [
    [left, y],
    [right, y],
    [right, top],
    [left, top],
    [left, y],
  ];
  draw("lens", "bracket", box);
  draw("lens-to", "bracket", [
    [left, y],
    [middle, line.y - 13],
    [right, y],
  ]);
  draw("lens-lines", id === "near" ? "mesh" : "line", box, { path: all || way });
  draw(
    "lens-words",
    "faint",
    upTo(words).map((word): Point => [part.at(word), part.y]),
    { dots: true },
  );
  [first + 1, first + words].forEach((number, end) =>
    scene.labels.push({
      x: end ? right + 6 : left - 6,
      y: y - 4,
      text: String(number),
      kind: "axis",
      anchor: end ? "start" : "end",
    }),
  );
}

type Draw = (what: string, kind: Curve["kind"], points: Point[], more?: Partial<Curve>) => void;

/** Draws the band of a row into a box. The name stands left of the box, or in it where `namesAbove`. */
export function band(
  scene: Scene,
  row: number,
  { numbers }: ConfigOf<"complexity">,
  words: Words,
  box: Box,
  namesAbove: boolean,
): void {
  const say = stringsIn(words);
  const id = layerIds[row]!;
  const role = roles[row]!;
  const count = numbers.length;
  const y = box.y + box.height - 14;
  const pitch = (box.width - 12) / (count - 1);
  const height = box.height - 14 - (namesAbove ? 26 : 14);
  const line: Line = { at: (word) => box.x + 6 + word * pitch, count, y, height };
  const draw: Draw = (what, kind, points, more) =>
    scene.curves.push({ id: `${id}-${what}`, points, role, kind, step: 0, ...more });

  const about = [
    say(`about.${id}`, { k: numbers.kernel, r: numbers.near }),
    ...(id === "attention" && everyOf(count) > 1 ? [say("about.every", { n: everyOf(count) })] : []),
  ];
  const name = say(`title.${id}`);
  if (namesAbove) {
    scene.labels.push({ x: box.x, y: box.y + 14, text: name, kind: "heading", role });
    const x = box.x + textWidth(name, 13.5) + 10;
    scene.labels.push({ x, y: box.y + 14, text: about[0]!, kind: "axis" });
  } else {
    const left = box.x - 146;
    const top = y - 14 * about.length;
    scene.labels.push({ x: left, y: top - 4, text: name, kind: "large", role });
    about.forEach((text, at) => scene.labels.push({ x: left, y: top + 12 + 14 * at, text, kind: "axis" }));
  }

  const { all, way, pulses } = connections[id](line, numbers);
  const extent: Point[] = [
    [box.x, box.y],
    [box.x + box.width, y],
  ];
  const ends: Point[] = [0, count - 1].map((word) => [line.at(word), y]);
  if (all) draw("all", "mesh", extent, { path: all });
  draw("way", "line", extent, { path: way, ...(id !== "recurrent" && { strong: true }) });
  draw("words", "line", pitch < CLOSE ? ends : upTo(count).map((word): Point => [line.at(word), y]), {
    role: "activation",
    ...(pitch >= CLOSE && { dots: true, kind: "faint" }),
  });
  draw("ends", "faint", ends, { role: "activation", dots: "open" });
  pulses.forEach((stations, at) =>
    draw(`pulse-${at}`, "faint", [stations.at(-1)!], {
      dots: "large",
      motion: stations.map((point, hop) => ({ point, time: timeOf(id === "attention" ? hop / ARC : hop) })),
    }),
  );
  if (!namesAbove && pitch < CLOSE && height > 60 && (id === "recurrent" || id === "near"))
    lens(scene, id, line, numbers, draw);
}
