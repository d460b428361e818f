/** What ap-stage says, by the name of its event; all bubble and cross shadow roots. */
import type { Cell } from "../../marks/board.js";

export interface StageEvents {
  /** The target moved. While a cell is pinned only the keyboard moves it. */
  "cell-focus": Cell & { by: "pointer" | "keyboard" };
  /** The pointer or the focus left; the last target stays. */
  "cell-leave": Record<string, never>;
  /** Pins the cell; of the pinned cell itself: unpins it. */
  "cell-pin": Cell;
  /** Esc was pressed on a cell that is not pinned, which loses the focus unless this is prevented. */
  "cell-escape": Record<string, never>;
  "cell-edit": Cell & { value: number };
  /** One cell of a stroke; `done` ends the stroke and repeats its last cell. */
  "mask-paint": { row: number; column: number; allowed: boolean; done: boolean };
  /** A symbol, a caption or an operator is pointed at. */
  "node-point": { node: string | null };
  /** A thumbnail is chosen. */
  "node-go": { node: string };
  "cell-follow": { direction: "source" | "result" };
  "cell-copy": Record<string, never>;
  /** A tensor is to be taken away; `at` is where its menu may stand, in the window. */
  "take-open": { node: string; board: string | null; at: DOMRect };
}

/** Answers whether nobody prevented it. */
export function say<Name extends keyof StageEvents>(
  from: EventTarget,
  name: Name,
  detail: StageEvents[Name],
): boolean {
  return from.dispatchEvent(
    new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }),
  );
}
