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

/** The most frames of a run. */
const FRAMES = 6;
const HEADING = 28;
const FOOT = 22;
const GAP = 8;
const LARGEST = 12;
/** Below this size of its cells no map can be read. */
const LEAST = 3;

interface Box {
  width: number;
  height: number;
  /** How many frames stand beside each other. */
  inLine: number;
}

/** The rows, the columns and the size of a cell of every frame. */
function frameSize(snapshots: Snapshots, [first]: readonly number[], { width, height, inLine }: Box) {
  const [rows = 1, columns = 1] = snapshots.get(frameNode(first!))?.shape ?? [];
  const across = (width + GAP) / inLine - GAP - 2 * BRACKET;
  const down = (height - HEADING) / Math.ceil(FRAMES / inLine) - FOOT;
  return { rows, columns, cell: Math.min(LARGEST, across / columns, down / rows) };
}

/** Whether there is a film, and its maps can be read in such a box. */
export function fitsFilm(snapshots: Snapshots, box: Box): boolean {
  const steps = framesIn(snapshots);
  return steps.length > 0 && frameSize(snapshots, steps, box).cell >= LEAST;
}

/** Draws the film, which must fit, from (x, y) on, and returns its lower edge. */
export function filmStrip(
  { snapshots, scene, say, of, now }: Parts,
  { x, y, ...box }: Box & { x: number; y: number },
): number {
  const { width, inLine } = box;
  const steps = framesIn(snapshots);
  const { rows, columns, cell } = frameSize(snapshots, steps, box);
  const [layer = 0, head = 0] = Array.from(valuesOf(snapshots, FILM_HEAD));
  const which = { layer, head };
  const whole = say("film.heading", which);
  const isWhole = steps.length > 1 && textWidth(whole, 14) <= width;
  writeOn(scene, "heading", x, y + 14, isWhole ? whole : say("film.heading.short", which));
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
