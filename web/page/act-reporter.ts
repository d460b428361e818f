/**
 * Reports the reader's acts once the numbers that they lead to are on the page. Acts of Play, of the lesson's
 * exercises and of the page itself are not reported.
 */
import type { Config, ConfigOf, LabId } from "../config/config.js";
import type { Explanation } from "../core/attention.js";
import type { Act, At } from "../telling/lesson.js";
import { sameCell, type Cell } from "../marks/board.js";
import type { Playground } from "./playground.js";

/** Milliseconds after which a cell counts as looked at. */
const lookedAtAfter = 500;

/** An act with the states before and after it; bubbles from a lab as lab-act. */
export interface ReportedAct {
  act: Act;
  at: At<LabId>;
}

export class ActReporter {
  readonly #playground: () => Playground;
  readonly #report: (reported: ReportedAct) => void;
  #waiting: { act: Act; was: Config }[] = [];
  #chain: Cell[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(playground: () => Playground, report: (reported: ReportedAct) => void) {
    this.#playground = playground;
    this.#report = report;
  }

  /** Records an act; `was` is the Config before it. */
  report(act: Act, was: Config = this.#playground().config): void {
    this.#waiting.push({ act, was });
    this.flush();
  }

  /** Call whenever the playground changed. */
  flush(): void {
    const { config, isStale, isBehind, snapshots } = this.#playground();
    if (this.#waiting.length === 0 || isStale || isBehind) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { act, was } of waiting) {
      if (was.view.lab !== config.view.lab) continue;
      const at = { config: config as ConfigOf<LabId>, was: was as ConfigOf<LabId>, snapshots };
      this.#report({ act, at });
    }
  }

  /** The reader moved the target to a cell. */
  reachCell(cell: Cell): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (sameCell(this.#playground().cell, cell)) this.report({ kind: "cell", ...cell });
    }, lookedAtAfter);
  }

  /**
   * The reader followed a link of the note. A link to a source of the explained cell extends the chain of
   * sources; other links are ignored.
   */
  followLink(to: Cell, explanation: Explanation | null = this.#playground().explanation): void {
    const from = explanation && { node: explanation.node, index: explanation.index };
    if (!from || !explanation.sources.some(({ node }) => node === to.node)) return;
    const goesOn = sameCell(this.#chain.at(-1) ?? null, from);
    this.#chain = [...(goesOn ? this.#chain : [from]), to];
    this.report({ kind: "chain", nodes: this.#chain.map(({ node }) => node) });
  }

  /** Another Config is opened: acts begun before are dropped. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#chain = [];
  }
}
