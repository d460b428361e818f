/** The sheet that a picture is drawn on by hand: its scene, the room that it has, what it draws, and how it ends. */
import type { Words } from "../i18n/words.js";
import type { Room, Scene, Snapshots } from "../marks/scene.js";
import { emptyScene, familiesOf, legends, type Block } from "./place.js";

/** The width of the note right of the picture on a wide stage, and the gap before it. */
export const NOTE = { width: 400, gap: 24 };

/** A sheet of a lab, by its Config and its strings. */
export interface Sheet<Config extends { numbers: unknown }, Say extends (key: never) => string> {
  config: Config;
  numbers: Config["numbers"];
  snapshots: Snapshots;
  room: Room;
  isWide: boolean;
  isNarrow: boolean;
  /** The width of the picture: on a wide stage, up to the gap before the note. */
  width: number;
  of: (node: string) => Block;
  say: Say;
  scene: Scene;
}

/** An empty sheet. */
export function sheetFor<Config extends { numbers: unknown }, Say extends (key: never) => string>(
  stringsIn: (words: Words) => Say,
  config: Config,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Sheet<Config, Say> {
  const isWide = room.layout === "wide";
  return {
    config,
    numbers: config.numbers,
    snapshots,
    room,
    isWide,
    isNarrow: room.layout === "narrow",
    width: isWide ? room.width - NOTE.width - NOTE.gap : room.width,
    of,
    say: stringsIn(room.words),
    scene: emptyScene(room.width),
  };
}

type Any = Sheet<{ numbers: unknown }, (key: never) => string>;

/** Adds the colour scales of all tensors on the sheet, `perLine` on a line, with `air` between two. Returns their lower edge. */
export function placeScales(
  { scene, say }: Pick<Any, "scene" | "say">,
  area: { x: number; y: number; width: number },
  perLine: number,
  air?: number,
): number {
  const families = new Map([...familiesOf(scene)].filter(([, fill]) => fill !== "none"));
  return legends(scene, families, area, perLine, (family) => say(`legend.${family}` as never), air);
}

/** The finished scene: with its height, with the note of a wide stage at the right edge unless it is elsewhere, and on a phone with the stop that it shows. */
export function finished(
  { scene, room, isWide, isNarrow }: Any,
  height: number,
  note: Partial<Scene["note"]> = {},
): Scene {
  if (isWide) scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width, ...note };
  if (isNarrow) scene.stop = room.step;
  return Object.assign(scene, { height });
}
