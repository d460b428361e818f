/** The last answer of a question, kept while all it was made from is the same: what is handed on then stays the same object. */
export class Kept<T> {
  #from: readonly unknown[] | null = null;
  #made!: T;

  /** The kept answer, or a new one by `make` when any of `from` is another thing than last time. `make` sees the last answer. */
  of(from: readonly unknown[], make: (last: T | null) => T): T {
    const before = this.#from;
    if (!before || from.length !== before.length || from.some((thing, at) => !Object.is(thing, before[at]))) {
      this.#made = make(before ? this.#made : null);
      this.#from = from;
    }
    return this.#made;
  }
}
