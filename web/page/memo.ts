/**
 * Remembers the last result of a computation as long as its inputs are the same, so that consumers get the
 * same object.
 */
export class Memo<T> {
  #inputs: readonly unknown[] | null = null;
  #result!: T;

  /**
   * The remembered result, or a new one by `make` when any of `from` differs from last time. `make` receives
   * the last result.
   */
  of(from: readonly unknown[], make: (last: T | null) => T): T {
    const before = this.#inputs;
    if (!before || from.length !== before.length || from.some((thing, at) => !Object.is(thing, before[at]))) {
      this.#result = make(before ? this.#result : null);
      this.#inputs = from;
    }
    return this.#result;
  }
}
