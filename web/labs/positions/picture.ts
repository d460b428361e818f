/** The stage of an encoding: a map whose margins are its own profiles, in register with its rows and columns; or what it does. */
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
type Of = (node: string) => Block;

const LEFT = 46;
const TOP = 26;
/** Between two matrices side by side; and where they stand one under the other, the axis and the name of the next. */
const GAP = 56;
const STACKED = 54;
const NOTE_HEIGHT = 185;
/** Room for the text under the profile of a row, and for a legend on its line. */
const PROFILE_TEXT = 330;
const LEGEND_WIDTH = 240;
const LEGEND_ALONE = 380;

/** The encoding as a map, its row below, its columns at the right; with word vectors, what is added and the sum beside it. */
function map({ numbers }: Config, snapshots: Snapshots, room: Room, of: Of): Scene {
  const { words, layout, width } = room;
  const scene = emptyScene(width);
  const { id, memory } = readArrangement(room);
  const shown = id === "map" ? "PE" : id;
  const [row = 0, column = 0] = memory;
  const names = positionNames(numbers);
  const { rows, columns, fill } = of("PE");
  const isSum = numbers.x !== null;
  const parts = (isSum ? ["X", "PE", "input"] : ["PE"]).map(of);
  const narrow = layout === "narrow";
  const waves = { wide: 4, two: 2, narrow: 0 }[layout];
  // A phone sets what is added one under the other, so that their numbers stay readable.
  const stacked = narrow && isSum;
  const abreast = stacked ? 1 : parts.length;
  const margin = waves && waves * WAVES_APART + 40;
  const space = width - LEFT - 34 - margin - GAP * (abreast - 1);
  const cellWidth = Math.min(56, space / (abreast * columns));
  const below = narrow ? 20 + 132 + LEGEND + 8 : 34 + NOTE_HEIGHT + 8;
  const tall = (narrow ? 480 : Math.max(room.height, 420)) - TOP - below;
  const cellHeight = Math.min(42, Math.max(2, tall / (rows * (stacked ? 2 : 1))));
  let [x, y] = [LEFT, TOP];
  const placed: { node: string; x: number; y: number; margins: ReturnType<typeof marginsOf> }[] = [];
  for (const part of parts) {
    const { node, step, name } = part;
    const margins = marginsOf(scene, place(scene, part, x, y, cellWidth, cellHeight), part, words);
    const end = x + columns * cellWidth;
    // One vector for every position is one row: the rows beside it are named again.
    const isShared = part.rows < rows;
    if (isShared) margins.rowAxis([words("labs.positions.all")]);
    else if (placed.every((before) => of(before.node).rows < rows)) margins.rowAxis(names);
    margins.columnAxis();
    const text = isSum ? name : words("labs.positions.axes");
    scene.labels.push({ x, y: y - 10, text, kind: isSum ? "caption" : "axis", step });
    const size = `${rows}×${columns} S×D`;
    if (!isSum) scene.labels.push({ x: end, y: y - 10, text: size, kind: "shape", anchor: "end" });
    const next = parts[placed.push({ node, x, y, margins })];
    if (!next) break;
    const under = y + part.rows * cellHeight + STACKED;
    scene.labels.push({
      x: stacked ? x + 110 : end + (isShared ? 18 : GAP / 2),
      y: stacked ? under - 10 : y + (rows * cellHeight) / 2 + 5,
      text: placed.length === 1 ? "+" : "=",
      kind: "heading",
      anchor: "middle",
      step: next.step,
    });
    [x, y] = stacked ? [x, under] : [end + GAP, y];
  }
  const right = x + columns * cellWidth;
  const bottom = y + rows * cellHeight;
  const { margins, ...at } = placed.find(({ node }) => node === shown)!;
  const isWave = numbers.encoding === "sinusoidal" && shown === "PE";
  margins.frames(row, column);
  const snapshot = snapshots.get(shown);
  let end = bottom + 150;
  if (snapshot && row < snapshot.shape[0]!) {
    const under = stacked ? bottom : at.y + snapshot.shape[0]! * cellHeight;
    end = margins.profile(snapshot, row, names[row]!, isWave, under);
    if (waves > 0) {
      const left = right + 34;
      // The last place is that of the similarity of the row to each.
      const alike = snapshots.get("similarity");
      margins.columnWaves(snapshot, column, left, waves - (alike ? 1 : 0));
      if (alike) margins.alikeness(alike, row, names[row]!, left + (waves - 1) * WAVES_APART);
      const text = words(isWave ? "labs.positions.column.wave" : "labs.positions.column");
      scene.labels.push({ x: left, y: bottom + 20, text, kind: "axis", step: of(shown).step });
    }
  }
  const scale = words(isSum ? "labs.legend.encoding" : "labs.legend.encoding.alone");
  const beside = !narrow && right - at.x >= PROFILE_TEXT + LEGEND_WIDTH;
  if (beside) legend(scene, "encoding", fill, right - LEGEND_WIDTH, end - 20, LEGEND_WIDTH, scale);
  else legend(scene, "encoding", fill, LEFT, end, narrow ? width - LEFT - 12 : LEGEND_ALONE, scale);
  scene.height = end + (beside ? 10 : LEGEND + 6);
  const left = width - right - 42;
  if (!narrow && left >= 260) {
    scene.note = { x: right + 34, y: bottom + 34, width: Math.min(left, 480) };
    scene.height = Math.max(scene.height, bottom + 34 + NOTE_HEIGHT);
  }
  scene.width = Math.max(width, right + 12);
  return scene;
}

export function picture(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene {
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
      return map(config, snapshots, room, of);
  }
}
