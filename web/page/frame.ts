/** A lab in a small frame: its scene without legends, as high as its highest stop, so that what stands under it stays where it is. */
import type { Config, StoryStep } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { boardsOf } from "../marks/board.js";
import type { RoomAt, Scene, Snapshots } from "../marks/scene.js";
import type { NodeWords } from "../marks/wording.js";
import { firstCell } from "./cells.js";
import { focused } from "./focus.js";
import { framePadding, frameRoom, frameWidth } from "./frame-size.js";
import { labOf, sceneFor } from "./open-lab.js";
import { stops } from "./stops.js";

/** A lab whose stops differ by more than a screen is as high as each of them. */
const tallestKept = 600;

/** Settings, the note with the rows of a softmax, and the foot, with their rules and margins. */
const around = 250;
const formulaLine = 44;
/** What the numbers are read as. */
const readingLine = 34;
const remarkLines = 118;
/** A line of what a story says, how many letters stand in one, and the room around them. */
const storyLine = { height: 24, letters: 52, around: 28 };

/** Where legends stand last on a stage, it ends where they began. */
function withoutLegends(scene: Scene, snapshots: Snapshots): Scene {
  const end = Math.min(scene.height, ...scene.legends.map(({ y }) => y));
  const last = boardsOf(scene, snapshots).every(({ y, rows, cellHeight }) => y + rows * cellHeight <= end);
  return { ...scene, legends: [], height: last ? end : scene.height };
}

/** Where most of a lab's tensors stand side by side, for those that are wanted alone; and where some labs draw others. */
const wideRoom = { width: 1200, height: 900, layout: "wide" } as const;
const narrowRoom = {
  width: frameWidth - 2 - 2 * framePadding,
  height: frameRoom,
  layout: "narrow",
} as const;

const draws = ({ tensors }: Scene, name: string): boolean => tensors.some(({ node }) => node === name);

/** The scenes of these rooms, wide, and, while these tensors are not all drawn, narrow, and at the first cell of each that is missing. */
function scenesWith(
  config: Config,
  snapshots: Snapshots,
  rooms: readonly RoomAt[],
  names: readonly string[],
): Scene[] {
  const scenes: Scene[] = [];
  const add = (room: RoomAt): unknown => scenes.push(sceneFor(config, snapshots, room));
  const missing = (): string[] => names.filter((name) => !scenes.some((scene) => draws(scene, name)));
  for (const room of rooms) add({ ...room, ...wideRoom });
  if (missing().length) for (const room of rooms) add({ ...room, ...narrowRoom });
  for (const name of missing()) {
    const [room, snapshot] = [rooms[0], snapshots.get(name)];
    if (room && snapshot && !scenes.some((scene) => draws(scene, name)))
      add({ ...room, ...wideRoom, arrangement: null, cell: firstCell(snapshot) });
  }
  return scenes;
}

/** The tensors of `focus` alone, from the scene that has the most of them, this stop's before others, and what it lacks from others; null where none has any. */
function sceneOf(config: Config, snapshots: Snapshots, room: RoomAt, focus: readonly string[]): Scene | null {
  const lab = labOf(config);
  const nodeWords = (node: string): NodeWords => lab.nodeWords(config, node, room.words, snapshots);
  const here = sceneFor(config, snapshots, { ...room, ...wideRoom });
  // The usual case, with every move of the target.
  if (focus.every((name) => draws(here, name)))
    return focused([here], snapshots, focus, nodeWords, room.width);
  const scenes = scenesWith(config, snapshots, [room, ...stops(config, snapshots, room)], focus);
  const count = (scene: Scene): number => focus.filter((name) => draws(scene, name)).length;
  return focused(
    scenes.sort((a, b) => count(b) - count(a)),
    snapshots,
    focus,
    nodeWords,
    room.width,
  );
}

/** The scene of a stop as a frame shows it: without legends, and with the tensors of `focus` alone, if any of them is drawn. */
function sceneInFrame(config: Config, snapshots: Snapshots, room: RoomAt, focus: readonly string[]): Scene {
  const only = focus.length ? sceneOf(config, snapshots, room, focus) : null;
  return only ?? withoutLegends(sceneFor(config, snapshots, room), snapshots);
}

/** Height of the highest of a lab's scenes in a frame. */
function tallestStop(config: Config, snapshots: Snapshots, room: Omit<RoomAt, "step" | "cell">): number {
  return Math.max(
    0,
    ...stops(config, snapshots, room).map((stop) => sceneInFrame(config, snapshots, stop, []).height),
  );
}

/**
 * The scene of a stop in a frame, as high as the lab's highest where that is not too high: what stands under it then stays where it is.
 * `keep` answers with the last height while what it is made from is the same.
 */
export function framedScene(
  config: Config,
  snapshots: Snapshots,
  room: RoomAt,
  focus: readonly string[],
  keep: (height: () => number) => number,
): Scene {
  const scene = sceneInFrame(config, snapshots, room, focus);
  if (focus.length) return scene;
  const tallest = keep(() => tallestStop(config, snapshots, room));
  return { ...scene, height: Math.max(scene.height, Math.min(tallest, tallestKept)) };
}

/** A frame of its usual width at the cell that is explained. */
function usualRoom(config: Config, snapshots: Snapshots, words: Words): RoomAt {
  const lab = labOf(config);
  const cell = config.view.cell ?? lab.opening(config);
  const stop = lab.steps(config, words, snapshots).findIndex(({ nodes }) => nodes.includes(cell.node));
  return {
    ...narrowRoom,
    step: Math.max(0, stop),
    cell,
    words,
  };
}

/** The names of the tensors that a frame may show alone: those that are drawn at one cell or another. Of `names` it finds all there are. */
export function framedTensors(
  config: Config,
  snapshots: Snapshots,
  words: Words,
  names: readonly string[] = [...snapshots.keys()],
): string[] {
  const scenes = scenesWith(
    config,
    snapshots,
    stops(config, snapshots, usualRoom(config, snapshots, words)),
    names,
  );
  return [...new Set(scenes.flatMap(({ tensors }) => tensors.map(({ node }) => node)))];
}

/** Room for the longest text of a story; a Chinese character takes that of two letters. */
function storyHeight(story: readonly StoryStep[]): number {
  const letters = story.map(({ words }) => words.length + (words.match(/\p{Script=Han}/gu)?.length ?? 0));
  const lines = Math.ceil(Math.max(...letters, 1) / storyLine.letters);
  return storyLine.around + lines * storyLine.height;
}

/** The height a frame needs at its usual width. */
export function frameHeight(
  config: Config,
  snapshots: Snapshots,
  words: Words,
  formula: boolean,
  focus: readonly string[],
): number {
  const room = usualRoom(config, snapshots, words);
  const remarks = labOf(config).remarks(config, snapshots, words).length;
  const stage = Math.ceil(framedScene(config, snapshots, room, focus, (height) => height()).height);
  const { before, gradient, story } = config.view;
  const reading = before || gradient ? readingLine : 0;
  const told = story ? storyHeight(story) : 0;
  return stage + around + remarks * remarkLines + (formula ? formulaLine : 0) + reading + told;
}
