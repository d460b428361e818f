/** A lab in a small frame: its scene without legends, as high as its highest stop, so that what stands under it stays where it is. */
import type { Config } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import type { Room, Scene, Snapshots } from "../marks/scene.js";
import { labOf } from "./open-lab.js";

/** The width a frame is made for, and the air beside its stage. */
export const frameWidth = 680;
export const framePadding = 16;

/** What a scene in a frame may count on; frames grow with their scenes. */
export const frameRoom = 480;

/** Settings, the note with the rows of a softmax, and the foot, with their rules and margins. */
const around = 250;
const formulaLine = 44;
const remarkLines = 118;

/** Legends stand last on a stage, so without them it ends where they began. */
export function withoutLegends(scene: Scene): Scene {
  const end = Math.min(scene.height, ...scene.legends.map(({ y }) => y));
  return { ...scene, legends: [], height: end };
}

/** Height of the highest of a lab's scenes in a frame. */
export function tallestStop(
  config: Config,
  snapshots: Snapshots,
  room: Pick<Room, "width" | "height" | "layout">,
  words: Words,
): number {
  const lab = labOf(config);
  const heights = lab
    .steps(config, words)
    .map(
      ({ cell }, step) => withoutLegends(lab.scene(config, snapshots, { ...room, step, cell, words })).height,
    );
  return Math.max(0, ...heights);
}

/** The height a frame needs at its usual width. */
export function frameHeight(config: Config, snapshots: Snapshots, words: Words, formula: boolean): number {
  const room = { width: frameWidth - 2 - 2 * framePadding, height: frameRoom, layout: "narrow" } as const;
  const remarks = labOf(config).remarks(config, snapshots, words).length;
  const stage = Math.ceil(tallestStop(config, snapshots, room, words));
  return stage + around + remarks * remarkLines + (formula ? formulaLine : 0);
}
