/** What the reader has done, by lab: kept in this browser, or where it keeps nothing, as long as the page is open. */

const key = "attention-playground:done";

/** The browser's own store, where a reader lets a page have one. */
export function ownStore(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

type Done = Record<string, string[]>;

/** What a store holds, of which nothing is believed. */
function read(text: string | null): Done {
  try {
    const held: unknown = JSON.parse(text ?? "{}");
    if (typeof held !== "object" || held === null) return {};
    const entries = Object.entries(held).map(([lab, ids]): [string, string[]] => [
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
  #done: Done = {};
  /** The browser has no room for what was done; until the reader was told. */
  full = false;
  /** What is held here is more than the store holds. */
  #unkept = false;

  constructor(store: Pick<Storage, "getItem" | "setItem"> | null) {
    this.#store = store;
    this.renew();
  }

  of(lab: string): readonly string[] {
    return Object.hasOwn(this.#done, lab) ? this.#done[lab]! : [];
  }

  /** Reads again what another tab may have written. */
  renew(): void {
    if (this.#unkept) return;
    try {
      if (this.#store) this.#done = read(this.#store.getItem(key));
    } catch {
      // A store that cannot be read is none.
    }
  }

  add(lab: string, id: string): void {
    this.renew();
    if (this.of(lab).includes(id)) return;
    this.#write({ ...this.#done, [lab]: [...this.of(lab), id] });
  }

  /** Takes all ticks of a lab away. */
  restart(lab: string): void {
    this.renew();
    this.#write(Object.fromEntries(Object.entries(this.#done).filter(([other]) => other !== lab)));
  }

  #write(done: Done): void {
    this.#done = done;
    try {
      this.#store?.setItem(key, JSON.stringify(done));
      this.#unkept = this.full = false;
    } catch {
      // Full or forbidden: the page remembers as long as it is open. That is told once.
      this.full = !this.#unkept;
      this.#unkept = true;
    }
  }
}
