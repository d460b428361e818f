/**
 * What the page needs of a lab: the scene to draw and the texts to show for a Config. It contains no arithmetic; the graph is
 * built in the worker.
 */
import type { ConfigOf, LabId, NumbersOf } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import type { FormulaElement } from "../marks/formula.js";
import type { Room, TargetRoom, Scene, Snapshots } from "../marks/scene.js";
import type { Control, FormulaPart, NodeWords, Remark, Step } from "../marks/wording.js";

export type * from "../marks/scene.js";
export type * from "../marks/wording.js";

/** The steps of a lab that learns: the control that holds the current step, and the last step. */
export interface Time {
  control: string;
  at: number;
  last: number;
  /** The name of a step: "step". */
  label: string;
  /**
   * Whether the steps are computed while one watches: Play asks for the last step, and the answers are moments on the way, of which `at` is
   * the one that is drawn.
   */
  isLive?: true;
  /** The steps that can be shown without computing them again. */
  kept?: readonly number[];
  /** A sentence at the end of the bar. */
  sentence?: string;
}

export interface Lab<L extends LabId> {
  id: L;
  /** The formulas that the lab may show, by id. A symbol that a reader can point at is written \class{sym-NAME}{…} in the .tex file. */
  formulas: Readonly<Record<string, FormulaElement>>;
  /** All of these are pure functions. */
  title(config: ConfigOf<L>, words: Words): string;
  lede(config: ConfigOf<L>, words: Words, isNarrow: boolean): string;
  /** The settings sentence with {slots}, and its controls; some offer the names of computed tensors. */
  sentence(config: ConfigOf<L>, words: Words, snapshots?: Snapshots): { text: string; controls: Control[] };
  /** The numbers after a control was set to `value`, or a message naming field, expected and actual. */
  change(
    numbers: NumbersOf[L],
    control: string,
    value: string,
    words: Words,
  ): NumbersOf[L] | { refused: string };
  /**
   * Which part of the lab the stage opens for a target, as a string of `writeArrangement`: a picture, and the row, head or word in
   * it. `room.arrangement` is the previous one. It is kept while it shows the target, so that nothing moves away from under a
   * pointer. A scene depends on this string and never on the target itself.
   */
  arrange(config: ConfigOf<L>, room: TargetRoom): string;
  scene(config: ConfigOf<L>, snapshots: Snapshots, room: Room): Scene;
  /** Thumbnails of all tensors in a row, for narrow screens; the operands of step `room.step` are underlined. Null if the picture shows everything. */
  strip(config: ConfigOf<L>, snapshots: Snapshots, room: Room): Scene | null;
  /** `snapshots` belong to `config`; they are empty until they are computed. Some labs name rows by computed numbers. */
  steps(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Step[];
  /** The formula for these settings: its id in `formulas`, and what its symbols stand for. */
  formula(config: ConfigOf<L>, words: Words, snapshots: Snapshots): { id: string; parts: FormulaPart[] };
  /** `snapshots` are as for `steps`. */
  nodeWords(config: ConfigOf<L>, node: string, words: Words, snapshots: Snapshots): NodeWords;
  /** Whether the word vectors are random, so that the attention weights mean nothing yet. The page then says so and links to trained ones. */
  untrained?(config: ConfigOf<L>): boolean;
  /** False if the numbers are counts, which have no gradients: the note then has no gradient switch. */
  gradients?: false;
  /** The cell that a wide note explains beside a cell: the same number computed another way. It may not exist. */
  counterpart?(cell: { node: string; index: number[] }): { node: string; index: number[] };
  /** The cell that the lab opens with; `snapshots` are as for `steps`. */
  opening(config: ConfigOf<L>, snapshots: Snapshots): { node: string; index: number[] };
  /** The steps of a lab that learns. Play goes through them, and the reader can move among them. */
  time?(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Time | null;
  /** Remarks about these numbers: a fully masked row, a NaN. */
  remarks(config: ConfigOf<L>, snapshots: Snapshots, words: Words): Remark[];
}

/*
 * The lesson below the first screen is not part of a Lab, because a frame shows none. See lesson.ts for its types; labs/lessons.ts
 * loads it. labs/attention/lesson.ts is an example.
 */
