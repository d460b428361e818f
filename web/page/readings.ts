/** What the reader has asked the stage to be read as; a comparison lasts while its lab is open. */
import { Comparison } from "./compare.js";
import type { Client } from "./client.js";
import type { Playground } from "./playground.js";
import type { StageReading } from "./stage-reading.js";

export class Readings {
  readonly #client: Client;
  readonly #playground: Playground;
  readonly #changed: () => void;
  #comparison: Comparison | null = null;

  constructor(client: Client, playground: Playground, changed: () => void) {
    this.#client = client;
    this.#playground = playground;
    this.#changed = changed;
  }

  get current(): StageReading | null {
    return this.#comparison;
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
    this.#changed();
  }

  stop(): void {
    this.#comparison = null;
    this.#changed();
  }

  /** To be called after every change of the playground. */
  follow(): void {
    const playground = this.#playground;
    const comparison = this.#comparison;
    if (comparison && playground.config.view.lab !== comparison.kept.view.lab) this.#comparison = null;
    void this.#comparison?.follow(playground);
  }
}
