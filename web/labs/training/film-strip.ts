/** The picture of the film: the head at each kept moment, under each the number of steps. */
import type { Scene, Snapshots } from "../../marks/scene.js";
import { textWidth } from "../../marks/measure.js";
import { penOn, writeOn } from "../../stage/pen.js";
import { BRACKET, place, type Block } from "../../stage/place.js";
import { valuesOf } from "../../stage/series.js";
import { FILM_HEAD, frameNode, framesIn } from "./film.js";
import type { Say } from "./strings.js";

interface Parts {
  snapshots: Snapshots;
  scene: Scene;
  say: Say;
  of: (node: string) => Block;
  /** The number of steps made at the moment that is drawn. */
  now: number;
}

/** Of a whole run. */
const FRAMES = 6;
const HEADING = 28;
const FOOT = 22;
const GAP = 8;
const LARGEST = 12;
/** Below this size of its cells no map can be read. */
const LEAST = 3;

/** Draws the film from (x, y) on, so many frames beside each other, and returns its lower edge; draws nothing where there is no film, or no room. */
export function filmStrip(
  { snapshots, scene, say, of, now }: Parts,
  { x, y, width, height }: Record<"x" | "y" | "width" | "height", number>,
  inLine: number,
): number {
  const steps = framesIn(snapshots);
  const [rows = 1, columns = 1] = snapshots.get(frameNode(steps[0] ?? 0))?.shape ?? [];
  const pitch = (width + GAP) / inLine;
  const line = (height - HEADING) / Math.ceil(FRAMES / inLine);
  const cell = Math.min(LARGEST, (pitch - GAP - 2 * BRACKET) / columns, (line - FOOT) / rows);
  if (steps.length === 0 || cell < LEAST) return y;
  const [layer = 0, head = 0] = Array.from(valuesOf(snapshots, FILM_HEAD));
  const [whole, short] = (["film.heading", "film.heading.short"] as const).map((key) =>
    say(key, { layer: layer + 1, head }),
  ) as [string, string];
  writeOn(scene, "heading", x, y + 14, textWidth(whole, 14) <= width ? whole : short);
  const { write } = penOn(scene, 0);
  const step = columns * cell + 2 * BRACKET + GAP;
  for (const [at, moment] of steps.entries()) {
    const left = x + BRACKET + (at % inLine) * step;
    const top = y + HEADING + Math.floor(at / inLine) * (rows * cell + FOOT);
    place(scene, of(frameNode(moment)), left, top, cell, cell);
    const foot = top + rows * cell + 15;
    if (moment === now) writeOn(scene, "heading", left, foot, String(moment));
    else write(left, foot, String(moment));
  }
  return y + HEADING + Math.ceil(steps.length / inLine) * (rows * cell + FOOT);
}
