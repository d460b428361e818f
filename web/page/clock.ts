/** Play of a lab that learns: walks through its steps, as fast as they are drawn. */
import type { Time } from "../telling/lab.js";

/** Milliseconds for all the steps, and between the few that reduced motion shows. */
const whole = 6000;
const dwell = 2000;
const few = 8;

const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface ClockHost {
  /** The present time; null where nothing is learned. */
  time(): Time | null;
  /** Counts what was opened: Play ends with what it began in. */
  opening(): number;
  /** Whether what was asked for is drawn. */
  settled(): boolean;
  set(control: string, value: string): void;
  changed(): void;
}

export class Clock {
  playing = false;
  readonly #host: ClockHost;
  #walk = 0;

  constructor(host: ClockHost) {
    this.#host = host;
  }

  /** From where it is to the end; from the beginning when it is there. False when another input took over. */
  async play(): Promise<boolean> {
    const start = this.#host.time();
    if (!start) return false;
    const walk = ++this.#walk;
    const opening = this.#host.opening();
    this.playing = true;
    const from = start.at >= start.last ? 0 : start.at;
    this.go(from);
    const still = reducedMotion();
    let began = performance.now();
    for (;;) {
      await (still
        ? new Promise((resolve) => setTimeout(resolve, dwell))
        : new Promise(requestAnimationFrame));
      if (walk !== this.#walk) return false;
      if (opening !== this.#host.opening()) {
        this.pause();
        return false;
      }
      const time = this.#host.time();
      if (!time) break;
      // The first frame may come late: time begins when the beginning is drawn.
      if (!this.#host.settled()) {
        if (time.at === from) began = performance.now();
        continue;
      }
      const part = (performance.now() - began) / whole;
      const next = still ? time.at + Math.ceil(time.last / few) : from + Math.floor(part * time.last);
      this.go(Math.min(time.last, next));
      if (next >= time.last) break;
    }
    this.playing = false;
    this.#host.changed();
    return true;
  }

  pause(): void {
    this.#walk++;
    if (!this.playing) return;
    this.playing = false;
    this.#host.changed();
  }

  go(at: number): void {
    const time = this.#host.time();
    if (time && at !== time.at) this.#host.set(time.control, String(at));
    else this.#host.changed();
  }
}
