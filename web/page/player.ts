/**
 * Play for stops: goes through the stops of a lab, reveals each result, and pauses for reading. DESIGN.md,
 * section 7.
 */
import type { Travel } from "../marks/flight.js";
import type { Step } from "../marks/wording.js";
import { firstCell } from "./cells.js";
import type { Playground, Progress } from "./playground.js";
import { firstStop } from "./stops.js";

/** Milliseconds: to show frames, to sweep the result, to read the very first number, to read a stop. */
const times = { frames: 90, sweep: 420, first: 900, read: 2000 };

/** The travel of the numbers of a stop; null where none can be shown. */
export interface Flights {
  prepare(): Promise<Travel | null>;
  /** Shows a moment; false when the travel cannot go on. */
  show(travel: Travel, time: number): boolean;
  hide(): void;
}

const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Player {
  isPlaying = false;
  /** Whether Step moves to a stop. */
  isStepping = false;
  readonly #playground: () => Playground | null;
  readonly #steps: () => Step[];
  readonly #onChange: () => void;
  readonly #onStopChange: () => void;
  readonly #flights: Flights;
  #walk = 0;
  /** The stop that stays while the Tab key moves the focus to this node. */
  #keptStop: { node: string; step: number } | null = null;
  /** The value of `playground.openingCount` when the walk began. */
  #opening = 0;

  /** `onStopChange` is called whenever another stop is gone to. */
  constructor(
    playground: () => Playground | null,
    steps: () => Step[],
    onChange: () => void,
    onStopChange: () => void,
    flights: Flights,
  ) {
    this.#playground = playground;
    this.#steps = steps;
    this.#onChange = onChange;
    this.#onStopChange = onStopChange;
    this.#flights = flights;
  }

  /** The stop that the reader is at: that of Play, else that of the target. */
  get current(): number {
    const playground = this.#playground();
    if (!playground) return 0;
    if (playground.progress) return playground.progress.step;
    const node = playground.cell?.node;
    if (this.#keptStop && this.#keptStop.node === node) return this.#keptStop.step;
    const at = this.#steps().findIndex((step) => node !== undefined && step.nodes.includes(node));
    return Math.max(0, at);
  }

  /** Resolves to whether the last stop was reached. */
  async play(): Promise<boolean> {
    const playground = this.#playground();
    if (!playground) return false;
    const last = this.#steps().length - 1;
    const next = playground.progress ? playground.progress.step + 1 : this.#first();
    const from = next > last ? this.#first() : next;
    const walk = this.#begin(true);
    for (let step = from; step <= last; step++) {
      if (!(await this.#stop(step, walk, step === from))) return false;
      if (step < last && !(await this.#wait(times.read, walk))) return false;
    }
    this.stop();
    return true;
  }

  /** Goes to the next stop and sweeps it. Resolves to whether it was reached. */
  async step(): Promise<boolean> {
    const last = this.#steps().length - 1;
    const at = this.current;
    const next = at >= last ? 0 : at + 1;
    const walk = this.#begin(false);
    this.isStepping = true;
    const hasReached = await this.#stop(next, walk);
    // A pause shows all of the stop.
    if (walk !== this.#walk) return hasReached || this.#playground()?.progress?.step === next;
    this.isStepping = false;
    if (next === last) this.#playground()?.setProgress(null);
    return hasReached;
  }

  /** The stop where Play begins. */
  #first(): number {
    return firstStop(this.#steps(), this.#playground()!.snapshots);
  }

  /** The Tab key moves the focus to a tensor: the stop stays. */
  keepStop(node: string): void {
    this.#keptStop = { node, step: this.current };
  }

  /** The reader goes to a cell: Play advances to the stop of that cell. */
  reach(node: string): void {
    this.#keptStop = null;
    const playground = this.#playground();
    const at = this.#steps().findIndex(({ nodes }) => nodes.includes(node));
    if (playground?.progress && at > playground.progress.step) playground.setProgress(this.#all(at));
  }

  /** Progress that shows all of this stop and nothing of later ones. */
  #all(step: number): Progress | null {
    const steps = this.#steps();
    const id = steps[step]?.id ?? "";
    return step < steps.length - 1 ? { step, id, sweep: null } : null;
  }

  back(): void {
    this.pause();
    this.go(Math.max(0, this.current - 1));
  }

  /** Goes to a stop, with all of it drawn. */
  go(step: number): void {
    this.pause();
    const cell = this.#steps()[step]?.cell;
    const playground = this.#playground();
    this.#keptStop = null;
    this.#onStopChange();
    playground?.setProgress(this.#all(step));
    if (cell) playground?.target(cell);
  }

  /** Pauses where it is; later tensors stay undrawn until the reader moves on. */
  pause(): void {
    this.#walk++;
    const playground = this.#playground();
    if (playground?.progress) playground.setProgress({ ...playground.progress, sweep: null });
    this.isPlaying = this.isStepping = false;
    this.#onChange();
  }

  /** Ends Play: everything is drawn. */
  stop(): void {
    this.#walk++;
    this.isPlaying = this.isStepping = false;
    if (this.#playground()?.progress) this.#playground()?.setProgress(null);
    this.#onChange();
  }

  #begin(playing: boolean): number {
    this.isPlaying = playing;
    this.isStepping = false;
    this.#onChange();
    this.#opening = this.#playground()?.openingCount ?? 0;
    return ++this.#walk;
  }

  /** Whether a walk continues: no other input took over, and the state it goes through is still open. */
  #continues(walk: number): boolean {
    if (walk !== this.#walk) return false;
    if (this.#playground()?.openingCount === this.#opening) return true;
    this.stop();
    return false;
  }

  /** Waits, longer while the page is hidden; false when another input took over. */
  async #wait(milliseconds: number, walk: number): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    while (document.hidden && this.#continues(walk)) {
      await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
    }
    return this.#continues(walk);
  }

  /**
   * Shows one stop: frames its operands, lets the numbers of its main cell travel, sweeps the tensor of that cell row
   * by row, and explains the cell. At the first stop, one number is shown before the sweep where none can
   * travel.
   */
  async #stop(place: number, walk: number, first = false): Promise<boolean> {
    const playground = this.#playground();
    const step = this.#steps()[place];
    if (!playground || !step) return false;
    this.#keptStop = null;
    this.#onStopChange();
    const { node } = step.cell;
    const snapshot = playground.snapshots.get(node);
    const count = snapshot?.data.length ?? 0;
    if (reducedMotion() || count === 0) {
      playground.setProgress({ step: place, id: step.id, sweep: null });
      playground.target(step.cell);
      return true;
    }
    const sweepTo = (sweep: number | null): void =>
      playground.setProgress({ step: place, id: step.id, sweep, ...(sweep !== null && { node }) });
    sweepTo(0);
    playground.target(step.cell);
    if (!(await this.#wait(times.frames, walk))) return false;
    const travel = await this.#flights.prepare();
    try {
      if (!this.#continues(walk)) return false;
      const ends = travel?.ends ?? 0;
      if (!(await this.#frames(ends, walk, (time) => !travel || this.#flights.show(travel, time))))
        return false;
      if (!travel) {
        if (first && snapshot) playground.target(firstCell(snapshot));
        sweepTo(1);
        if (first && !(await this.#wait(times.first, walk))) return false;
      }
      const sweep = (time: number): boolean => {
        sweepTo(Math.max(1, Math.ceil((time / times.sweep) * count)));
        if (travel) this.#flights.show(travel, ends + time);
        return true;
      };
      if (!(await this.#frames(times.sweep, walk, sweep))) return false;
    } finally {
      if (travel) this.#flights.hide();
    }
    sweepTo(null);
    playground.target(step.cell);
    return true;
  }

  /** Calls `draw` in every frame for some milliseconds, or until it returns false; false when another input took over. */
  async #frames(takes: number, walk: number, draw: (time: number) => boolean): Promise<boolean> {
    const began = performance.now();
    for (;;) {
      await new Promise(requestAnimationFrame);
      if (!this.#continues(walk)) return false;
      const time = performance.now() - began;
      if (time >= takes || !draw(time)) return true;
    }
  }
}
