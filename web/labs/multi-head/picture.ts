/** The stage of the multi-head lab: a column per head, so that the slice, the map and the result of a head stand in one line. */
import type { ConfigOf } from "../../config/config.js";
import { columnNames, textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { crossingScene } from "../../stage/crossing.js";
import { LEGEND, emptyScene, labelWidth, legend, place, type Block } from "../../stage/place.js";
import { legendText, openedIn, projectsKeys, sharpRows, stopPictures } from "./flow.js";
import { inside, insideHeight } from "./inside.js";
import { STRIP, caption, strip, symbolCaption, type Parts } from "./strips.js";
import { hasBiases, hasProjection } from "../../config/labs/multi-head.js";
import { itemOf, keyNames, rowNames } from "./tensors.js";

/** The note: at the right of few heads; else below, at the right of the rows inside the head in use. */
const NOTE = { width: 400, height: 210, beside: 340 };
/** So many heads leave a column at the right. */
const FEW = 4;
/** Between two columns. */
const GAP = 14;
/** Widest cell. */
const WIDEST = 44;
/** Sides of a map, at least. */
const SIDE = 92;
/** Cells of a map from which on its rows and columns are named; smaller ones hold no numbers. */
const NAMED = 17;
const MAP = 16;
/** The caption over the slices. */
const CAPTION = 26;
/** From the slice to the map, with the name of the head; and from the map to the output. */
const LINK = { slice: 34, name: 18, output: 20 };
/** The brace under a head's output. */
const BRACE = 14;
/** From one line of heads to the next. */
const APART = 10;
/** What the outputs of the heads are called; the output of the word with its caption. */
const JOINED = 16;
const OUTPUT = 30 + STRIP;
/** A line on what the numbers of all heads have in common, clear of the brackets over it. */
const INSIGHT = 25;

/** The frame all strips and maps share: eight columns in a line, four on tablets, two on phones, and how wide one is. */
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

/** Whether a part of the heads is shown: a phone shows that of its stop. */
const shows = ({ room, opened }: Parts, picture: keyof typeof stopPictures): boolean =>
  room.layout !== "narrow" || opened.picture === picture;

/** A head's map in the middle of its column; one of small cells is a square. */
function map(
  { scene, of, opened, item, config, keys }: Parts,
  head: number,
  [x, y, band, height]: readonly [number, number, number, number],
  names: readonly string[] | undefined,
  isFirst: boolean,
): void {
  // A painted mask is painted on the whole of its scores.
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

/** The columns of all heads, line by line: slice, map and output; answers the y below them. */
function headColumns(parts: Parts, grid: Grid, top: number, mapHeight: number): number {
  const { config, opened, item, words, scene, names, keys, of } = parts;
  const { left, perLine, band } = grid;
  const { heads } = config.numbers;
  const [split, attend, join] = (["split", "attend", "join"] as const).map((id) => shows(parts, id));
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
      const own = (node: string) => {
        const cell = band / of(node).columns;
        strip(parts, node, [item, head, opened.row, null], [x, at], cell, `${node}-${head}`);
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
      if (split) own("Q_heads");
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
        map(parts, head, [x, at, band, mapHeight], named, head === first);
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
        own("heads");
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

/** What the outputs of the heads are called. */
function joined(parts: Parts, { left, right }: Grid, y: number): number {
  if (!shows(parts, "join")) return y;
  const { words, of, word, config } = parts;
  const { rows, columns } = of("heads");
  const shape = `${config.numbers.heads}×${rows}×${columns} → ${rows}×${of(hasProjection(config.numbers) ? "concat" : "output").columns}`;
  caption(parts, "heads", [left, right], y + 12, words("labs.multi_head.joined", { word }), shape);
  return y + JOINED;
}

/** The output of the word over the whole width. */
function output(parts: Parts, y: number, [left, right]: readonly [number, number]): number {
  if (!shows(parts, "mix")) return y;
  const { words, of, word, opened, item, config } = parts;
  const { rows, columns, letters } = of("output");
  const shape = `${rows}×${columns} ${letters}`;
  const text = words(`labs.multi_head.output${hasProjection(config.numbers) ? "" : ".bare"}`, { word });
  symbolCaption(parts, "output", [left, right], y + 22, text, shape);
  const cell = Math.min(WIDEST, (right - left) / columns);
  strip(parts, "output", [item, opened.row, null], [left, y + OUTPUT - STRIP], cell, "output");
  return y + OUTPUT;
}

/** Legends of the families on the stage, side by side, or one under the other where that leaves too little room for their words. */
function legends({ scene, words }: Parts, y: number, [left, right]: readonly [number, number]): number {
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

/** Slices, maps, outputs and their join; and what a number of them is made from. */
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
  if (shows(parts, "split")) {
    const { columns } = of("Q_heads");
    const shape = `${length}×${of("Q").columns} → ${numbers.heads}×${length}×${columns}`;
    symbolCaption(parts, "Q_heads", [8, right], 14, words("labs.multi_head.cut", { word }), shape);
    top = CAPTION;
  }
  // On a phone the rows stand over the maps, near the cell that is read.
  const first = opened.picture === "attend";
  if (first) top = inside(parts, top, full) + 12;
  const sharp = narrow ? null : sharpRows(numbers, snapshots);
  // On the line of the joined outputs, where there is room.
  const said = sharp ? words("labs.multi_head.sharp", sharp) : "";
  const saidX = left + textWidth(words("labs.multi_head.joined", { word }), 12.5) + 32;
  const inLine = saidX + textWidth(said, 12.5) + 120 <= right;
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
  let y = headColumns(parts, grid, top, mapHeight);
  if (sharp) {
    const under = y + JOINED + (beside ? 0 : OUTPUT) + 19;
    const spot = inLine ? { x: saidX, y: y + 12 } : { x: left, y: under };
    scene.labels.push({ ...spot, text: said, kind: "caption", step: of("weights").step });
  }
  y = joined(parts, grid, y);
  if (beside) {
    const column: [number, number] = [right + 32, room.width - 8];
    scene.note = { x: column[0], y: 2, width: Math.min(480, column[1] - column[0]) };
    const end = inside(parts, output(parts, NOTE.height, column) + 14, column);
    scene.height = legends(parts, Math.max(y + insight, end) + 16, full) + 4;
    return scene;
  }
  y = output(parts, y, [left, right]) + insight;
  if (wide) {
    const noteX = Math.max(8, room.width - NOTE.width - 8);
    const space: [number, number] = [8, noteX - 24];
    const start = y + 14;
    scene.note = { x: noteX, y: start, width: NOTE.width };
    scene.height = Math.max(legends(parts, inside(parts, start, space) + 12, space), start + NOTE.height);
    return scene;
  }
  if (!first) y = inside(parts, y + 14, full);
  scene.height = legends(parts, y + 16, full) + 8;
  return scene;
}

/** Height of a line of the parameter counts. */
const COUNTS = 18;

/** How many parameters each matrix and bias has: as many numbers as the core returned of it. */
function parameterCounts({ config: { numbers }, words }: Parts, snapshots: Snapshots): string {
  const letters = ["Q", "K", "V", ...(hasProjection(numbers) ? ["O"] : [])];
  const nodes = ["W", ...(hasBiases(numbers) ? ["b"] : [])].flatMap((kind) =>
    letters.map((one) => `${kind}_${one}`),
  );
  const list = nodes.map((node) => `${node} ${snapshots.get(node)!.data.length}`).join(", ");
  return words("labs.multi_head.parameters", { list });
}

/**
 * Words from the left, the weights above what they make, for queries, keys and values; on a phone the target's alone. Keys and values of
 * other words have a picture of their own.
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

/** A text in lines of at most a width. */
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
  const made =
    opened.picture === "project" ? projectionScene(parts, snapshots) : headsScene(parts, snapshots);
  const stop = Object.keys(stopPictures).indexOf(opened.picture);
  return room.layout === "narrow" ? { ...made, stop: Math.max(0, stop) } : made;
}
