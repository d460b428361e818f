/** A lab in a small frame: its scene without legends, as high as its highest stop, so that what stands under it stays where it is. */
import type { Config } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { boardsOf } from "../marks/board.js";
import type { Room, Scene, Snapshots } from "../marks/scene.js";
import { focused } from "./focus.js";
import { labOf } from "./open-lab.js";

/** The width a frame is made for, and the air beside its stage. */
export const frameWidth = 680;
export const framePadding = 16;

/** What a scene in a frame may count on; frames grow with their scenes. */
export const frameRoom = 480;

/** A lab whose stops differ by more than a screen is as high as each of them. */
const tallestKept = 600;

/** Settings, the note with the rows of a softmax, and the foot, with their rules and margins. */
const around = 250;
const formulaLine = 44;
const remarkLines = 118;

/** Where legends stand last on a stage, it ends where they began. */
function withoutLegends(scene: Scene, snapshots: Snapshots): Scene {
  const end = Math.min(scene.height, ...scene.legends.map(({ y }) => y));
  const last = boardsOf(scene, snapshots).every(({ y, rows, cellHeight }) => y + rows * cellHeight <= end);
  return { ...scene, legends: [], height: last ? end : scene.height };
}

/** Where all of a lab's tensors stand side by side, for those that are wanted alone. */
const wideRoom = { width: 1200, height: 900, layout: "wide" } as const;

/** A room for each of a lab's stops. */
const stops = (config: Config, room: Omit<Room, "step" | "cell">): Room[] =>
  labOf(config)
    .steps(config, room.words)
    .map(({ cell }, step) => ({ ...room, arrangement: null, step, cell }));

/** The tensors of `focus` alone, at this stop or at the first that has any of them; null where none has. */
function sceneOf(config: Config, snapshots: Snapshots, room: Room, focus: readonly string[]): Scene | null {
  for (const stop of [room, ...stops(config, room)]) {
    const scene = labOf(config).scene(config, snapshots, { ...stop, ...wideRoom });
    const only = focused(scene, snapshots, focus, room.width);
    if (only) return only;
  }
  return null;
}

/** The scene of a stop as a frame shows it: without legends, and with the tensors of `focus` alone, if any of them is drawn. */
function sceneInFrame(config: Config, snapshots: Snapshots, room: Room, focus: readonly string[]): Scene {
  const only = focus.length ? sceneOf(config, snapshots, room, focus) : null;
  return only ?? withoutLegends(labOf(config).scene(config, snapshots, room), snapshots);
}

/** Height of the highest of a lab's scenes in a frame. */
function tallestStop(config: Config, snapshots: Snapshots, room: Omit<Room, "step" | "cell">): number {
  return Math.max(0, ...stops(config, room).map((stop) => sceneInFrame(config, snapshots, stop, []).height));
}

/**
 * The scene of a stop in a frame, as high as the lab's highest where that is not too high: what stands under it then stays where it is.
 * `keep` answers with the last height while what it is made from is the same.
 */
export function framedScene(
  config: Config,
  snapshots: Snapshots,
  room: Room,
  focus: readonly string[],
  keep: (height: () => number) => number,
): Scene {
  const scene = sceneInFrame(config, snapshots, room, focus);
  if (focus.length) return scene;
  const tallest = keep(() => tallestStop(config, snapshots, room));
  return { ...scene, height: Math.max(scene.height, Math.min(tallest, tallestKept)) };
}

/** A frame of its usual width at the cell that is explained. */
function usualRoom(config: Config, words: Words): Room {
  const lab = labOf(config);
  const cell = config.view.cell ?? lab.opening(config);
  const stop = lab.steps(config, words).findIndex(({ nodes }) => nodes.includes(cell.node));
  return {
    width: frameWidth - 2 - 2 * framePadding,
    height: frameRoom,
    layout: "narrow",
    step: Math.max(0, stop),
    cell,
    words,
  };
}

/** The names of the tensors that a frame may show alone: those that are drawn at one stop or another. */
export function framedTensors(config: Config, snapshots: Snapshots, words: Words): string[] {
  const scenes = stops(config, usualRoom(config, words)).map((stop) =>
    labOf(config).scene(config, snapshots, { ...stop, ...wideRoom }),
  );
  return [...new Set(scenes.flatMap(({ tensors }) => tensors.map(({ node }) => node)))];
}

/** The height a frame needs at its usual width. */
export function frameHeight(
  config: Config,
  snapshots: Snapshots,
  words: Words,
  formula: boolean,
  focus: readonly string[],
): number {
  const room = usualRoom(config, words);
  const remarks = labOf(config).remarks(config, snapshots, words).length;
  const stage = Math.ceil(framedScene(config, snapshots, room, focus, (height) => height()).height);
  return stage + around + remarks * remarkLines + (formula ? formulaLine : 0);
}
