/** The events of ap-stage; all bubble and cross shadow roots. */
import type { Cell } from "../../marks/board.js";
import type { Rail } from "../../marks/scene.js";

export interface StageEvents {
  /** The target moved. While a cell is pinned only the keyboard moves it. */
  "cell-focus": Cell & { by: "pointer" | "keyboard" };
  /** The pointer or the focus left; the last target stays. */
  "cell-leave": Record<string, never>;
  /** The cell is pinned, or unpinned when it is the pinned cell. */
  "cell-pin": Cell;
  /** Esc was pressed on a cell that is not pinned; the cell loses the focus unless the event is prevented. */
  "cell-escape": Record<string, never>;
  "cell-edit": Cell & { value: number };
  /** One cell of a stroke; `done` ends the stroke and repeats its last cell. */
  "mask-paint": { row: number; column: number; allowed: boolean; done: boolean };
  /**
   * A handle, or a number where it stands, was dragged to another value. `isFirst` begins a drag: with the later values it is one step to
   * undo. `cell` becomes the target.
   */
  "number-drag": { changes: Rail["changes"]; value: number; cell: Cell | null; isFirst: boolean };
  /** The numbers of a dragged value are there, and this cell becomes the target. */
  "rail-settle": Cell;
  /** A symbol, a caption or an operator is pointed at. */
  "node-point": { node: string | null };
  /** A thumbnail is chosen. */
  "node-go": { node: string };
  /** A control of the sentence should open beside `beside`. */
  "control-open": { control: string; beside: HTMLElement };
  "control-set": { control: string; value: string };
  "cell-follow": { direction: "source" | "result" };
  "cell-copy": Record<string, never>;
  /** The menu of a tensor should open; `at` is the window rectangle to place it at. */
  "take-open": { node: string; board: string | null; at: DOMRect };
}

/** Dispatches an event; returns false when it was prevented. */
export function dispatchStageEvent<Name extends keyof StageEvents>(
  from: EventTarget,
  name: Name,
  detail: StageEvents[Name],
): boolean {
  return from.dispatchEvent(
    new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }),
  );
}
