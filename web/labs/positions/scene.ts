/** The stage of the positions lab: a map whose margins are its own profiles, in register with its rows and columns. */
import type { ConfigOf } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import type { PlacedTensor, Room, Scene, Snapshots } from "../../marks/scene.js";
import { arrangementOf, remembered } from "../../stage/arrangement.js";
import { crossingScene } from "../../stage/crossing.js";
import { LEGEND, emptyScene, legend, place, thumbnails } from "../../stage/place.js";
import { biasScene } from "./bias.js";
import { block, nodesOf, positionNames, stepIds, type PositionsNode } from "./blocks.js";
import { WAVE, alikeness, columnAxis, columnWaves, frames, profile, rowAxis, target } from "./profiles.js";
import { pairScene } from "./pair.js";

const LEFT = 46;
const TOP = 26;
const NOTE_HEIGHT = 185;
/** From one matrix to the next, where they stand one under the other: the axis, and the name of the next. */
const STACKED = 54;
/** Room for the text under the profile of a row, and for a legend on its line. */
const PROFILE_TEXT = 330;
const LEGEND_WIDTH = 240;
const LEGEND_ALONE = 380;

/** The encoding as a map, its row below, its columns at the right; with word vectors, what is added and the sum beside it. */
function map(config: ConfigOf<"positions">, snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const { words } = room;
  const scene = emptyScene(room.width);
  const { node, row, column } = target(config, room);
  const rows = positionCount(numbers);
  const names = positionNames(numbers);
  const wide = room.layout !== "narrow";
  const parts: PositionsNode[] = numbers.x ? ["X", "PE", "input"] : ["PE"];
  const waves = room.layout === "wide" ? 4 : room.layout === "two" ? 2 : 0;
  const alike = numbers.x ? undefined : snapshots.get("similarity");
  const wavesWidth = waves === 0 ? 0 : waves * (2 * WAVE + 26) + 40;
  // One vector for every position is one row: the rows beside it are named again.
  const single = numbers.x !== null && numbers.x.length !== rows;
  const gap = 56;
  // A phone sets what is added one under the other, so that their numbers stay readable.
  const stacked = !wide && parts.length > 1;
  const abreast = stacked ? 1 : parts.length;
  const space = room.width - LEFT - 34 - wavesWidth - gap * (abreast - 1);
  const cellWidth = Math.min(56, space / (abreast * numbers.dim));
  const below = wide ? 34 + NOTE_HEIGHT + 8 : 20 + 132 + LEGEND + 8;
  const cellHeight = Math.min(
    42,
    Math.max(2, ((wide ? Math.max(room.height, 420) : 480) - TOP - below) / (rows * (stacked ? 2 : 1))),
  );
  const shown = node === "input" || node === "X" ? (node as PositionsNode) : "PE";
  let x = LEFT;
  let top = TOP;
  let framed: PlacedTensor | null = null;
  for (const part of parts) {
    const tensor = place(scene, block(config, part, words), x, top, cellWidth, cellHeight);
    if (single && part === "X") rowAxis(scene, tensor, [words("labs.positions.all")]);
    else if (part === (single ? "PE" : parts[0])) rowAxis(scene, tensor, names);
    columnAxis(scene, tensor, single && part === "X" ? 1 : rows, numbers.dim);
    const end = x + numbers.dim * cellWidth;
    const name = parts.length > 1 ? block(config, part, words).name : words("labs.positions.axes");
    scene.labels.push({
      x,
      y: top - 10,
      text: name,
      kind: parts.length > 1 ? "caption" : "axis",
      step: tensor.step,
    });
    if (parts.length === 1)
      scene.labels.push({
        x: end,
        y: TOP - 10,
        text: `${rows}×${numbers.dim} S×D`,
        kind: "shape",
        anchor: "end",
      });
    const partRows = single && part === "X" ? 1 : rows;
    if (part !== parts.at(-1)) {
      const text = part === "X" ? "+" : "=";
      scene.labels.push({
        x: stacked ? x + 110 : end + (single && part === "X" ? 18 : gap / 2),
        y: stacked ? top + partRows * cellHeight + STACKED - 10 : top + (rows * cellHeight) / 2 + 5,
        text,
        kind: "heading",
        anchor: "middle",
        // It leads to the next.
        step: part === "X" ? block(config, "PE", words).step : block(config, "input", words).step,
      });
    }
    if (part === shown) framed = tensor;
    if (!stacked) x = end + gap;
    else if (part !== parts.at(-1)) top += partRows * cellHeight + STACKED;
  }
  const right = stacked ? x + numbers.dim * cellWidth : x - gap;
  const tensor = framed ?? scene.tensors[0]!;
  const snapshot = snapshots.get(tensor.node);
  const drawable =
    snapshot && snapshot.shape.length === 2 && snapshot.shape[1] === numbers.dim && row < snapshot.shape[0]!
      ? snapshot
      : null;
  frames(scene, tensor, tensor.node === "X" ? numbers.x!.length : rows, numbers.dim, row, column);
  const bottom = top + rows * cellHeight;
  let y = bottom + 150;
  if (drawable) {
    y = profile(
      scene,
      stacked ? { ...tensor, y: bottom - drawable.shape[0]! * cellHeight } : tensor,
      drawable,
      row,
      names[row]!,
      numbers.encoding === "sinusoidal" && shown === "PE",
      room,
    );
    if (waves > 0) {
      // The last place is that of the similarity of the row to each.
      columnWaves(scene, tensor, drawable, column, right + 34, waves - (alike ? 1 : 0), room);
      if (alike?.shape[0] === rows && row < rows)
        alikeness(scene, tensor, alike, row, names[row]!, right + 34 + (waves - 1) * (2 * WAVE + 26), room);
      scene.labels.push({
        x: right + 34,
        y: bottom + 20,
        text: words(
          numbers.encoding === "sinusoidal" && shown === "PE"
            ? "labs.positions.column.wave"
            : "labs.positions.column",
        ),
        kind: "axis",
        step: tensor.step,
      });
    }
  }
  const scale = words(parts.length > 1 ? "labs.legend.encoding" : "labs.legend.encoding.alone");
  if (wide) {
    const width = room.width - right - 42;
    const noted = width >= 260;
    if (noted) scene.note = { x: right + 34, y: bottom + 34, width: Math.min(width, 480) };
    const same = right - tensor.x >= PROFILE_TEXT + LEGEND_WIDTH;
    legend(
      scene,
      "encoding",
      block(config, "PE", words).fill,
      same ? right - LEGEND_WIDTH : LEFT,
      same ? y - 20 : y,
      same ? LEGEND_WIDTH : LEGEND_ALONE,
      scale,
    );
    scene.height = Math.max(y + (same ? 10 : LEGEND + 6), noted ? bottom + 34 + NOTE_HEIGHT : 0);
  } else {
    legend(scene, "encoding", block(config, "PE", words).fill, LEFT, y, room.width - LEFT - 12, scale);
    scene.height = y + LEGEND + 6;
  }
  scene.width = Math.max(room.width, right + 12);
  return scene;
}

export function positionsScene(config: ConfigOf<"positions">, snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const { words } = room;
  if (numbers.encoding === "alibi") return biasScene(config, room);
  if (numbers.encoding === "rotary") return pairScene(config, snapshots, room);
  if (numbers.encoding === "shift") {
    return crossingScene(room, {
      left: block(config, "PE_p", words),
      above: block(config, room.cell?.node === "M" ? "M" : "M_T", words),
      result: block(config, "M_PE_p", words),
      then: [block(config, "PE_pk", words)],
      rowNames: positionNames(numbers),
      legendOf: (family) => words(family === "encoding" ? "labs.legend.encodings" : "labs.legend.shift"),
    });
  }
  if (numbers.x) return map(config, snapshots, room);
  const stop = room.layout === "narrow" ? stepIds(numbers)[room.step] : null;
  const node = room.cell?.node ?? "PE";
  const wanted = stop === "alike" || node === "similarity" || node === "PE_T" ? "alike" : "map";
  const { id } = arrangementOf(room, wanted, (last) => held[last]);
  const scene =
    id === "map"
      ? map(config, snapshots, room)
      : crossingScene(room, {
          left: block(config, "PE", words),
          above: block(config, "PE_T", words),
          result: block(config, "similarity", words),
          rowNames: positionNames(numbers),
          legendOf: (family) =>
            words(family === "similarity" ? "labs.legend.similarity" : "labs.legend.encoding.alone"),
        });
  scene.arrangement = remembered(id);
  return scene;
}

/** What the map shows, its curves too, and what the product of similarities does. */
const held: Record<string, readonly string[]> = {
  map: ["PE", "similarity"],
  alike: ["PE", "PE_T", "similarity"],
};

export function positionsStrip(config: ConfigOf<"positions">, _snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const nodes = nodesOf(numbers).filter((node) => node !== "bias.slopes");
  const blocks = nodes.map((node) => ({
    ...block(config, node, room.words),
    ...(node === "bias" ? { at: [0, null, null] } : {}),
  }));
  const step = Math.min(room.step, stepIds(numbers).length - 1);
  return thumbnails(
    blocks,
    blocks.filter((made) => made.step === step).map(({ node }) => node),
    room.width,
  );
}
