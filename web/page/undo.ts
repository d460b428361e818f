/** Undo and redo: the states before each step, up to a limit. */

/** The number of steps that can be undone. */
const limit = 200;

export class UndoHistory<State> {
  #before: State[] = [];
  #after: State[] = [];

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  /** Records a step from this state. */
  record(from: State): void {
    this.#before.push(from);
    if (this.#before.length > limit) this.#before.shift();
    this.#after = [];
  }

  /** The state before the last step; `fallback` when no step is recorded. */
  undo(now: State, fallback: State): State {
    this.#after.push(now);
    return this.#before.pop() ?? fallback;
  }

  /** The state after the step that was undone last; undefined when there is none. */
  redo(now: State): State | undefined {
    const after = this.#after.pop();
    if (after !== undefined) this.#before.push(now);
    return after;
  }

  clear(): void {
    this.#before = [];
    this.#after = [];
  }
}
