/**
 * Remembers the last result of a computation as long as its inputs are the same, so that consumers get the
 * same object.
 */

export const areSame = (things: readonly unknown[], others: readonly unknown[]): boolean =>
  things.length === others.length && things.every((thing, at) => Object.is(thing, others[at]));

export class Memo<T> {
  #inputs: readonly unknown[] | null = null;
  #result!: T;

  /**
   * The remembered result, or a new one by `make` when any of `from` differs from last time. `make` receives
   * the last result.
   */
  of(from: readonly unknown[], make: (last: T | null) => T): T {
    const before = this.#inputs;
    if (!before || !areSame(from, before)) {
      this.#result = make(before ? this.#result : null);
      this.#inputs = from;
    }
    return this.#result;
  }
}
