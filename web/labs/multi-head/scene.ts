/** The stage of the multi-head lab: a column per head, so that the slice, the map and the result of a head stand in one line. */
import type { ConfigOf } from "../../config/config.js";
import { rowCount } from "../../config/labs/multi-head.js";
import { textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { arrangementOf, remembered } from "../../stage/arrangement.js";
import { block, focusOf, legendText, logits, rowNames, STEPS, type MultiHeadNode } from "./blocks.js";
import { headColumns, heightAround } from "./columns.js";
import { projectionScene } from "./projection.js";
import { inside, insideHeight } from "./inside.js";
import { STRIP, caption, gridOf, label, rightOf, strip, type Lines, type Parts } from "./parts.js";
import { sharpRows, stepNodes, tellingKey } from "./words.js";
import { LEGEND, emptyScene, legend, thumbnails, type Block } from "../../stage/place.js";

/** The note: at the right of few heads; else below, at the right of the rows inside the head in use. */
const NOTE = { width: 400, height: 210, beside: 340 };
/** So many heads leave a column at the right. */
const FEW = 4;
/** Sides of a map, at least. */
const SIDE = 92;
/** The caption over the slices. */
const CAPTION = 26;
/** From the outputs of the heads to the output of the word: two captions and the strip. */
const JOINED = 16 + 22 + 8 + STRIP;
/** A line on what the numbers of all heads have in common, clear of the brackets over it. */
const INSIGHT = 25;

const WORDS_AND_PROJECTIONS = ["x", "x_batch", "W_Q", "W_K", "W_V", "Q", "K", "V"];
const HEADS = [
  "Q_heads",
  "K_heads",
  "V_heads",
  "K_T",
  "scores",
  "scaled",
  "masked",
  "weights",
  "heads",
  "concat",
  "W_O",
  "output",
];

/** What each arrangement holds: the heads with all that is made of them, or the projections; on phones a step. */
function holds(room: Room, id: string): readonly string[] | undefined {
  if (id === "project") return WORDS_AND_PROJECTIONS;
  if (room.layout !== "narrow") return id === "heads" ? HEADS : undefined;
  const steps: Record<string, string[]> = {
    split: ["Q_heads", "K_heads", "K_T"],
    attend: ["Q_heads", "K_heads", "K_T", "scores", "scaled", "masked", "weights", "V_heads"],
    join: ["heads", "weights", "V_heads"],
    mix: ["concat", "W_O", "output"],
  };
  return steps[id];
}

function linesOf(room: Room, id: string): Lines {
  if (room.layout !== "narrow") return { split: true, attend: true, join: true, project: true };
  return { split: id === "split", attend: id === "attend", join: id === "join", project: id === "mix" };
}

/** What the outputs of the heads are called, and the output of the word over the whole width. */
function joined(parts: Parts, lines: Lines, top: number, [left, right]: readonly [number, number]): number {
  const { scene, config, room, focus, item } = parts;
  const { heads, valueDim, dim } = config.numbers;
  const length = rowCount(config.numbers);
  const word = rowNames(config.numbers, room.words)[focus.row] ?? "";
  let y = top;
  if (lines.join) {
    const shape = `${heads}×${length}×${valueDim} → ${length}×${heads * valueDim}`;
    const text = room.words("labs.multi_head.joined", { word });
    const { step } = block(config, "heads", room.words);
    label(scene, left, y + 12, text, "caption", { step });
    if (left + textWidth(text, 12.5) + 16 + textWidth(shape, 12) <= right)
      label(scene, right, y + 12, shape, "shape", { anchor: "end", step });
    y += 16;
  }
  return lines.project ? outputRow(parts, y, [left, right], `${length}×${dim} S×D`, word, item) : y;
}

function outputRow(
  parts: Parts,
  top: number,
  [left, right]: readonly [number, number],
  shape: string,
  word: string,
  item: number,
): number {
  const { config, room, focus } = parts;
  const y = top + 22;
  caption(parts, "output", y, room.words("labs.multi_head.output", { word }), shape, [left, right]);
  const cell = Math.min(44, (right - left) / config.numbers.dim);
  strip(parts, "output", [item, focus.row, null], [left, y + 8], [cell, STRIP], "output");
  return y + 8 + STRIP;
}

/** Legends of the families on the stage, side by side, or one under the other where that leaves too little room for their words. */
function legends(parts: Parts, y: number, [left, right]: readonly [number, number]): number {
  const { scene, room } = parts;
  const width = right - left;
  const families = [...new Map(scene.tensors.map((tensor) => [tensor.family, tensor.fill])).entries()];
  const perLine = Math.max(1, Math.min(families.length, Math.floor(width / 264)));
  const each = Math.floor(width / perLine);
  families.forEach(([family, fill], index) => {
    const [x, line] = [left + (index % perLine) * each, Math.floor(index / perLine)];
    legend(scene, family, fill, x, y + line * LEGEND, each - 6, legendText(family, room.words));
  });
  return y + Math.ceil(families.length / perLine) * LEGEND;
}

/** Slices, maps, outputs and their join; and what a number of them is made from. */
function headsScene(parts: Parts, lines: Lines, snapshots: Snapshots, id: string): Scene {
  const { scene, room, focus, config } = parts;
  const { numbers } = config;
  const names = rowNames(numbers, room.words);
  const length = rowCount(numbers);
  const narrow = room.layout === "narrow";
  const { grid } = parts;
  const right = rightOf(grid);
  const beside = !narrow && room.width - right >= NOTE.beside + 32;
  let top = 2;
  if (lines.split) {
    const total = numbers.heads * numbers.keyDim;
    const shape = `${length}×${total} → ${numbers.heads}×${length}×${numbers.keyDim}`;
    const text = room.words("labs.multi_head.cut", { word: names[focus.row] ?? "" });
    caption(parts, "Q_heads", 14, text, shape, [8, right]);
    top = CAPTION;
  }
  // On a phone the rows stand over the maps, near the cell that is read.
  if (id === "attend") top = inside(parts, id, top, [8, room.width - 8]) + 12;
  const sharp = narrow ? null : sharpRows(numbers, snapshots);
  // On the line of the joined outputs, where there is room.
  const joining = room.words("labs.multi_head.joined", { word: names[focus.row] ?? "" });
  const told = sharp ? room.words("labs.multi_head.sharp", { ...sharp }) : "";
  const toldX = grid.left + textWidth(joining, 12.5) + 32;
  const inLine = toldX + textWidth(told, 12.5) + 120 <= right;
  const insight = sharp && !inLine ? INSIGHT : 0;
  const cellWidth = grid.band / length;
  const lineCount = Math.ceil(grid.heads / grid.perLine);
  const around = top + lineCount * heightAround(parts, cellWidth);
  const below = beside
    ? JOINED - 22 - 8 - STRIP + insight + 2 * LEGEND + 16
    : JOINED + insight + 14 + Math.max(NOTE.height, insideHeight(parts) + 3 * LEGEND);
  const most = Math.min(grid.band, length * 40);
  const mapHeight =
    room.layout === "wide"
      ? Math.max(Math.min(SIDE, most), Math.min(most, (room.height - around - below) / lineCount))
      : Math.min(most, 260);
  let y = headColumns(parts, lines, top, mapHeight);
  const { step: toldAt } = block(config, "weights", room.words);
  const tell = (x: number) => {
    if (!sharp || inLine) return;
    label(scene, x, y + 19, told, "caption", { step: toldAt });
    y += INSIGHT;
  };
  if (beside) {
    if (sharp && inLine) label(scene, toldX, y + 12, told, "caption", { step: toldAt });
    y = joined(parts, { ...lines, project: false }, y, [grid.left, right]);
    tell(grid.left);
    const column: [number, number] = [right + 32, room.width - 8];
    scene.note = { x: column[0], y: 2, width: Math.min(480, column[1] - column[0]) };
    const end = inside(parts, id, joined(parts, { ...lines, join: false }, NOTE.height, column) + 14, column);
    scene.height = legends(parts, Math.max(y, end) + 16, [8, room.width - 8]) + 4;
    return scene;
  }
  if (sharp && inLine) label(scene, toldX, y + 12, told, "caption", { step: toldAt });
  y = joined(parts, lines, y, [grid.left, right]);
  tell(grid.left);
  if (room.layout === "wide") {
    const noteX = Math.max(8, room.width - NOTE.width - 8);
    const left: [number, number] = [8, noteX - 24];
    const start = y + 14;
    scene.note = { x: noteX, y: start, width: NOTE.width };
    y = legends(parts, inside(parts, id, start, left) + 12, left);
    scene.height = Math.max(y, start + NOTE.height);
    return scene;
  }
  const full: [number, number] = [8, room.width - 8];
  if (id !== "attend") y = inside(parts, id, y + 14, full);
  scene.height = legends(parts, y + 16, full) + 8;
  return scene;
}

export function multiHeadScene(config: ConfigOf<"multi-head">, snapshots: Snapshots, room: Room): Scene {
  const { numbers, view } = config;
  const node = room.cell?.node ?? "weights";
  const projecting = WORDS_AND_PROJECTIONS.includes(node);
  const step = Math.max(0, Math.min(room.step, STEPS.length - 1));
  const stop = { split: "split", attend: "attend", join: "join", project: "mix" }[STEPS[step]!];
  const wanted = projecting ? "project" : room.layout === "narrow" ? stop : "heads";
  const { id, memory } = arrangementOf(room, wanted, (asked) => holds(room, asked));
  const last = rowCount(numbers) - 1;
  const focus = focusOf(numbers, room.cell);
  focus.row = Math.min(last, focus.named ? focus.row : (memory[0] ?? focus.row));
  const key = Math.min(last, focus.key ?? memory[1] ?? tellingKey(numbers));
  const scene = emptyScene(room.width);
  // Few heads share the width with the note and the joined rows.
  const aside = room.layout === "wide" && numbers.heads <= FEW ? NOTE.beside + 24 : 0;
  const item = numbers.source === "words" ? 0 : view.item;
  const made =
    id === "project"
      ? projectionScene(config, room, item)
      : headsScene(
          {
            config,
            room,
            focus,
            key,
            item,
            scene,
            grid: gridOf(numbers, rowNames(numbers, room.words), room, room.width - aside),
          },
          linesOf(room, id),
          snapshots,
          id,
        );
  made.arrangement = remembered(id, [focus.row, key]);
  if (room.layout === "narrow") made.stop = Math.max(0, ["split", "attend", "join", "mix"].indexOf(id));
  return made;
}

export function multiHeadStrip(config: ConfigOf<"multi-head">, _snapshots: Snapshots, room: Room): Scene {
  const { numbers, view } = config;
  const focus = focusOf(numbers, room.cell);
  const item = numbers.source === "words" ? 0 : view.item;
  const perHead = new Set<string>(["Q_heads", "scores", "scaled", "masked", "weights", "heads"]);
  const order: MultiHeadNode[] = [
    "Q_heads",
    ...(logits(numbers) as MultiHeadNode[]),
    "weights",
    "heads",
    "concat",
    "output",
  ];
  const blocks = order.map((node): Block => {
    const whole = block(config, node, room.words);
    return { ...whole, at: perHead.has(node) ? [item, focus.head, null, null] : [item, null, null] };
  });
  return thumbnails(blocks, stepNodes(numbers, room.step), room.width);
}
