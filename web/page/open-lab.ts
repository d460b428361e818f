/** The lab of a Config, and functions of labs without the type of a particular lab. */
import { exampleOf } from "../config/codec.js";
import type { Config, ConfigOf, LabId, NumbersOf, View } from "../config/config.js";
import { anyWords, type Words } from "../i18n/words.js";
import { loadedLab } from "../labs/index.js";
import { list } from "../labs/list.js";
import type { Lab } from "../telling/lab.js";
import type { Cell } from "../marks/board.js";
import type { Room, TargetRoom, Scene, Snapshots } from "../marks/scene.js";
import type { Step } from "../marks/wording.js";
import { isComputed } from "./cells.js";

/** A lab whose functions accept the Config of any lab; it must be given only its own. */
export type OpenLab = Lab<LabId>;

/**
 * The only place where the type of a lab is widened: a Config holds the numbers of its own lab. Throws Error
 * when the lab has not been fetched.
 */
export function labOf(config: ConfigOf<LabId>): OpenLab {
  const lab = loadedLab(config.view.lab);
  if (!lab) throw new Error(`the lab ${config.view.lab} has not been loaded`);
  return lab as unknown as OpenLab;
}

/** The scene of a room, in the arrangement that the lab chooses for the room's target. */
export function sceneFor(
  config: ConfigOf<LabId>,
  snapshots: Snapshots,
  { cell, ...room }: TargetRoom,
): Scene {
  const lab = labOf(config);
  const arrangement = lab.arrange(config, { ...room, cell });
  return { ...lab.scene(config, snapshots, { ...room, arrangement }), arrangement };
}

/** The strip that a phone shows above a scene, with the scene's arrangement. */
export function stripFor(
  config: ConfigOf<LabId>,
  snapshots: Snapshots,
  room: Room,
  scene: Scene,
): Scene | null {
  return labOf(config).strip(config, snapshots, { ...room, arrangement: scene.arrangement ?? null });
}

/** The same view with other numbers. Numbers equal to those of an example get the example's name. */
export function withNumbers(config: Config, numbers: NumbersOf[LabId]): Config {
  return { ...config, example: exampleOf(config.view.lab, numbers), numbers } as Config;
}

export function withView(config: Config, view: Partial<Omit<View, "lab">>): Config {
  return { ...config, view: { ...config.view, ...view } } as Config;
}

/**
 * A Config in the language and theme of `now` and, when it is of the same lab, with the comparison and
 * gradient of `now`.
 */
export function asNow(config: Config, now: Config): Config {
  const { lab, lang, theme, before, gradient, read } = now.view;
  const reading = lab === config.view.lab ? { before, gradient, read } : {};
  return withView(config, { lang, theme, ...reading } as Partial<Omit<View, "lab">>);
}

/** Whether a cell was computed, and so has a gradient. */
export function hasGradient(config: Config, snapshots: Snapshots, cell: Cell): boolean {
  return isComputed(snapshots, cell) && labOf(config).gradients !== false;
}

/**
 * The stops that Play can be at; none in a lab that learns, where Play goes through the steps of learning.
 */
export function stopsOf(config: Config, words: Words, snapshots: Snapshots): readonly Step[] {
  const lab = labOf(config);
  return lab.time?.(config, words, snapshots) ? [] : lab.steps(config, words, snapshots);
}

/** Whether a lab learns while one watches. */
export const isLive = (config: Config, snapshots: Snapshots): boolean =>
  labOf(config).time?.(config, anyWords(), snapshots)?.isLive === true;

/** The labs in the order of their chapters. */
export const labsInOrder: readonly LabId[] = (Object.keys(list) as LabId[]).sort(
  (a, b) => list[a].chapter - list[b].chapter,
);
