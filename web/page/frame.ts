/**
 * A lab in a small frame: its scene without legends, as high as its highest stop, so that the controls below
 * stay in place.
 */
import type { Config, StoryStep } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { boardsOf } from "../marks/board.js";
import type { TargetRoom, Scene, Snapshots } from "../marks/scene.js";
import type { NodeWords } from "../marks/wording.js";
import { firstCell } from "./cells.js";
import { focusedScene } from "./focused-scene.js";
import { framePadding, frameRoom, frameWidth } from "./frame-size.js";
import { labOf, sceneFor } from "./open-lab.js";
import { stops } from "./stops.js";

/** A lab whose highest scene exceeds this is as high as each of its scenes. */
const tallestKept = 600;

/**
 * Height of the settings, the note with the rows of a softmax, and the foot, with their rules and margins.
 */
const around = 250;
const formulaLine = 44;
/** Height of the line about a comparison or a gradient. */
const readingLine = 34;
const remarkLines = 118;
/** The text of a story step: height of a line, letters per line, and the room around the text. */
const storyLine = { height: 24, letters: 52, around: 28 };

/** The scene without its legends, and without their height when they are at its end. */
function withoutLegends(scene: Scene, snapshots: Snapshots): Scene {
  const end = Math.min(scene.height, ...scene.legends.map(({ y }) => y));
  const isAtEnd = boardsOf(scene, snapshots).every(({ y, rows, cellHeight }) => y + rows * cellHeight <= end);
  return { ...scene, legends: [], height: isAtEnd ? end : scene.height };
}

/**
 * The layout in which most of a lab's tensors are side by side, used to draw some of them alone, and the one
 * in which some labs draw others.
 */
const wideRoom = { width: 1200, height: 900, layout: "wide" } as const;
const narrowRoom = {
  width: frameWidth - 2 - 2 * framePadding,
  height: frameRoom,
  layout: "narrow",
} as const;

const draws = ({ tensors }: Scene, name: string): boolean => tensors.some(({ node }) => node === name);

/**
 * The scenes of these rooms: wide ones, then narrow ones while some of these tensors are not drawn, then one
 * at the first cell of each tensor that is still missing.
 */
function scenesWith(
  config: Config,
  snapshots: Snapshots,
  rooms: readonly TargetRoom[],
  names: readonly string[],
): Scene[] {
  const scenes: Scene[] = [];
  const add = (room: TargetRoom): unknown => scenes.push(sceneFor(config, snapshots, room));
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

/**
 * A scene with the tensors of `focus` alone, taken from the scene that has most of them, preferably that of
 * this stop, and from others; null when no scene has any.
 */
function sceneOf(
  config: Config,
  snapshots: Snapshots,
  room: TargetRoom,
  focus: readonly string[],
): Scene | null {
  const lab = labOf(config);
  const nodeWords = (node: string): NodeWords => lab.nodeWords(config, node, room.words, snapshots);
  const here = sceneFor(config, snapshots, { ...room, ...wideRoom });
  // The usual case, which occurs with every move of the target.
  if (focus.every((name) => draws(here, name)))
    return focusedScene([here], snapshots, focus, nodeWords, room.width);
  const scenes = scenesWith(config, snapshots, [room, ...stops(config, snapshots, room)], focus);
  const count = (scene: Scene): number => focus.filter((name) => draws(scene, name)).length;
  return focusedScene(
    scenes.sort((a, b) => count(b) - count(a)),
    snapshots,
    focus,
    nodeWords,
    room.width,
  );
}

/**
 * The scene of a stop as a frame shows it: without legends, and with the tensors of `focus` alone if any of
 * them is drawn.
 */
function sceneInFrame(
  config: Config,
  snapshots: Snapshots,
  room: TargetRoom,
  focus: readonly string[],
): Scene {
  const only = focus.length ? sceneOf(config, snapshots, room, focus) : null;
  return only ?? withoutLegends(sceneFor(config, snapshots, room), snapshots);
}

/** Height of the highest of a lab's scenes in a frame. */
function tallestStop(config: Config, snapshots: Snapshots, room: Omit<TargetRoom, "step" | "cell">): number {
  return Math.max(
    0,
    ...stops(config, snapshots, room).map((stop) => sceneInFrame(config, snapshots, stop, []).height),
  );
}

/**
 * The scene of a stop in a frame, as high as the lab's highest scene unless that is too high, so that the
 * controls below stay in place. `keep` returns the last height while its inputs are the same.
 */
export function framedScene(
  config: Config,
  snapshots: Snapshots,
  room: TargetRoom,
  focus: readonly string[],
  keep: (height: () => number) => number,
): Scene {
  const scene = sceneInFrame(config, snapshots, room, focus);
  if (focus.length) return scene;
  const tallest = keep(() => tallestStop(config, snapshots, room));
  return { ...scene, height: Math.max(scene.height, Math.min(tallest, tallestKept)) };
}

/** A frame of its usual width, at the cell that is explained. */
function usualRoom(config: Config, snapshots: Snapshots, words: Words): TargetRoom {
  const lab = labOf(config);
  const cell = config.view.cell ?? lab.opening(config, snapshots);
  const stop = lab.steps(config, words, snapshots).findIndex(({ nodes }) => nodes.includes(cell.node));
  return {
    ...narrowRoom,
    step: Math.max(0, stop),
    cell,
    words,
  };
}

/**
 * The names of the tensors that a frame may show alone: those that are drawn at some cell. Finds those of
 * `names`, where they exist.
 */
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

/** Height of the longest text of a story; a Chinese character counts as two letters. */
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
  const storyRoom = story ? storyHeight(story) : 0;
  return stage + around + remarks * remarkLines + (formula ? formulaLine : 0) + reading + storyRoom;
}
