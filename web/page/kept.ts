/** An answer that is kept while everything it was made from is the same, so that what is handed on stays the same object. */

export const areSame = (things: readonly unknown[], others: readonly unknown[]): boolean =>
  things.length === others.length && things.every((thing, at) => Object.is(thing, others[at]));

export class Kept<T> {
  #from: readonly unknown[] | null = null;
  #made!: T;

  /** The kept answer, or a new one by `make` when any of `from` is another thing than last time. `make` sees the last answer. */
  of(from: readonly unknown[], make: (last: T | null) => T): T {
    const before = this.#from;
    if (!before || !areSame(from, before)) {
      this.#made = make(before ? this.#made : null);
      this.#from = from;
    }
    return this.#made;
  }
}
