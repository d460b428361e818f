/** The stage of the multi-head lab: the projections, or the cut of Q, the heads, and the rows inside one of them. */
import type { Scene } from "../../marks/scene.js";
import { LEGEND, familiesOf, legends } from "../../stage/place.js";
import { NOTE, finished, sheetFor } from "../../stage/sheet.js";
import type { LabDeclaration } from "../../telling/declaration.js";
import { placeCut } from "./cut.js";
import { legendText, phoneStop } from "./flow.js";
import { placeHeads } from "./heads.js";
import { placeInside } from "./inside.js";
import { isShown, partsOf, type Parts, type Span } from "./parts.js";
import { projectionScene } from "./projections.js";

/** The heights of the longest notes under the cut of Q and under many heads, and of the cut where no note stands under it. */
const HEIGHT = { fewNote: 252, manyNote: 230, cut: 420 };
/** The height of the rows inside one of many heads, with the colour scales under them. */
const ROWS = 246;
/** The width of the rows inside a head beside the heads, and the least width of a colour scale. */
const WIDTH = { inside: 206, scale: 264 };
const AIR = 24;
/** The gap between two parts under each other. */
const GAP = 14;

/**
 * The heads, and under them the cut of Q, if they are few, beside the rows inside one of them. On a wide stage the note stands under the cut, and
 * the heads, if they are few, between the cut and the rows. On a phone everything stands under each other.
 */
function headsScene(parts: Parts): Scene {
  const { scene, room, isWide, isNarrow, isFew, say } = parts;
  const isBeside = isFew && isWide;
  const full: Span = [8, room.width - 8];
  const [first, last] = full;
  const second = isWide || (isFew && !isNarrow) ? NOTE.width + AIR + 8 : first;
  // Many heads fill the screen of a phone, and the rows stand over them.
  const isInsideFirst = isNarrow && !isFew;
  const start = isInsideFirst ? placeInside(parts, full, 2) + GAP : 2;
  const edges: Span = isBeside ? [second, last - WIDTH.inside - AIR] : full;
  const longest = isFew ? HEIGHT.fewNote : HEIGHT.manyNote;
  const below = GAP + (isBeside ? 2 * LEGEND : ROWS);
  const low = placeHeads(parts, edges, start, isWide ? room.height - below : Infinity);
  const top = isBeside ? 2 : low + GAP;
  const most = isBeside ? room.height - longest : HEIGHT.cut;
  const hasCut = isFew && isShown(parts, "split");
  const cut = hasCut ? placeCut(parts, isNarrow ? full : [first, NOTE.width], top, most) : top;
  const rows: Span = [isBeside ? last - WIDTH.inside : second, last];
  const inside = isInsideFirst ? low : placeInside(parts, rows, isNarrow ? cut : top);
  const [x, y] = [isWide ? second : first, Math.max(low, inside, isWide ? 0 : cut) + GAP];
  const perLine = Math.max(1, Math.floor((last - x) / WIDTH.scale));
  const area = { x, y, width: last - x };
  const bottom = legends(scene, familiesOf(scene), area, perLine, (family) => legendText(family, say), 6);
  return finished(parts, Math.max(bottom, isWide ? cut + longest : 0), { x: 0, y: cut });
}

export const picture: LabDeclaration<"multi-head">["picture"] = (config, snapshots, room, of): Scene => {
  const parts = partsOf(sheetFor((words) => words, config, snapshots, room, of));
  const scene = (parts.picture === "project" ? projectionScene : headsScene)(parts);
  return parts.isNarrow ? { ...scene, stop: phoneStop(config, room) } : scene;
};
