/** The pictures of a film: the title, the stop's heading and sentence, the stage as far as Play has come, the arithmetic, and the address. */
import type { Explanation } from "../../core/attention.js";
import { layoutOf } from "../../elements/note/layout.js";
import type { Words } from "../../i18n/words.js";
import { boardsOf, type Cell, type Rectangle } from "../../marks/board.js";
import { copyOfCell } from "../../marks/cell-copy.js";
import { cssColour, type Palette } from "../../marks/colour.js";
import { travelAt, travelOf, type Travel } from "../../marks/flight.js";
import { columnNames, linesIn, textWidth } from "../../marks/measure.js";
import { drawnStage, MARGIN, stagePicture, type PictureOptions } from "../../marks/picture.js";
import { letters } from "../../marks/picture-matrix.js";
import { travelShapes } from "../../marks/picture-travel.js";
import type { Scene, Snapshots } from "../../marks/scene.js";
import type { PictureShapes, Shape } from "../../marks/shapes.js";
import type { Progress } from "../../marks/stops.js";
import { travelParts } from "../../marks/travel-parts.js";
import type { NodeWords } from "../../marks/wording.js";
import { arithmeticOf, type Arithmetic } from "./arithmetic.js";
import type { Moment } from "./moments.js";

/** A stop of Play, or a step of learning, with everything that its pictures show. */
export interface FilmStop {
  heading: string;
  sentence: string;
  scene: Scene;
  snapshots: Snapshots;
  /** The cell that the stop explains, and how far Play has come there; null for a step of learning, which is drawn whole. */
  told: {
    cell: Cell;
    explanation: Explanation | null;
    nodeWords: (node: string) => NodeWords;
    step: number;
  } | null;
}

export interface FilmText {
  title: string;
  /** The line below the stage. */
  address: string;
  words: Words;
}

/** The width of a film, unless a scene is wider, and the room that a scene gets. */
const WIDTH = 1280;
export const FILM_ROOM = { width: WIDTH - 2 * MARGIN, height: 600, layout: "wide" } as const;

const SIZE = { title: 25, heading: 18 } as const;
/** The type size of the address. */
export const FOOT_SIZE = 13.5;
/** The baselines of the title and of the heading, the distance of two lines, and the height of the foot. */
const TITLE = 38;
const HEADING = 70;
const LINE = 26;
const FOOT = 36;
/** The least height under the place of the arithmetic. */
const UNDER = 8;

/** A stop with what is the same in all its pictures. */
interface Prepared {
  stop: FilmStop;
  options: PictureOptions;
  head: Shape[];
  arithmetic: Arithmetic | null;
  travel: Travel | null;
}

/** The lines of a stop's heading and sentence, side by side if both fit. */
function headOf({ heading, sentence }: FilmStop, width: number): string[] {
  const room = width - 2 * MARGIN;
  const besideRoom = room - headingWidth(heading);
  if (textWidth(sentence, SIZE.heading) <= besideRoom) return [sentence];
  return ["", ...linesIn(sentence, room, SIZE.heading)];
}

/** The height from the place of the note down to the next tensor, with the names and the caption above it. */
function roomBelow(scene: Scene, snapshots: Snapshots, { x, y, width }: Omit<Rectangle, "height">): number {
  const tops = boardsOf(scene, snapshots).flatMap((board) => {
    const { columnNames: names = [], caption } = board.tensor?.placed ?? {};
    const above = columnNames(names, board.cellWidth).height + (caption === "above" ? 28 : 0);
    const isBelow = board.x < x + width && board.x + board.columns * board.cellWidth > x && board.y > y;
    return isBelow ? [board.y - above] : [];
  });
  return Math.min(...tops) - y - UNDER;
}

const headingWidth = (heading: string): number => textWidth(heading, SIZE.heading) * 1.08 + 14;

export class FilmPictures {
  readonly width: number;
  /** The height for the stops that were added. */
  height = 0;
  /** Milliseconds in which the numbers of each stop travel; null where nothing moves. */
  readonly travels: (number | null)[] = [];
  readonly #stops: Prepared[] = [];
  readonly #text: FilmText;
  readonly #scales: "shared" | "own";
  readonly #palette: Palette;
  /** How far the stage is moved down, below the headings of all stops. */
  readonly #top: number;

  /** `stops`: all that will be added. */
  constructor(stops: readonly FilmStop[], text: FilmText, scales: "shared" | "own", palette: Palette) {
    this.#text = text;
    this.#scales = scales;
    this.#palette = palette;
    this.width = Math.max(WIDTH, ...stops.map(({ scene }) => Math.ceil(scene.width) + 2 * MARGIN));
    const lines = Math.max(...stops.map((stop) => headOf(stop, this.width).length));
    this.#top = HEADING + LINE * lines - 10 - MARGIN;
  }

  /** Adds the next stop. */
  add(stop: FilmStop): void {
    const { told, scene, snapshots } = stop;
    const { words, title } = this.#text;
    const target = told && { cell: told.cell, regions: told.explanation?.sources ?? [] };
    const options = { words, palette: this.#palette, scales: this.#scales, title, target };
    const below = this.#top + stagePicture(scene, snapshots, options).height - MARGIN;
    const arithmetic = this.#arithmetic(stop, below);
    const travel = this.#travel(stop, options, arithmetic);
    const end = arithmetic ? arithmetic.bottom + UNDER : 0;
    this.height = Math.max(this.height, Math.ceil(Math.max(below, end) + FOOT));
    this.travels.push(this.#moves(stop) ? (travel?.ends ?? 0) : null);
    this.#stops.push({ stop, options, head: this.#head(stop), arithmetic, travel });
  }

  /** Whether a stop has numbers that Play brings. */
  #moves({ told, snapshots }: FilmStop): boolean {
    return told !== null && (snapshots.get(told.cell.node)?.data.length ?? 0) > 0;
  }

  #head(stop: FilmStop): Shape[] {
    const { ink, ink2 } = this.#palette;
    const beside = MARGIN + headingWidth(stop.heading);
    return [
      letters(MARGIN, TITLE, this.#text.title, SIZE.title, ink, { family: "serif", weight: 600 }),
      letters(MARGIN, HEADING, stop.heading, SIZE.heading, ink, { weight: 600 }),
      ...headOf(stop, this.width).map((line, at) =>
        letters(at === 0 ? beside : MARGIN, HEADING + LINE * at, line, SIZE.heading, ink2),
      ),
    ];
  }

  /** The arithmetic at its place in the scene, or below a scene that has none for it. */
  #arithmetic({ scene, snapshots, told }: FilmStop, below: number): Arithmetic | null {
    if (!told?.explanation) return null;
    const layout = layoutOf(told.explanation, told.nodeWords, this.#text.words);
    const { note } = scene;
    const y = note ? note.y + MARGIN + this.#top : below + 12;
    const width = note?.width ?? this.width - 2 * MARGIN;
    const height = note ? roomBelow(scene, snapshots, note) : Infinity;
    return arithmeticOf(layout, { x: (note?.x ?? 0) + MARGIN, y, width, height }, this.#palette);
  }

  #travel(stop: FilmStop, options: PictureOptions, arithmetic: Arithmetic | null): Travel | null {
    const { told, scene, snapshots } = stop;
    if (!told?.explanation) return null;
    const stage = drawnStage(scene, snapshots, { ...options, play: this.#progress(stop, 0) });
    const inFilm = ({ x, y, ...size }: Rectangle): Rectangle => ({
      x: x + MARGIN,
      y: y + MARGIN + this.#top,
      ...size,
    });
    const parts = travelParts(told.explanation, {
      copyOf: (cell, value) => {
        const copy = copyOfCell(cell, value, stage);
        return copy && { ...copy, cell: inFilm(copy.cell) };
      },
      note: arithmetic?.places ?? null,
      isInSight: () => true,
    });
    return parts && travelOf(parts);
  }

  #progress({ told, snapshots }: FilmStop, swept: number): Progress | undefined {
    if (!told) return undefined;
    const { node } = told.cell;
    const count = snapshots.get(node)?.data.length ?? 0;
    if (swept === 1 || count === 0) return { step: told.step, sweep: null };
    return { step: told.step, sweep: Math.ceil(swept * count), node };
  }

  /** What is behind the travelling numbers; the same for moments with the same key. */
  background({ stop: at, swept }: Moment): { key: string; picture: () => PictureShapes } {
    const play = this.#progress(this.#stops[at]!.stop, swept);
    return { key: `${at} ${play?.sweep}`, picture: () => this.#background(this.#stops[at]!, play) };
  }

  #background({ stop, options, head }: Prepared, play: Progress | undefined): PictureShapes {
    const { width, height } = this;
    const { rule2, ink3 } = this.#palette;
    const stage = stagePicture(stop.scene, stop.snapshots, { ...options, ...(play && { play }) });
    const shapes: Shape[] = [
      ...head,
      { kind: "moved", right: 0, down: this.#top, shapes: stage.shapes },
      {
        kind: "path",
        d: `M${MARGIN} ${height - FOOT + 4.5}H${width - MARGIN}`,
        stroke: { colour: cssColour(rule2), weight: 1 },
      },
      letters(MARGIN, height - 11, this.#text.address, FOOT_SIZE, ink3),
    ];
    return { width, height, paper: stage.paper, title: this.#text.title, shapes };
  }

  /** What is in front of it: the arithmetic, and the numbers on their way. */
  front({ stop: at, travel: time }: Moment): Shape[] {
    const { arithmetic, travel } = this.#stops[at]!;
    if (time === null || !travel) return arithmetic?.shapes([], false) ?? [];
    const scene = travelAt(travel, time);
    return [
      ...(arithmetic?.shapes(scene.hiddenLines, scene.hidesResult) ?? []),
      ...travelShapes(scene, this.#palette),
    ];
  }
}
