/** The stage of the multi-head lab: a column per head, so that the slice, the map and the result of a head stand in one line. */
import type { ConfigOf } from "../config/config.js";
import { rowCount } from "../config/leaves.js";
import { textWidth } from "../marks/measure.js";
import type { Room, Scene, Snapshots } from "../marks/scene.js";
import { arrangementOf, remembered } from "./arrangement.js";
import {
  block,
  focusOf,
  legendText,
  logits,
  rowNames,
  STEPS,
  type MultiHeadNode,
} from "./multi-head-blocks.js";
import { headColumns, heightAround } from "./multi-head-columns.js";
import { projectionScene } from "./multi-head-projection.js";
import {
  BETWEEN,
  STRIP,
  caption,
  gridOf,
  label,
  rightOf,
  strip,
  type Grid,
  type Lines,
  type Parts,
} from "./multi-head-stage.js";
import { stepNodes, tellingKey } from "./multi-head-words.js";
import { LEGEND, emptyScene, legend, thumbnails, type Block } from "./place.js";

/** The note stands below at the right where the maps stay this large above it, else beside the heads. */
const NOTE = { width: 400, below: 216, beside: 340, map: 110 };
/** So many heads leave a column at the right. */
const FEW = 4;
/** Joined rows and output under the heads. */
const JOINED = 24 + 2 * (STRIP + BETWEEN) + 30 + STRIP + 6;

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
    split: ["Q_heads", "K_heads", "V_heads", "K_T"],
    attend: ["scores", "scaled", "masked", "weights", "V_heads"],
    join: ["heads"],
    mix: ["concat", "W_O", "output"],
  };
  return steps[id];
}

function linesOf(room: Room, id: string): Lines {
  if (room.layout !== "narrow") return { split: true, attend: true, join: true, project: true };
  return { split: id === "split", attend: id === "attend", join: id === "join", project: id === "mix" };
}

/** Joined rows, a column of W_O under them in register, and the output of the word, over the whole width. */
function joined(parts: Parts, lines: Lines, top: number, [left, right]: readonly [number, number]): number {
  const { scene, config, room, focus, item } = parts;
  const { heads, valueDim, dim } = config.numbers;
  const length = rowCount(config.numbers);
  const word = rowNames(config.numbers, room.words)[focus.row] ?? "";
  const columns = heads * valueDim;
  const width = right - left;
  let y = top;
  if (lines.join || lines.project) {
    const shape = `${heads}×${length}×${valueDim} → ${length}×${columns}`;
    const text = room.words("labs.multi_head.joined", { word });
    label(scene, left, y + 12, text, "caption");
    if (left + textWidth(text, 12.5) + 16 + textWidth(shape, 12) <= right)
      label(scene, right, y + 12, shape, "shape", { anchor: "end" });
    y += 24;
  }
  if (!lines.project) return y;
  const cell = Math.min(40, width / columns);
  const outColumn = focus.node === "output" || focus.node === "W_O" ? focus.column : 0;
  strip(parts, "concat", [item, focus.row, null], [left, y], [cell, STRIP], "concat");
  strip(parts, "W_O", [null, outColumn], [left, y + STRIP + BETWEEN], [cell, STRIP], "W_O-column");
  y += 2 * (STRIP + BETWEEN);
  caption(parts, "output", y + 18, room.words("labs.multi_head.output", { word }), `${length}×${dim} S×D`, [
    left,
    right,
  ]);
  y += 30;
  strip(parts, "output", [item, focus.row, null], [left, y], [Math.min(40, width / dim), STRIP], "output");
  return y + STRIP + 6;
}

/** Legends of the families on the stage, side by side, or one under the other on narrow screens. */
function legends(parts: Parts, y: number, width: number): number {
  const { scene, room } = parts;
  const families = [...new Map(scene.tensors.map((tensor) => [tensor.family, tensor.fill])).entries()];
  const perLine = Math.max(1, Math.min(families.length, Math.floor(width / 290)));
  const each = Math.floor(width / perLine);
  families.forEach(([family, fill], index) => {
    const x = 8 + (index % perLine) * each;
    legend(
      scene,
      family,
      fill,
      x,
      y + Math.floor(index / perLine) * LEGEND,
      each - 16,
      legendText(family, room.words),
    );
  });
  return y + Math.ceil(families.length / perLine) * LEGEND;
}

/** How large the maps may be under a grid, when `below` stands under the heads. */
function mapRoom(parts: Parts, grid: Grid, below: number): number {
  const { room, config } = parts;
  const lines = Math.ceil(grid.heads / grid.perLine);
  const around = 34 + lines * heightAround(parts, grid.left > 8) + below;
  return Math.min(grid.band, rowCount(config.numbers) * 40, (room.height - around) / lines);
}

/** Slices, maps, outputs and their join. */
function headsScene(parts: Parts, lines: Lines): Scene {
  const { scene, room, focus, key, config } = parts;
  const { numbers } = config;
  const names = rowNames(numbers, room.words);
  const length = rowCount(numbers);
  const wide = room.layout === "wide";
  // Few heads leave a column at the right for the note and the joined rows; many leave it where the maps would be small without.
  const few = wide && room.width - rightOf(parts.grid) >= NOTE.beside + 32;
  const small = mapRoom(parts, parts.grid, JOINED + NOTE.below) < Math.min(NOTE.map, length * 40);
  if (wide && !few && small) parts.grid = gridOf(numbers.heads, names, room, room.width - NOTE.beside - 24);
  const beside = few || (wide && small);
  const right = rightOf(parts.grid);
  let top = 8;
  if (lines.split) {
    const total = numbers.heads * numbers.keyDim;
    const shape = `${length}×${total} → ${numbers.heads}×${length}×${numbers.keyDim}`;
    const text = room.words("labs.multi_head.cut", { word: names[focus.row] ?? "", key: names[key] ?? "" });
    caption(parts, "Q_heads", 20, text, shape, [8, right]);
    top = 34;
  }
  const below = (few ? 0 : JOINED) + (beside ? 2 * LEGEND + 20 : NOTE.below + 10);
  const mapSize = wide
    ? Math.max(Math.min(72, length * 40, parts.grid.band), mapRoom(parts, parts.grid, below))
    : Math.min(parts.grid.band, length * 40, 260);
  let y = headColumns(parts, lines, top, mapSize);
  const x = right + 32;
  if (few) y = Math.max(y, joined(parts, lines, 8 + NOTE.below, [x, room.width - 8]));
  else y = joined(parts, lines, y, [parts.grid.left, right]);
  if (beside) {
    scene.note = { x, y: 8, width: Math.min(480, room.width - x - 8) };
    scene.height = Math.max(legends(parts, y + 12, room.width - 16) + 4, 8 + NOTE.below);
  } else if (wide) {
    const under = Math.max(8, room.width - NOTE.width - 8);
    scene.note = { x: under, y: y + 10, width: NOTE.width };
    scene.height = Math.max(legends(parts, y + 16, under - 24), y + 10 + NOTE.below);
  } else scene.height = legends(parts, y + 16, room.width - 16) + 8;
  return scene;
}

export function multiHeadScene(config: ConfigOf<"multi-head">, _snapshots: Snapshots, room: Room): Scene {
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
            grid: gridOf(numbers.heads, rowNames(numbers, room.words), room, room.width - aside),
          },
          linesOf(room, id),
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
