/** What the reader has asked the stage to be read as: a comparison, over it a gradient. They last while their lab is open. */
import { Comparison } from "./compare.js";
import type { Client } from "./client.js";
import { Gradient } from "./gradient.js";
import { sameCell, type Cell } from "../marks/board.js";
import type { Playground } from "./playground.js";
import type { StageReading } from "./stage-reading.js";

export class Readings {
  readonly #client: Client;
  readonly #playground: Playground;
  readonly #changed: () => void;
  #comparison: Comparison | null = null;
  #gradient: Gradient | null = null;

  constructor(client: Client, playground: Playground, changed: () => void) {
    this.#client = client;
    this.#playground = playground;
    this.#changed = changed;
  }

  get current(): StageReading | null {
    return this.#gradient ?? this.#comparison;
  }

  get comparing(): boolean {
    return this.#comparison !== null;
  }

  /** Whether there are numbers to keep. */
  get ready(): boolean {
    return this.#playground.shown !== null;
  }

  /** Keeps the numbers on the stage, or lets those kept go. */
  compare(): void {
    const { shown, snapshots } = this.#playground;
    const begins = this.#comparison === null && shown !== null;
    this.#comparison = begins ? new Comparison(this.#client, shown, snapshots, this.#changed) : null;
    if (begins) this.#gradient = null;
    this.#changed();
  }

  /** Shows the gradient of a cell, or that of this cell no more. */
  gradient(cell: Cell): void {
    const playground = this.#playground;
    const again = this.#gradient !== null && sameCell(this.#gradient.of, cell);
    this.#gradient = again ? null : new Gradient(this.#client, cell, playground.config, this.#changed);
    // A pinned target would not follow the pointer from number to number.
    if (!again && playground.config.view.pinned) playground.setView({ pinned: false });
    this.#changed();
    this.follow();
  }

  /** Ends what is shown. */
  stop(): void {
    if (this.#gradient) this.#gradient = null;
    else this.#comparison = null;
    this.#changed();
  }

  /** To be called after every change of the playground. */
  follow(): void {
    const playground = this.#playground;
    const comparison = this.#comparison;
    if (comparison && playground.config.view.lab !== comparison.kept.view.lab) this.#comparison = null;
    if (this.#gradient && !this.#gradient.stands(playground)) this.#gradient = null;
    void this.#comparison?.follow(playground);
    void this.#gradient?.follow(playground);
  }
}
