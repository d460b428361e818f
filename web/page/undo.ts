/** Undo and redo: the states before each step, up to a limit. */

/** The number of steps that can be undone. */
const limit = 200;

export class UndoHistory<State> {
  #before: State[] = [];
  #after: State[] = [];

  /** The state that undo returns to; undefined when no step is recorded. */
  get last(): State | undefined {
    return this.#before.at(-1);
  }

  /** Records a step from this state. */
  record(from: State): void {
    this.#before.push(from);
    if (this.#before.length > limit) this.#before.shift();
    this.#after = [];
  }

  /** The state before the last step; `fallback` when no step is recorded. `now` returns the state to redo, given the one that is returned to. */
  undo(now: (before: State) => State, fallback: State): State {
    const before = this.#before.pop() ?? fallback;
    this.#after.push(now(before));
    return before;
  }

  /** The state after the step that was undone last; undefined when there is none. */
  redo(now: (after: State) => State): State | undefined {
    const after = this.#after.pop();
    if (after !== undefined) this.#before.push(now(after));
    return after;
  }

  clear(): void {
    this.#before = [];
    this.#after = [];
  }
}
