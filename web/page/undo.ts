/** Steps that can be taken back, and taken again once they were: the states before each, up to as many as are kept. */

/** Of steps before them nothing is known any more. */
const most = 200;

export class Undo<State> {
  #before: State[] = [];
  #after: State[] = [];

  get any(): boolean {
    return this.#before.length > 0;
  }

  /** A step was made from this state. */
  did(from: State): void {
    this.#before.push(from);
    if (this.#before.length > most) this.#before.shift();
    this.#after = [];
  }

  /** The state before the last step; of a step that is not known, `otherwise`. */
  back(now: State, otherwise: State): State {
    this.#after.push(now);
    return this.#before.pop() ?? otherwise;
  }

  /** The state after the step taken back last; undefined: none is. */
  again(now: State): State | undefined {
    const after = this.#after.pop();
    if (after !== undefined) this.#before.push(now);
    return after;
  }

  forget(): void {
    this.#before = [];
    this.#after = [];
  }
}
