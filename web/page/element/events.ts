/**
 * The events that an element dispatches to the page around it: other numbers were computed, or another cell
 * is explained.
 */
import { encode } from "../../config/codec.js";
import type { Config } from "../../config/config.js";
import { sameCell, type Cell } from "../../marks/board.js";
import { valueAt } from "../cells.js";
import type { Change, Playground } from "../playground.js";

/** Events of the elements inside, which do not concern the host page. */
const inner = ["cell-focus", "play", "pause", "step", "back", "go", "time"];
const keepInside = (event: Event): void => event.stopPropagation();

export class ElementEvents {
  readonly #element: HTMLElement;
  /** The values that the last two events reported. */
  #lastReported: { shown: Config | null; cell: Cell | null } = { shown: null, cell: null };

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Call once, with the root that contains all inner elements. */
  keepInside(root: EventTarget): void {
    for (const name of inner) root.addEventListener(name, keepInside);
  }

  /** Dispatches an event when other numbers are shown or another cell is explained. */
  report(playground: Playground, kind: Change): void {
    const { computedConfig, cell, snapshots } = playground;
    if (kind === "state" && computedConfig !== this.#lastReported.shown) {
      this.#lastReported.shown = computedConfig;
      const { drawnState } = playground;
      this.#dispatch("change", {
        get src() {
          return `#${encode(drawnState)}`;
        },
      });
    }
    if (cell && !sameCell(cell, this.#lastReported.cell) && snapshots.has(cell.node)) {
      this.#lastReported.cell = cell;
      const { node: tensor, index } = cell;
      this.#dispatch("cell-focus", {
        tensor,
        index: [...index],
        value: valueAt(snapshots.get(tensor), index),
      });
    }
  }

  #dispatch(name: "change" | "cell-focus", detail: unknown): void {
    this.#element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
