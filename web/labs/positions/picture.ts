/** The stage of a single encoding: a map with a row and some columns as curves in its margins, or the picture of what the encoding does to vectors. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import { crossingScene } from "../../stage/crossing.js";
import { LEGEND, emptyScene, legend, place, type Block } from "../../stage/place.js";
import { biasScene } from "./bias.js";
import { WAVES_APART, marginsOf } from "./margins.js";
import { pairScene } from "./pair.js";
import { positionNames } from "./tensors.js";

type Config = ConfigOf<"positions">;
type BlockOf = (node: string) => Block;

const LEFT = 46;
const TOP = 26;
/** The gap between two matrices side by side, and the gap between two stacked ones, with room for an axis and a name. */
const GAP = 56;
const STACKED = 54;
const NOTE_HEIGHT = 185;
/** The widths of the text under the profile of a row, of a legend beside it, and of a legend on its own line. */
const PROFILE_TEXT = 330;
const LEGEND_WIDTH = 240;
const LEGEND_ALONE = 380;

/** The encoding as a map, with a row as a curve below it and columns as waves at its right. With word vectors: X, PE and their sum. */
function mapScene({ numbers }: Config, snapshots: Snapshots, room: Room, of: BlockOf): Scene {
  const { words, layout, width } = room;
  const scene = emptyScene(width);
  const { id, memory } = readArrangement(room);
  const curveNode = id === "map" ? "PE" : id;
  const [row = 0, column = 0] = memory;
  const names = positionNames(numbers);
  const { rows, columns, fill } = of("PE");
  const isSum = numbers.x !== null;
  const parts = (isSum ? ["X", "PE", "input"] : ["PE"]).map(of);
  const isNarrow = layout === "narrow";
  const waves = { wide: 4, two: 2, narrow: 0 }[layout];
  // A phone stacks the matrices, so that their numbers stay readable.
  const isStacked = isNarrow && isSum;
  const perLine = isStacked ? 1 : parts.length;
  const margin = waves && waves * WAVES_APART + 40;
  const space = width - LEFT - 34 - margin - GAP * (perLine - 1);
  const cellWidth = Math.min(56, space / (perLine * columns));
  const below = isNarrow ? 20 + 132 + LEGEND + 8 : 34 + NOTE_HEIGHT + 8;
  const heightLimit = (isNarrow ? 480 : Math.max(room.height, 420)) - TOP - below;
  const cellHeight = Math.min(42, heightLimit / (rows * (isStacked ? 2 : 1)));
  let [x, y] = [LEFT, TOP];
  const placements: { node: string; x: number; y: number; margins: ReturnType<typeof marginsOf> }[] = [];
  for (const part of parts) {
    const { node, step, name } = part;
    const margins = marginsOf(scene, place(scene, part, x, y, cellWidth, cellHeight), part, words);
    const end = x + columns * cellWidth;
    // A vector that all positions share is one row, so the next matrix shows the names of the positions.
    const isShared = part.rows < rows;
    if (isShared) margins.drawRowAxis([words("labs.positions.all")]);
    else if (placements.every((before) => of(before.node).rows < rows)) margins.drawRowAxis(names);
    margins.drawColumnAxis();
    const text = isSum ? name : words("labs.positions.axes");
    scene.labels.push({ x, y: y - 10, text, kind: isSum ? "caption" : "axis", step });
    const size = `${rows}×${columns} S×D`;
    if (!isSum) scene.labels.push({ x: end, y: y - 10, text: size, kind: "shape", anchor: "end" });
    const next = parts[placements.push({ node, x, y, margins })];
    if (!next) break;
    const under = y + part.rows * cellHeight + STACKED;
    scene.labels.push({
      x: isStacked ? x + 110 : end + (isShared ? 18 : GAP / 2),
      y: isStacked ? under - 10 : y + (rows * cellHeight) / 2 + 5,
      text: placements.length === 1 ? "+" : "=",
      kind: "heading",
      anchor: "middle",
      step: next.step,
    });
    [x, y] = isStacked ? [x, under] : [end + GAP, y];
  }
  const right = x + columns * cellWidth;
  const bottom = y + rows * cellHeight;
  const { margins, ...at } = placements.find(({ node }) => node === curveNode)!;
  const isWave = numbers.encoding === "sinusoidal" && curveNode === "PE";
  margins.drawFrames(row, column);
  const snapshot = snapshots.get(curveNode);
  let end = bottom + 150;
  if (snapshot && row < snapshot.shape[0]!) {
    const under = isStacked ? bottom : at.y + snapshot.shape[0]! * cellHeight;
    end = margins.drawProfile(snapshot, row, names[row]!, isWave, under);
    if (waves > 0) {
      const left = right + 34;
      // The last wave is the similarity of the row's position to each position.
      const similarity = snapshots.get("similarity");
      margins.drawColumnWaves(snapshot, column, left, waves - (similarity ? 1 : 0));
      if (similarity) margins.drawSimilarity(similarity, row, names[row]!, left + (waves - 1) * WAVES_APART);
      const text = words(isWave ? "labs.positions.column.wave" : "labs.positions.column");
      scene.labels.push({ x: left, y: bottom + 20, text, kind: "axis", step: of(curveNode).step });
    }
  }
  const scale = words(isSum ? "labs.legend.encoding" : "labs.legend.encoding.alone");
  const isLegendBeside = !isNarrow && right - at.x >= PROFILE_TEXT + LEGEND_WIDTH;
  if (isLegendBeside) legend(scene, "encoding", fill, right - LEGEND_WIDTH, end - 20, LEGEND_WIDTH, scale);
  else legend(scene, "encoding", fill, LEFT, end, isNarrow ? width - LEFT - 12 : LEGEND_ALONE, scale);
  scene.height = end + (isLegendBeside ? 10 : LEGEND + 6);
  const left = width - right - 42;
  if (!isNarrow && left >= 260) {
    scene.note = { x: right + 34, y: bottom + 34, width: Math.min(left, 480) };
    scene.height = Math.max(scene.height, bottom + 34 + NOTE_HEIGHT);
  }
  scene.width = Math.max(width, right + 12);
  return scene;
}

export function picture(config: Config, snapshots: Snapshots, room: Room, of: BlockOf): Scene {
  const { words } = room;
  const { id } = readArrangement(room);
  const rowNames = positionNames(config.numbers);
  switch (id) {
    case "heads":
      return biasScene(room, of);
    case "rotated":
      return pairScene(rowNames, snapshots, room, of);
    case "M":
    case "M_T":
      return crossingScene(room, {
        left: of("PE_p"),
        above: of(id),
        result: of("M_PE_p"),
        then: [of("PE_pk")],
        rowNames,
        legendOf: (family) => words(family === "encoding" ? "labs.legend.encodings" : "labs.legend.shift"),
      });
    case "alike":
      return crossingScene(room, {
        left: of("PE"),
        above: of("PE_T"),
        result: of("similarity"),
        rowNames,
        legendOf: (family) =>
          words(family === "similarity" ? "labs.legend.similarity" : "labs.legend.encoding.alone"),
      });
    default:
      return mapScene(config, snapshots, room, of);
  }
}
