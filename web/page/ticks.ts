/**
 * What the reader has done of each lab, as ids: ticked concepts, or answered questions. They are stored in this browser, or, when it
 * cannot store them, only until the page is closed.
 */

export const conceptsKey = "attention-playground:done";
export const questionsKey = "attention-playground:guessed";

/** The browser's own store; null when it is not available. */
export function ownStore(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

type Done = Record<string, string[]>;

/** The same list each time, so that nothing is made anew from it. */
const none: readonly string[] = [];

/** Parses the content of the store, which may be anything. */
function read(text: string | null): Done {
  try {
    const stored: unknown = JSON.parse(text ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    const entries = Object.entries(stored).map(([lab, ids]): [string, string[]] => [
      lab,
      Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [],
    ]);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

export class Ticks {
  readonly #store: Pick<Storage, "getItem" | "setItem"> | null;
  readonly #key: string;
  #done: Done = {};
  /** Whether the reader should be told that the browser cannot store the ticks. */
  isFull = false;
  /** Whether some ticks are not in the store. */
  #hasUnstored = false;

  constructor(
    store: Pick<Storage, "getItem" | "setItem"> | null,
    key: typeof conceptsKey | typeof questionsKey = conceptsKey,
  ) {
    this.#store = store;
    this.#key = key;
    this.reload();
  }

  of(lab: string): readonly string[] {
    return Object.hasOwn(this.#done, lab) ? this.#done[lab]! : none;
  }

  /** Reads again what another tab may have written. */
  reload(): void {
    if (this.#hasUnstored) return;
    try {
      if (this.#store) this.#done = read(this.#store.getItem(this.#key));
    } catch {
      // A store that cannot be read counts as empty.
    }
  }

  add(lab: string, id: string): void {
    this.reload();
    if (this.of(lab).includes(id)) return;
    this.#write({ ...this.#done, [lab]: [...this.of(lab), id] });
  }

  /** Removes all ticks of a lab. */
  restart(lab: string): void {
    this.reload();
    this.#write(Object.fromEntries(Object.entries(this.#done).filter(([other]) => other !== lab)));
  }

  #write(done: Done): void {
    this.#done = done;
    try {
      this.#store?.setItem(this.#key, JSON.stringify(done));
      this.#hasUnstored = this.isFull = false;
    } catch {
      // The store is full or forbidden: the ticks last as long as the page is open. The reader is told once.
      this.isFull = !this.#hasUnstored;
      this.#hasUnstored = true;
    }
  }
}
