/** What the page knows of a lab: from a Config to the scene to draw and the words to say. No arithmetic; its graph is built in the worker. */
import type { ConfigOf, LabId, NumbersOf } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import type { FormulaElement } from "../marks/formula.js";
import type { Room, RoomAt, Scene, Snapshots } from "../marks/scene.js";
import type { Control, FormulaPart, NodeWords, Remark, Step } from "../marks/wording.js";

export type * from "../marks/scene.js";
export type * from "../marks/wording.js";

/** Time in a lab that learns: the control that holds the step, and the last there is. */
export interface Time {
  control: string;
  at: number;
  last: number;
  /** What is counted: "step". */
  label: string;
}

export interface Lab<L extends LabId> {
  id: L;
  /** The formulas it may show, by id. Symbols a reader can point at are written \class{sym-NAME}{…} in the .tex. */
  formulas: Readonly<Record<string, FormulaElement>>;
  /** All pure. */
  title(config: ConfigOf<L>, words: Words): string;
  lede(config: ConfigOf<L>, words: Words, narrow: boolean): string;
  /** The settings sentence with {slots}, and its controls. */
  sentence(config: ConfigOf<L>, words: Words): { text: string; controls: Control[] };
  /** The numbers after a control was set to `value`, or a message naming field, expected and actual. */
  change(
    numbers: NumbersOf[L],
    control: string,
    value: string,
    words: Words,
  ): NumbersOf[L] | { refused: string };
  /**
   * Which part of the lab the stage opens for a target: a picture, and the row, head or word in it, as `remembered` writes them.
   * `room.arrangement` is the last one, which stays while it holds the target, so that nothing moves away from under a pointer.
   * A scene depends on this and never on the target itself.
   */
  arrange(config: ConfigOf<L>, room: RoomAt): string;
  scene(config: ConfigOf<L>, snapshots: Snapshots, room: Room): Scene;
  /** Thumbnails of all tensors in a row, for narrow screens; the operands of step `room.step` are underlined. */
  strip(config: ConfigOf<L>, snapshots: Snapshots, room: Room): Scene;
  /** `snapshots` are those of `config`, or none while they are not computed: some labs name rows by what was computed. */
  steps(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Step[];
  /** The formula of these settings: its id in `formulas` and what its symbols stand for. */
  formula(config: ConfigOf<L>, words: Words, snapshots: Snapshots): { id: string; parts: FormulaPart[] };
  /** `snapshots` as of `steps`. */
  nodeWords(config: ConfigOf<L>, node: string, words: Words, snapshots: Snapshots): NodeWords;
  /** Whether the words' vectors are drawn, so that what looks at what means nothing yet: said with a way to what was trained. */
  untrained?(config: ConfigOf<L>): boolean;
  /** False where numbers are counted, not computed from one another: the note has no switch to gradients. */
  gradients?: false;
  /** A telling cell to open with. */
  opening(config: ConfigOf<L>): { node: string; index: number[] };
  /** Of a lab that learns: its steps, which Play walks through and the reader moves in. */
  time?(config: ConfigOf<L>, words: Words): Time | null;
  /** Things worth saying about these numbers: a fully masked row, a NaN. */
  remarks(config: ConfigOf<L>, snapshots: Snapshots, words: Words): Remark[];
}

/*
 * Below the first screen stands the lab's lesson, with its concepts. It is not part of a Lab, for a frame shows none: see lesson.ts
 * for what a lesson is, and lessons.ts, which names its file. attention/lesson.ts is an example.
 */
