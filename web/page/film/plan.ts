/** What a film shows: the stops of Play with their scenes and explanations, or the steps of learning with their numbers. */
import type { Config } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Cell } from "../../marks/board.js";
import type { Snapshot, Snapshots } from "../../marks/scene.js";
import type { NodeWords } from "../../marks/wording.js";
import type { Time } from "../../telling/lab.js";
import { isRefused } from "../../telling/typed-values.js";
import { hasCell } from "../cells.js";
import type { Explained } from "../client.js";
import { labOf, sceneFor, withNumbers } from "../open-lab.js";
import { firstStop, stopHeading, stops } from "../stops.js";
import { stepsToFilm } from "./moments.js";
import { FILM_ROOM, type FilmStop } from "./pictures.js";

/** What is filmed. */
export interface Filmed {
  /** The Config whose numbers are on the page, and those numbers. */
  config: Config;
  snapshots: Snapshots;
  words: Words;
  /** The target, and the picture that the stage shows. */
  cell: Cell | null;
  picture: string | null;
  explain(node: string, index: number[]): Promise<Explained>;
  /** Computes the numbers of another Config. */
  computeSeparately(config: Config): Promise<readonly Snapshot[]>;
}

/** The most steps of learning in a film. */
const MOST_STEPS = 60;

/** The stops from where Play begins, each with its scene and the explanation of its cell. */
async function stopsOf(filmed: Filmed): Promise<FilmStop[]> {
  const { config, snapshots, words, explain } = filmed;
  const steps = labOf(config).steps(config, words, snapshots);
  const rooms = stops(config, snapshots, { ...FILM_ROOM, words });
  const nodeWords = (node: string): NodeWords => labOf(config).nodeWords(config, node, words, snapshots);
  const from = firstStop(steps, snapshots);
  return Promise.all(
    steps.slice(from).map(async ({ title, sentence, cell }, at): Promise<FilmStop> => {
      const step = from + at;
      const explanation = hasCell(snapshots, cell) ? await explain(cell.node, cell.index) : null;
      return {
        heading: stopHeading(step, title),
        sentence,
        scene: sceneFor(config, snapshots, rooms[step]!),
        snapshots,
        told: { cell, explanation, nodeWords, step },
      };
    }),
  );
}

/** The steps of learning, each with its own numbers. */
async function learningOf(filmed: Filmed, time: Time, signal: AbortSignal): Promise<FilmStop[]> {
  const { config, snapshots, words, cell, picture } = filmed;
  const lab = labOf(config);
  const steps = lab.steps(config, words, snapshots);
  const stop = steps.find(({ nodes }) => cell && nodes.includes(cell.node)) ?? steps[0];
  const filmedSteps: FilmStop[] = [];
  for (const at of stepsToFilm(time.last, MOST_STEPS)) {
    signal.throwIfAborted();
    const numbers = lab.change(config.numbers, time.control, String(at), words);
    if (isRefused(numbers)) throw new Error(numbers.refused);
    const own = withNumbers(config, numbers);
    const computed = await filmed.computeSeparately(own);
    const theirs = new Map(computed.map((snapshot) => [snapshot.name, snapshot]));
    filmedSteps.push({
      heading: `${time.label} ${at} / ${time.last}`,
      sentence: stop?.sentence ?? "",
      scene: sceneFor(own, theirs, { ...FILM_ROOM, words, step: 0, cell, arrangement: picture }),
      snapshots: theirs,
      told: null,
    });
  }
  return filmedSteps;
}

/** The stops of a film, or its steps of learning. Rejects when the numbers are replaced before they are explained. */
export function filmStops(filmed: Filmed, signal: AbortSignal): Promise<FilmStop[]> {
  const { config, words } = filmed;
  const time = labOf(config).time?.(config, words, filmed.snapshots) ?? null;
  return time ? learningOf(filmed, time, signal) : stopsOf(filmed);
}
