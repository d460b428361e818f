/**
 * The interface of what the stage can show in place of the numbers themselves: a comparison, or a gradient.
 */
import type { Explanation } from "../core/attention.js";
import type { gradientLayout } from "../elements/note/gradient.js";
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
  /** Another act that the line offers. */
  other?: { label: string; act: () => void };
}

export interface StageReading {
  line(playground: Playground, words: Words): ReadingLine;
  show(value: string, playground: Playground): void;
  /** Null when the numbers are shown as they are. */
  scenes(playground: Playground, words: Words): SceneReader | null;
  /** What the note explains of the target, and how it lays out a gradient. */
  explanationOf(playground: Playground): Explanation | null;
  gradientLayout?: typeof gradientLayout;
  /** The cell whose gradient is shown. */
  of?: Cell;
  /** The cells that the note's links lead to; when absent or null, those computed from the target. */
  resultCells?(playground: Playground): (Cell & { value: number; gradient?: true })[] | null;
  /** The next cell of a walk along the numbers; when absent or undefined, the playground decides. */
  next?(direction: "source" | "result", playground: Playground): Cell | null | undefined;
}
