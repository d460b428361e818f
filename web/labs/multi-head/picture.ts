/** The stage of the multi-head lab: the projections, or the cut of Q, the heads, and the rows inside one of them. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { LEGEND, familiesOf, legends, type Block } from "../../stage/place.js";
import { NOTE, finished, sheetFor } from "../../stage/sheet.js";
import { placeCut } from "./cut.js";
import { legendText, phoneStop } from "./flow.js";
import { placeHeads } from "./heads.js";
import { insideHeight, placeInside } from "./inside.js";
import { isShown, partsOf, type Parts, type Span } from "./parts.js";
import { projectionScene } from "./projections.js";

/** The height of the longest note under the cut of Q, and under the heads. */
const LONGEST_NOTE = { cut: 244, heads: 210 };
/** The width of the rows inside a head, beside the maps. */
const INSIDE = 176;
const AIR = 24;

/** Places the colour scales side by side, on several lines where their texts need it. Returns the y below them. */
function placeScales({ scene, say }: Parts, [left, right]: Span, y: number): number {
  const families = familiesOf(scene);
  const width = right - left;
  const perLine = Math.max(1, Math.min(families.size, Math.floor(width / 264)));
  return legends(scene, families, { x: left, y, width }, perLine, (family) => legendText(family, say), 6);
}

/** A few heads on a wide stage: the cut of Q over the note, the heads, and the rows inside one, from left to right. */
function besideScene(parts: Parts): Scene {
  const { room } = parts;
  const left = NOTE.width + NOTE.gap + 8;
  const legendTop = room.height - 2 * LEGEND - 4;
  const cut = placeCut(parts, [8, NOTE.width], 0, room.height - LONGEST_NOTE.cut - 2);
  const [low, end] = placeHeads(parts, [left, room.width - 8 - INSIDE - AIR], 0, legendTop - 4);
  const inside = placeInside(parts, [end + AIR, room.width - 8], 0);
  const y = Math.max(low + 12, inside + 8, Math.min(legendTop, low + 40));
  const bottom = placeScales(parts, [left - 8, room.width - 8], y);
  return finished(parts, Math.max(bottom, cut + LONGEST_NOTE.cut), { x: 0, y: cut + 2 });
}

/** The heads over the whole width; under them the cut of Q if they are few, the rows inside one, and on a wide stage the note. */
function underScene(parts: Parts): Scene {
  const { room, isWide, isFew } = parts;
  const under = 14 + Math.max(LONGEST_NOTE.heads, insideHeight(parts) + 3 * LEGEND);
  const [low] = placeHeads(parts, [8, room.width - 8], 2, isWide ? room.height - under : Infinity);
  const y = low + (isWide ? 14 : AIR);
  const right = room.width - 8 - (isWide ? NOTE.width + AIR : 0);
  const cut = isFew ? placeCut(parts, [8, NOTE.width], y, 420) : y;
  const inside = placeInside(parts, [isFew ? NOTE.width + AIR : 8, right], y);
  const bottom = placeScales(parts, [8, right], Math.max(cut, inside) + 12) + 8;
  return finished(parts, isWide ? Math.max(bottom, y + LONGEST_NOTE.heads) : bottom, { y });
}

/** A phone shows the part of one stop. The rows inside a head stand over many maps, near the cell that is read. */
function phoneScene(parts: Parts): Scene {
  const { room, isFew } = parts;
  const full: Span = [8, room.width - 8];
  const isInsideFirst = !isFew && isShown(parts, "attend");
  let y = isInsideFirst ? placeInside(parts, full, 2) + 12 : 2;
  if (isFew && isShown(parts, "split")) y = placeCut(parts, full, y, 420);
  [y] = placeHeads(parts, full, y, Infinity);
  if (!isInsideFirst) y = placeInside(parts, full, y + 14);
  return finished(parts, placeScales(parts, full, y + 16) + 8);
}

export function picture(
  config: ConfigOf<"multi-head">,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene {
  const parts = partsOf(sheetFor((words) => words, config, snapshots, room, of));
  const { isFew, isWide, isNarrow, opened } = parts;
  const sceneOfHeads = isNarrow ? phoneScene : isFew && isWide ? besideScene : underScene;
  const scene = (opened.picture === "project" ? projectionScene : sceneOfHeads)(parts);
  return isNarrow ? { ...scene, stop: phoneStop(config, room) } : scene;
}
