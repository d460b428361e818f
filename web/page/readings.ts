/** What the reader, or a link, has asked the stage to be read as, as the view says: a comparison, over it a gradient. */
import type { Comparison } from "./compare.js";
import type { Client } from "./client.js";
import type { Gradient } from "./gradient.js";
import { sameCell, type Cell } from "../marks/board.js";
import { hasGradient, withNumbers } from "./open-lab.js";
import type { Playground } from "./playground.js";
import type { StageReading } from "./stage-reading.js";

/** What comparisons and gradients are made with. */
export type StageReadings = Pick<typeof import("./stage-readings.js"), "Comparison" | "Gradient">;

export class Readings {
  readonly #client: Client;
  readonly #playground: Playground;
  readonly #changed: () => void;
  readonly #load: () => Promise<StageReadings | null>;
  /** Null before a comparison or a gradient was asked for. */
  #parts: StageReadings | null;
  #fetching = false;
  #comparison: Comparison | null = null;
  #gradient: Gradient | null = null;

  /** `parts`: what they are made with, or what fetches that when it is first asked for; null where it could not be had: then nothing is read. */
  constructor(
    client: Client,
    playground: Playground,
    changed: () => void,
    parts: StageReadings | (() => Promise<StageReadings | null>),
  ) {
    this.#client = client;
    this.#playground = playground;
    this.#changed = changed;
    const load = typeof parts === "function";
    this.#parts = load ? null : parts;
    this.#load = load ? parts : () => Promise.resolve(parts);
  }

  get current(): StageReading | null {
    return this.#gradient ?? this.#comparison;
  }

  get comparing(): boolean {
    return this.#playground.config.view.before !== undefined;
  }

  /** Whether there are numbers to keep. */
  get ready(): boolean {
    return this.#playground.shown !== null;
  }

  /** Keeps the numbers on the stage, or lets those kept go. */
  compare(): void {
    const { shown, config } = this.#playground;
    const begins = !config.view.before && shown?.view.lab === config.view.lab;
    const { gradient } = begins ? {} : config.view;
    this.#set({ before: begins ? shown.numbers : undefined, gradient });
  }

  /** Shows the gradient of a cell, or that of this cell no more. */
  gradient(cell: Cell): void {
    const { gradient } = this.#playground.config.view;
    if (gradient && sameCell(gradient, cell)) this.#set({ gradient: undefined });
    // A pinned target would not follow the pointer from number to number.
    else this.#set({ gradient: { node: cell.node, index: [...cell.index] }, pinned: false });
  }

  /** Ends what is shown. */
  stop(): void {
    this.#set(this.#playground.config.view.gradient ? { gradient: undefined } : { before: undefined });
  }

  #set(view: Parameters<Playground["setView"]>[0]): void {
    this.#playground.setView({ ...view, read: undefined });
  }

  async #fetch(): Promise<void> {
    if (this.#fetching) return;
    this.#fetching = true;
    this.#parts = await this.#load();
    this.#fetching = false;
    if (!this.#parts) return this.#set({ before: undefined, gradient: undefined });
    this.follow();
    this.#changed();
  }

  /** To be called after every change of the playground. */
  follow(): void {
    const playground = this.#playground;
    const { config, shown, snapshots } = playground;
    const { lab, before, gradient } = config.view;
    if (!this.#parts && (before || gradient)) return void this.#fetch();
    if (!this.#parts) return;
    const { Comparison, Gradient } = this.#parts;
    if (this.#comparison?.kept.numbers !== before)
      this.#comparison = before
        ? new Comparison(this.#client, withNumbers(config, before), playground, this.#changed)
        : null;
    const same = this.#gradient?.lab === lab && gradient && sameCell(this.#gradient.of, gradient);
    if (!same) this.#gradient = gradient ? new Gradient(this.#client, gradient, lab, this.#changed) : null;
    // Until its lab is there the numbers are another's.
    if (shown?.view.lab !== lab) return;
    if (gradient && shown.numbers === config.numbers && !hasGradient(config, snapshots, gradient))
      return playground.setView({ gradient: undefined });
    void this.#comparison?.follow(playground);
    void this.#gradient?.follow(playground);
  }
}
