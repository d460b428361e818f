/** How fast a run trains: steps per second over the last seconds, and the time that the rest takes. */

/** The milliseconds over which the pace is measured. */
const WINDOW = 3000;

interface Mark {
  at: number;
  time: number;
}

export class Pace {
  #marks: Mark[] = [];

  /** The run is at this step now. */
  mark(at: number): void {
    const last = this.#marks.at(-1);
    if (last && at <= last.at) {
      if (at < last.at) this.#marks = [];
      return;
    }
    const time = performance.now();
    this.#marks = [...this.#marks.filter((one) => time - one.time < WINDOW), { at, time }];
  }

  /** The run pauses. */
  stop(): void {
    this.#marks = [];
  }

  /** Null while too little is known. */
  measured(last: number): { rate: number; left: number } | null {
    const [first] = this.#marks;
    const now = this.#marks.at(-1);
    if (!first || !now || now.time === first.time) return null;
    const rate = (1000 * (now.at - first.at)) / (now.time - first.time);
    return { rate: Math.round(rate), left: Math.ceil((last - now.at) / rate) };
  }
}
