/**
 * The hint at a number of the first example that numbers can be dragged. It is shown until the reader first
 * changes a number or goes through the stops; this browser remembers that.
 */
import type { Cell } from "../marks/board.js";
import type { Playground } from "./playground.js";

const key = "attention-playground:dragged";
const example = "four-words";

export class PullHint {
  /** The cell that the hint is at; null for no hint. */
  cell: Cell | null = null;
  readonly #store: Pick<Storage, "getItem" | "setItem"> | null;
  #isOver = false;

  constructor(store: Pick<Storage, "getItem" | "setItem"> | null) {
    this.#store = store;
    try {
      this.#isOver = store?.getItem(key) === "1";
    } catch {
      // A store that cannot be read counts as empty.
    }
  }

  /** Call after every change of the playground. */
  follow({ config, computedConfig, progress }: Playground): void {
    const isThere = computedConfig?.example === example && config.example === example && !progress;
    if (this.cell && !isThere && (progress || config.numbers.edits.length > 0)) this.#end();
    this.cell = isThere && !this.#isOver ? { node: "W_Q", index: [0, 0] } : null;
  }

  #end(): void {
    this.#isOver = true;
    try {
      this.#store?.setItem(key, "1");
    } catch {
      // The hint stays away as long as the page is open.
    }
  }
}
