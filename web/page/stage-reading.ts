/** What the numbers of a lab are read as in place of themselves: what a lab needs to show it. */
import type { Explanation } from "../core/attention.js";
import type { ReadingOption } from "../elements/reading.js";
import type { Words } from "../i18n/words.js";
import type { SceneReader } from "../marks/reading.js";
import type { Cell } from "../marks/board.js";
import type { Playground } from "./playground.js";

/** The line under the settings. */
export interface ReadingLine {
  name: string;
  text: string;
  options: readonly ReadingOption[];
  value: string;
  stop: string;
  /** What else may be done instead. */
  other?: { label: string; act: () => void };
}

export interface StageReading {
  line(playground: Playground, words: Words): ReadingLine;
  show(value: string, playground: Playground): void;
  /** Null while the numbers stand as they are. */
  scenes(playground: Playground, words: Words): SceneReader | null;
  /** What the note says of the target. */
  explanationOf(playground: Playground): Explanation | null;
  /** The cell whose gradient is shown. */
  of?: Cell;
  /** Where the note's links lead on to; absent or null: to what the cell becomes. */
  becomes?(playground: Playground): (Cell & { value: number; gradient?: true })[] | null;
  /** Where a walk along the numbers leads; absent or undefined: where the playground says. */
  next?(direction: "source" | "result", playground: Playground): Cell | null | undefined;
}
