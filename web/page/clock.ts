/** Play for a lab that learns: goes through its steps, as fast as they are drawn. */
import type { Time } from "../telling/lab.js";

/**
 * Milliseconds for all the steps; with reduced motion, milliseconds for each of the few steps that are shown.
 */
const totalTime = 6000;
const stepTime = 2000;
const fewSteps = 8;

const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface ClockHost {
  /** The present step and the number of steps; null when nothing is learned. */
  time(): Time | null;
  /** A counter of opened states: Play ends when another state is opened. */
  opening(): number;
  /** Whether the step that was set last has been drawn. */
  isDrawn(): boolean;
  set(control: string, value: string): void;
  changed(): void;
}

export class Clock {
  isPlaying = false;
  readonly #host: ClockHost;
  #walk = 0;

  constructor(host: ClockHost) {
    this.#host = host;
  }

  /**
   * Plays from the present step to the end, or from the beginning when the end is shown, with at most `rate` steps per second if it is
   * given. Resolves to false when another input took over.
   */
  async play(rate?: number): Promise<boolean> {
    const start = this.#host.time();
    if (!start) return false;
    const walk = ++this.#walk;
    const opening = this.#host.opening();
    this.isPlaying = true;
    const from = start.at >= start.last ? 0 : start.at;
    this.go(from);
    const still = !rate && reducedMotion();
    let began = performance.now();
    for (;;) {
      await (still
        ? new Promise((resolve) => setTimeout(resolve, stepTime))
        : new Promise(requestAnimationFrame));
      if (walk !== this.#walk) return false;
      if (opening !== this.#host.opening()) {
        this.pause();
        return false;
      }
      const time = this.#host.time();
      if (!time) break;
      // The first step may be drawn late: time is counted from when it is drawn.
      if (!this.#host.isDrawn()) {
        if (time.at === from) began = performance.now();
        continue;
      }
      const passed = performance.now() - began;
      if (rate && 1000 > passed * rate) continue;
      if (rate) began = performance.now();
      const next = rate
        ? time.at + 1
        : still
          ? time.at + Math.ceil(time.last / fewSteps)
          : from + Math.floor((passed / totalTime) * time.last);
      this.go(Math.min(time.last, next));
      if (next >= time.last) break;
    }
    this.isPlaying = false;
    this.#host.changed();
    return true;
  }

  pause(): void {
    this.#walk++;
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.#host.changed();
  }

  go(at: number): void {
    const time = this.#host.time();
    if (time && at !== time.at) this.goTo({ ...time, at });
    else this.#host.changed();
  }

  /** Sets the step, also where it is drawn already: the control of a run that trains holds the step that it goes to. */
  goTo({ control, at }: Time): void {
    this.#host.set(control, String(at));
  }
}
