/** The stage of the multi-head lab: a column per head with its slice of the query, its map of weights and its output, one under the other. */
import type { ConfigOf } from "../../config/config.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { crossingScene } from "../../stage/crossing.js";
import { LEGEND, emptyScene, labelWidth, legend, place, type Block } from "../../stage/place.js";
import { legendText, openedIn, projectsKeys, sharpRows, stopPictures } from "./flow.js";
import { insideHeight, placeInside } from "./inside.js";
import { STRIP, addCaption, addSymbolCaption, placeStrip, type Parts } from "./strips.js";
import { hasBiases, hasProjection } from "../../config/labs/multi-head.js";
import { itemOf, keyNames, rowNames } from "./tensors.js";

/** The size of the note. Where `beside` is free at the right of the heads it stands there, else below them. */
const NOTE = { width: 400, height: 210, beside: 340 };
/** At most this many heads leave space for the note at their right. */
const FEW = 4;
/** The gap between two columns. */
const GAP = 14;
/** The greatest width of a cell. */
const WIDEST = 44;
/** The least side of a map. */
const SIDE = 92;
/** The least cell of a map whose rows and columns are named, and the least of one that is not drawn as a square. */
const NAMED = 17;
const MAP = 16;
/** The height of the caption over the slices. */
const CAPTION = 26;
/** The heights from the slice to the map, of the name of a head, and from the map to the output. */
const LINK = { slice: 34, name: 18, output: 20 };
/** The height of the brace under a head's output. */
const BRACE = 14;
/** The gap between two lines of heads. */
const APART = 10;
/** The heights of the caption under the outputs of the heads, and of the output of the word with its caption. */
const JOINED = 16;
const OUTPUT = 30 + STRIP;
/** The height of a line about the weights of all heads, with space for the brackets over it. */
const INSIGHT = 25;

/** The columns that all strips and maps share: at most eight in a line, four on tablets, two on phones, each `band` wide. */
function gridOf({ config, room, names, keys, of }: Parts) {
  const { heads } = config.numbers;
  const perLine = Math.min(heads, { wide: 8, two: 4, narrow: 2 }[room.layout]);
  const narrow = room.layout === "narrow";
  // Few heads share the width with the note and the joined rows.
  const aside = room.layout === "wide" && heads <= FEW ? NOTE.beside + 24 : 0;
  const named = Math.max(names.length, keys.length) <= (narrow ? 7 : 16) && perLine <= 4;
  const left = named ? labelWidth(names) : 8;
  const widest = WIDEST * Math.max(keys.length, of("Q_heads").columns, of("heads").columns);
  const most = narrow ? 176 : Math.min(330, widest);
  const band = Math.min(most, (room.width - aside - left - 8 - (perLine - 1) * GAP) / perLine);
  return { left, right: left + perLine * (band + GAP) - GAP, perLine, band };
}

type Grid = ReturnType<typeof gridOf>;

/** Whether a part of the heads is shown: a phone shows only the part of its stop. */
const isShown = ({ room, opened }: Parts, picture: keyof typeof stopPictures): boolean =>
  room.layout !== "narrow" || opened.picture === picture;

/** Places a head's map in the middle of its column; a map of small cells is a square. */
function placeMap(
  { scene, of, opened, item, config, keys }: Parts,
  head: number,
  [x, y, band, height]: readonly [number, number, number, number],
  names: readonly string[] | undefined,
  isFirst: boolean,
): void {
  // The reader paints a mask on the scores of the whole head.
  const painting = opened.alternative === "masked" && config.numbers.mask === "painted";
  const node = painting ? "masked" : opened.alternative === "dropped" ? "dropped" : "weights";
  const whole: Block = { ...of(node), at: [item, head, null, null] };
  const width = height / whole.rows < MAP ? Math.min(band, height) : band;
  const [across, down] = [width / whole.columns, height / whole.rows];
  const placing = {
    id: `map-${head}`,
    rowNames: isFirst ? names : undefined,
    columnNames: names && keys,
  };
  place(scene, whole, x + (band - width) / 2, y, across, down, placing);
}

/** Places the columns of all heads, line by line: slice, map and output. Returns the y below them. */
function placeHeads(parts: Parts, grid: Grid, top: number, mapHeight: number): number {
  const { config, opened, item, words, scene, names, keys, of } = parts;
  const { left, perLine, band } = grid;
  const { heads } = config.numbers;
  const [split, attend, join] = (["split", "attend", "join"] as const).map((id) => isShown(parts, id));
  const cell = band / keys.length;
  const named = Math.min(cell, mapHeight / names.length) >= NAMED && left > 8 ? names : undefined;
  const above = named ? columnNames(keys, cell).height : 0;
  let y = top;
  for (let first = 0; first < heads; first += perLine) {
    let at = y;
    for (let head = first; head < Math.min(first + perLine, heads); head += 1) {
      at = y;
      const x = left + (head - first) * (band + GAP);
      const middle = x + band / 2;
      const on = head === opened.head;
      const placeNext = (node: string) => {
        const cell = band / of(node).columns;
        placeStrip(parts, node, [item, head, opened.row, null], [x, at], cell, `${node}-${head}`);
        at += STRIP;
      };
      const role = on ? "attention" : undefined;
      const link = { role: role ?? "activation", kind: on ? "line" : "faint" } as const;
      const down = (...ys: number[]) => ys.map((y): [number, number] => [middle, y]);
      const name = (y: number) =>
        scene.labels.push({ x, y, text: words("labs.head", { n: head }), kind: "heading", role });
      if (!attend && (split || join)) {
        name(at + 12);
        at += LINK.name;
      }
      if (split) placeNext("Q_heads");
      if (attend) {
        const gap = split ? LINK.slice : LINK.name + 4;
        if (split)
          scene.curves.push({
            id: `split-${head}`,
            points: down(at + 5, at + LINK.slice - 21),
            ...link,
            step: 1,
          });
        name(at + gap - 8);
        at += gap + above;
        placeMap(parts, head, [x, at, band, mapHeight], named, head === first);
        at += mapHeight;
        if (join) {
          scene.curves.push({
            id: `mix-${head}`,
            points: down(at + 5, at + LINK.output - 5),
            ...link,
            step: 2,
          });
          at += LINK.output;
        }
      }
      if (join) {
        placeNext("heads");
        // The next head's output follows it in the joined row.
        const brace = [0, 3, 3, 6, 3, 3, 0].map((down) => at + 7 + down);
        const corners = [x + 2, x + 2, middle, middle, middle, x + band - 2, x + band - 2];
        scene.curves.push({
          id: `joined-${head}`,
          points: corners.map((x, corner) => [x, brace[corner]!]),
          role: "value",
          kind: "bracket",
          step: 2,
        });
        at += BRACE;
      }
    }
    y = at + APART;
  }
  return y - APART;
}

/** Places the caption under the outputs of the heads. Returns the y below it. */
function placeJoinedCaption(parts: Parts, { left, right }: Grid, y: number): number {
  if (!isShown(parts, "join")) return y;
  const { words, of, word, config } = parts;
  const { rows, columns } = of("heads");
  const shape = `${config.numbers.heads}×${rows}×${columns} → ${rows}×${of(hasProjection(config.numbers) ? "concat" : "output").columns}`;
  addCaption(parts, "heads", [left, right], y + 12, words("labs.multi_head.joined", { word }), shape);
  return y + JOINED;
}

/** Places the output of the word with its caption. Returns the y below them. */
function placeOutput(parts: Parts, y: number, [left, right]: readonly [number, number]): number {
  if (!isShown(parts, "mix")) return y;
  const { words, of, word, opened, item, config } = parts;
  const { rows, columns, letters } = of("output");
  const shape = `${rows}×${columns} ${letters}`;
  const text = words(`labs.multi_head.output${hasProjection(config.numbers) ? "" : ".bare"}`, { word });
  addSymbolCaption(parts, "output", [left, right], y + 22, text, shape);
  const cell = Math.min(WIDEST, (right - left) / columns);
  placeStrip(parts, "output", [item, opened.row, null], [left, y + OUTPUT - STRIP], cell, "output");
  return y + OUTPUT;
}

/** Places the colour scales side by side, on several lines where their texts need it. Returns the y below them. */
function placeLegends({ scene, words }: Parts, y: number, [left, right]: readonly [number, number]): number {
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

/** The scene of the heads: slices, maps, outputs and their concatenation, and the rows that the target is computed from. */
function headsScene(parts: Parts, snapshots: Snapshots): Scene {
  const { scene, room, opened, words, word, config, names, keys, of } = parts;
  const { numbers } = config;
  const { length } = names;
  const grid = gridOf(parts);
  const { left, right, band, perLine } = grid;
  const wide = room.layout === "wide";
  const narrow = room.layout === "narrow";
  const beside = !narrow && room.width - right >= NOTE.beside + 32;
  const full: [number, number] = [8, room.width - 8];
  let top = 2;
  if (isShown(parts, "split")) {
    const { columns } = of("Q_heads");
    const shape = `${length}×${of("Q").columns} → ${numbers.heads}×${length}×${columns}`;
    addSymbolCaption(parts, "Q_heads", [8, right], 14, words("labs.multi_head.cut", { word }), shape);
    top = CAPTION;
  }
  // On a phone the rows stand over the maps, near the cell that is read.
  const isInsideFirst = opened.picture === "attend";
  if (isInsideFirst) top = placeInside(parts, top, full) + 12;
  const sharp = narrow ? null : sharpRows(numbers, snapshots);
  // The insight stands on the line of the joined outputs where there is room for it.
  const insightText = sharp ? words("labs.multi_head.sharp", sharp) : "";
  const insightX = left + textWidth(words("labs.multi_head.joined", { word }), 12.5) + 32;
  const inLine = insightX + textWidth(insightText, 12.5) + 120 <= right;
  const insight = sharp && !inLine ? INSIGHT : 0;
  const lineCount = Math.ceil(numbers.heads / perLine);
  const naming = left > 8 && band / keys.length >= NAMED ? columnNames(keys, band / keys.length).height : 0;
  const line = STRIP + LINK.slice + naming + LINK.output + STRIP + BRACE + APART;
  const below = beside
    ? JOINED + 2 * LEGEND + 16
    : JOINED + OUTPUT + 14 + Math.max(NOTE.height, insideHeight(parts) + 3 * LEGEND);
  const most = Math.min(band, length * 40);
  const free = (room.height - top - lineCount * line - insight - below) / lineCount;
  const mapHeight = wide ? Math.max(Math.min(SIDE, most), Math.min(most, free)) : Math.min(most, 260);
  let y = placeHeads(parts, grid, top, mapHeight);
  if (sharp) {
    const under = y + JOINED + (beside ? 0 : OUTPUT) + 19;
    const spot = inLine ? { x: insightX, y: y + 12 } : { x: left, y: under };
    scene.labels.push({ ...spot, text: insightText, kind: "caption", step: of("weights").step });
  }
  y = placeJoinedCaption(parts, grid, y);
  if (beside) {
    const column: [number, number] = [right + 32, room.width - 8];
    scene.note = { x: column[0], y: 2, width: Math.min(480, column[1] - column[0]) };
    const end = placeInside(parts, placeOutput(parts, NOTE.height, column) + 14, column);
    scene.height = placeLegends(parts, Math.max(y + insight, end) + 16, full) + 4;
    return scene;
  }
  y = placeOutput(parts, y, [left, right]) + insight;
  if (wide) {
    const noteX = Math.max(8, room.width - NOTE.width - 8);
    const space: [number, number] = [8, noteX - 24];
    const start = y + 14;
    scene.note = { x: noteX, y: start, width: NOTE.width };
    scene.height = Math.max(
      placeLegends(parts, placeInside(parts, start, space) + 12, space),
      start + NOTE.height,
    );
    return scene;
  }
  if (!isInsideFirst) y = placeInside(parts, y + 14, full);
  scene.height = placeLegends(parts, y + 16, full) + 8;
  return scene;
}

/** The height of a line of the parameter counts. */
const COUNTS = 18;

/** The number of parameters of each matrix and bias, as a text: the count of numbers that the core returned. */
function parameterCounts({ config: { numbers }, words }: Parts, snapshots: Snapshots): string {
  const letters = ["Q", "K", "V", ...(hasProjection(numbers) ? ["O"] : [])];
  const nodes = ["W", ...(hasBiases(numbers) ? ["b"] : [])].flatMap((kind) =>
    letters.map((one) => `${kind}_${one}`),
  );
  const list = nodes.map((node) => `${node} ${snapshots.get(node)!.data.length}`).join(", ");
  return words("labs.multi_head.parameters", { list });
}

/**
 * The scene of the projections: the words on the left, the weights above the queries, keys and values; a phone shows one of these three.
 * Keys and values of other words have a scene of their own.
 */
function projectionScene(parts: Parts, snapshots: Snapshots): Scene {
  const { config, room, of, opened, names, keys, words } = parts;
  const { numbers } = config;
  const { alternative } = opened;
  const narrow = room.layout === "narrow";
  const ofOthers = numbers.memory !== undefined && projectsKeys(opened);
  const own = alternative === "K" || alternative === "V" ? alternative : ofOthers ? "K" : "Q";
  const all = numbers.memory === undefined ? ["Q", "K", "V"] : ofOthers ? ["K", "V"] : ["Q"];
  const [first, ...others] = narrow ? [own] : all;
  const weights = (letter: string): Block => of(`W_${letter}`);
  const left = ofOthers ? "M" : "x";
  const lines = wrapped(parameterCounts(parts, snapshots), room.width - 16);
  const scene = crossingScene(
    { ...room, height: room.height - lines.length * COUNTS },
    {
      left: of(alternative === `${left}_batch` ? alternative : left),
      above: weights(first!),
      result: of(first!),
      then: others.map(of),
      aboveThen: others.map(weights),
      ...(hasBiases(numbers) && { biases: [first!, ...others].map((letter) => of(`b_${letter}`)) }),
      rowNames: ofOthers ? keys : names,
      legendOf: (family) => legendText(family, words),
    },
  );
  const { step } = weights(first!);
  for (const text of lines) {
    scene.labels.push({ x: 8, y: scene.height + 10, text, kind: "caption", step });
    scene.height += COUNTS;
  }
  return scene;
}

/** A text cut into lines of at most this width. */
function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) !== "" && textWidth(longer, 12.5) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

export function picture(
  config: ConfigOf<"multi-head">,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene {
  const opened = openedIn(room);
  const { words } = room;
  const names = rowNames(config.numbers, words);
  const keys = keyNames(config.numbers, words);
  const scene = emptyScene(room.width);
  const word = names[opened.row] ?? "";
  const parts: Parts = { config, room, words, of, opened, item: itemOf(config), names, keys, word, scene };
  const drawn =
    opened.picture === "project" ? projectionScene(parts, snapshots) : headsScene(parts, snapshots);
  const stop = Object.keys(stopPictures).indexOf(opened.picture);
  return room.layout === "narrow" ? { ...drawn, stop: Math.max(0, stop) } : drawn;
}
