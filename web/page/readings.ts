/**
 * The comparison and the gradient that the view asks for. While both are on, the stage shows the gradient.
 */
import type { Comparison } from "./compare.js";
import type { Client } from "./client.js";
import type { Gradient } from "./gradient.js";
import { sameCell, type Cell } from "../marks/board.js";
import { hasGradient, withNumbers } from "./open-lab.js";
import type { Playground } from "./playground.js";
import type { StageReading } from "./stage-reading.js";

/** The classes of comparisons and gradients. */
export type StageReadings = Pick<typeof import("./stage-readings.js"), "Comparison" | "Gradient">;

export class Readings {
  readonly #client: Client;
  readonly #playground: Playground;
  readonly #onChange: () => void;
  readonly #load: () => Promise<StageReadings | null>;
  /** Null until a comparison or a gradient was first requested. */
  #parts: StageReadings | null;
  #isFetching = false;
  #comparison: Comparison | null = null;
  #gradient: Gradient | null = null;

  /**
   * `parts`: the classes, or a function that fetches them when first needed and resolves to null when that
   * fails; then neither is shown.
   */
  constructor(
    client: Client,
    playground: Playground,
    onChange: () => void,
    parts: StageReadings | (() => Promise<StageReadings | null>),
  ) {
    this.#client = client;
    this.#playground = playground;
    this.#onChange = onChange;
    const load = typeof parts === "function";
    this.#parts = load ? null : parts;
    this.#load = load ? parts : () => Promise.resolve(parts);
  }

  get current(): StageReading | null {
    return this.#gradient ?? this.#comparison;
  }

  get isComparing(): boolean {
    return this.#playground.config.view.before !== undefined;
  }

  /** Whether there are numbers to compare with. */
  get canCompare(): boolean {
    return this.#playground.computedConfig !== null;
  }

  /** Starts a comparison with the numbers on the stage, or ends the present one. */
  compare(): void {
    const { computedConfig, config } = this.#playground;
    const begins = !config.view.before && computedConfig?.view.lab === config.view.lab;
    const { gradient } = begins ? {} : config.view;
    this.#set({ before: begins ? computedConfig.numbers : undefined, gradient });
  }

  /** Shows the gradient of a cell, or ends it when it is shown already. */
  gradient(cell: Cell): void {
    const { gradient } = this.#playground.config.view;
    if (gradient && sameCell(gradient, cell)) this.#set({ gradient: undefined });
    // A pinned target would not follow the pointer.
    else this.#set({ gradient: { node: cell.node, index: [...cell.index] }, pinned: false });
  }

  /** Ends the gradient, else the comparison. */
  stop(): void {
    this.#set(this.#playground.config.view.gradient ? { gradient: undefined } : { before: undefined });
  }

  #set(view: Parameters<Playground["setView"]>[0]): void {
    this.#playground.setView({ ...view, read: undefined });
  }

  async #fetch(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#parts = await this.#load();
    this.#isFetching = false;
    if (!this.#parts) return this.#set({ before: undefined, gradient: undefined });
    this.follow();
    this.#onChange();
  }

  /** Call after every change of the playground. */
  follow(): void {
    const playground = this.#playground;
    const { config, computedConfig, snapshots } = playground;
    const { lab, before, gradient } = config.view;
    if (!this.#parts && (before || gradient)) return void this.#fetch();
    if (!this.#parts) return;
    const { Comparison, Gradient } = this.#parts;
    if (this.#comparison?.storedConfig.numbers !== before)
      this.#comparison = before
        ? new Comparison(this.#client, withNumbers(config, before), playground, this.#onChange)
        : null;
    const same = this.#gradient?.lab === lab && gradient && sameCell(this.#gradient.of, gradient);
    if (!same) this.#gradient = gradient ? new Gradient(this.#client, gradient, lab, this.#onChange) : null;
    // Until the lab of the Config is drawn, the numbers are those of another.
    if (computedConfig?.view.lab !== lab) return;
    if (gradient && computedConfig.numbers === config.numbers && !hasGradient(config, snapshots, gradient))
      return playground.setView({ gradient: undefined });
    void this.#comparison?.follow(playground);
    void this.#gradient?.follow(playground);
  }
}
