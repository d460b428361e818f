/** Says what the reader did, once the numbers on the page are those of it. Play, links of the lesson and the page itself are not the reader. */
import type { Config, ConfigOf, LabId } from "../config/config.js";
import type { Explanation } from "../core/attention.js";
import type { Act, At } from "../telling/lesson.js";
import { sameCell, type Cell } from "../marks/board.js";
import type { Playground } from "./playground.js";

/** How long one stays at a cell that is looked at, not passed over. */
const stay = 500;

/** An act with what it met; bubbles from a lab as lab-act. */
export interface Witnessed {
  act: Act;
  at: At<LabId>;
}

export class Witness {
  readonly #playground: () => Playground;
  readonly #say: (seen: Witnessed) => void;
  #waiting: { act: Act; was: Config }[] = [];
  #chain: Cell[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(playground: () => Playground, say: (seen: Witnessed) => void) {
    this.#playground = playground;
    this.#say = say;
  }

  /** `was`: the Config before it. */
  did(act: Act, was: Config = this.#playground().config): void {
    this.#waiting.push({ act, was });
    this.settle();
  }

  /** To be called whenever the playground changed. */
  settle(): void {
    const { config, shown, standsBack, snapshots } = this.#playground();
    if (this.#waiting.length === 0 || standsBack || shown?.numbers !== config.numbers) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { act, was } of waiting) {
      if (was.view.lab !== config.view.lab) continue;
      const at = { config: config as ConfigOf<LabId>, was: was as ConfigOf<LabId>, snapshots };
      this.#say({ act, at });
    }
  }

  /** The target moved to a cell, by the reader. */
  reached(cell: Cell): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (sameCell(this.#playground().cell, cell)) this.did({ kind: "cell", ...cell });
    }, stay);
  }

  /** The reader goes to a cell that the note led to: a source of what it explains, or another. */
  follows(to: Cell, explanation: Explanation | null = this.#playground().explanation): void {
    const from = explanation && { node: explanation.node, index: explanation.index };
    if (!from || !explanation.sources.some(({ node }) => node === to.node)) return;
    const goesOn = sameCell(this.#chain.at(-1) ?? null, from);
    this.#chain = [...(goesOn ? this.#chain : [from]), to];
    this.did({ kind: "chain", nodes: this.#chain.map(({ node }) => node) });
  }

  /** Another Config is opened: what was begun before is over. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#chain = [];
  }
}
