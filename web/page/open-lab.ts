/** The lab of a Config, its functions seen without the lab's own type. */
import { exampleOf } from "../config/codec.js";
import type { Config, ConfigOf, LabId, NumbersOf, View } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { loadedLab } from "../labs/index.js";
import { list } from "../labs/list.js";
import type { Lab } from "../telling/lab.js";
import type { Cell } from "../marks/board.js";
import type { Room, RoomAt, Scene, Snapshots } from "../marks/scene.js";
import type { Step } from "../marks/wording.js";
import { hasCell } from "./cells.js";

/** A lab asked only about Configs of its own. */
export type OpenLab = Lab<LabId>;

/** The only place where a lab's type is widened: a Config holds the numbers of its own lab. Throws Error when it is not fetched yet. */
export function labOf(config: ConfigOf<LabId>): OpenLab {
  const lab = loadedLab(config.view.lab);
  if (!lab) throw new Error(`the lab ${config.view.lab} is not loaded`);
  return lab as unknown as OpenLab;
}

/** The scene that opens for the target of a room. */
export function sceneFor(config: ConfigOf<LabId>, snapshots: Snapshots, { cell, ...room }: RoomAt): Scene {
  const lab = labOf(config);
  const arrangement = lab.arrange(config, { ...room, cell });
  return { ...lab.scene(config, snapshots, { ...room, arrangement }), arrangement };
}

/** The strip of a phone beside a scene: it opens what the scene opens. */
export function stripFor(config: ConfigOf<LabId>, snapshots: Snapshots, room: Room, scene: Scene): Scene {
  return labOf(config).strip(config, snapshots, { ...room, arrangement: scene.arrangement ?? null });
}

/** The same view of other numbers; numbers that lead back to an example carry its name again. */
export function withNumbers(config: Config, numbers: NumbersOf[LabId]): Config {
  return { ...config, example: exampleOf(config.view.lab, numbers), numbers } as Config;
}

export function withView(config: Config, view: Partial<Omit<View, "lab">>): Config {
  return { ...config, view: { ...config.view, ...view } } as Config;
}

/** A Config in the language and theme of `now`, and where it is of the same lab, with its numbers read as those are. */
export function asNow(config: Config, now: Config): Config {
  const { lab, lang, theme, before, gradient, read } = now.view;
  const reading = lab === config.view.lab ? { before, gradient, read } : {};
  return withView(config, { lang, theme, ...reading } as Partial<Omit<View, "lab">>);
}

/** Whether a cell was computed, and not given, so that it has a gradient. */
export function hasGradient(config: Config, snapshots: Snapshots, cell: Cell): boolean {
  const computed = hasCell(snapshots, cell) && snapshots.get(cell.node)?.op !== "leaf";
  return computed && labOf(config).gradients !== false;
}

/** The stops that Play may stand at: none where it walks through the steps of what is learned. */
export function stopsOf(config: Config, words: Words, snapshots: Snapshots): readonly Step[] {
  const lab = labOf(config);
  return lab.time?.(config, words) ? [] : lab.steps(config, words, snapshots);
}

/** Labs in the order of their chapters. */
export const labsInOrder: readonly LabId[] = (Object.keys(list) as LabId[]).sort(
  (a, b) => list[a].chapter - list[b].chapter,
);
