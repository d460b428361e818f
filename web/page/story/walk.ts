/** Play for a story: goes from step to step, and waits at each until it can be read. */
import type { StoryStep } from "../../config/config.js";

/** Milliseconds: to look at a step, and to read one letter or one Chinese character of its text. */
const times = { look: 2200, letter: 55, han: 190 };

const readingTime = (words: string): number => {
  const han = words.match(/\p{Script=Han}/gu)?.length ?? 0;
  return times.look + han * times.han + (words.length - han) * times.letter;
};

/** A story with the step that is shown or being opened. */
export interface StoryPosition {
  readonly steps: readonly StoryStep[];
  readonly at: number;
}

export interface WalkHost {
  /** The story that is shown; null when there is none. */
  story(): StoryPosition | null;
  go(place: number): void;
  /** Whether the requested step is drawn; null when it cannot be. */
  isDrawn(): boolean | null;
  changed(): void;
}

export class StoryWalk {
  isPlaying = false;
  readonly #host: WalkHost;
  #walk = 0;

  constructor(host: WalkHost) {
    this.#host = host;
  }

  /**
   * Plays from the next step to the last, or from the first when the last is shown. Resolves to false when
   * another input took over.
   */
  async play(): Promise<boolean> {
    const position = this.#host.story();
    if (!position) return false;
    const { steps } = position;
    const walk = ++this.#walk;
    const last = steps.length - 1;
    this.isPlaying = true;
    const first = position.at < last ? position.at + 1 : 0;
    for (let place = first; place <= last; place++) {
      // The reader may have gone elsewhere while the last step was read.
      if (place > first && !this.#isAt(steps, place - 1)) return this.#end(walk);
      this.#host.go(place);
      if (!(await this.#untilDrawn(steps, place, walk))) return this.#end(walk);
      if (place < last && !(await this.#untilRead(steps[place]!.words, walk))) return this.#end(walk);
    }
    this.pause();
    return true;
  }

  pause(): void {
    this.#walk++;
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.#host.changed();
  }

  /** Ends a walk that was interrupted. */
  #end(walk: number): false {
    if (walk === this.#walk) this.pause();
    return false;
  }

  #isAt(steps: readonly StoryStep[], place: number): boolean {
    const position = this.#host.story();
    return position?.steps === steps && position.at === place;
  }

  /** Waits until this step is drawn; false when it cannot be, or when the reader went elsewhere. */
  async #untilDrawn(steps: readonly StoryStep[], place: number, walk: number): Promise<boolean> {
    for (;;) {
      await new Promise(requestAnimationFrame);
      if (walk !== this.#walk || !this.#isAt(steps, place)) return false;
      const isDrawn = this.#host.isDrawn();
      if (isDrawn !== false) return isDrawn === true;
    }
  }

  /** Waits for the time that reading takes; longer while the page is hidden. */
  async #untilRead(words: string, walk: number): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, readingTime(words)));
    while (document.hidden && walk === this.#walk)
      await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
    return walk === this.#walk;
  }
}
