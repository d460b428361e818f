/**
 * What a lab says of the state its playground is in: its stops, sentence, formula, remarks and nodes in words, what the note explains and
 * leads on to. Made again only when what it is made from is new, so that a moved target changes nothing but what it must.
 */
import type { Config } from "../../config/config.js";
import type { Explanation } from "../../core/attention.js";
import type { Becomes } from "../../elements/note/foot.js";
import type { Words } from "../../i18n/words.js";
import type { Time } from "../../telling/lab.js";
import type { NodeWords, Remark, Step } from "../../marks/wording.js";
import { Kept } from "../kept.js";
import { leadsOf } from "../leads.js";
import { labOf, type OpenLab } from "../open-lab.js";
import { sameCell } from "../../marks/board.js";
import type { Playground } from "../playground.js";
import type { StageReading } from "../stage-reading.js";

export interface WordingHost {
  readonly playground: Playground;
  readonly words: Words;
  /** What the numbers are read as; null: as they are. */
  readonly reading: StageReading | null;
}

/** All of a Config that a lab's words and scenes are made from, but for the target. */
export function settingsOf({ view, numbers, example }: Config): unknown[] {
  return [view.lab, view.scales, view.item, numbers, example];
}

export class LabWording {
  readonly #host: WordingHost;
  readonly #steps = new Kept<Step[]>();
  readonly #sentence = new Kept<ReturnType<OpenLab["sentence"]>>();
  readonly #formula = new Kept<ReturnType<OpenLab["formula"]>>();
  readonly #nodeWords = new Kept<(node: string) => NodeWords>();
  readonly #remarks = new Kept<Remark[]>();
  readonly #becomes = new Kept<Becomes[]>();
  readonly #lit = new Kept<string[]>();

  constructor(host: WordingHost) {
    this.#host = host;
  }

  /** The stops of Play. */
  get steps(): Step[] {
    const { playground, words } = this.#host;
    if (!playground || !words) return [];
    const { spoken } = playground;
    const snapshots = playground.snapshotsOf(spoken);
    const from = [...settingsOf(spoken), words, snapshots];
    return this.#steps.of(from, () => labOf(spoken).steps(spoken, words, snapshots));
  }

  /** The steps of a lab that learns; null for the others, whose Play walks through its stops. */
  get time(): Time | null {
    const { playground, words } = this.#host;
    if (!playground || !words) return null;
    const { spoken } = playground;
    return labOf(spoken).time?.(spoken, words) ?? null;
  }

  get sentence(): ReturnType<OpenLab["sentence"]> {
    const { words } = this.#host;
    const { spoken } = this.#host.playground;
    return this.#sentence.of([...settingsOf(spoken), words], () => labOf(spoken).sentence(spoken, words));
  }

  get formula(): ReturnType<OpenLab["formula"]> {
    const { playground, words } = this.#host;
    const { spoken } = playground;
    const snapshots = playground.snapshotsOf(spoken);
    return this.#formula.of([...settingsOf(spoken), words, snapshots], () =>
      labOf(spoken).formula(spoken, words, snapshots),
    );
  }

  /** The words of nodes, as one function for stage and note. */
  get nodeWords(): (node: string) => NodeWords {
    const { playground, words } = this.#host;
    const config = playground.drawn ?? playground.spoken;
    const snapshots = playground.snapshotsOf(config);
    return this.#nodeWords.of([...settingsOf(config), words, snapshots], () => {
      // A lab goes through all its tensors to tell one of them, and every picture of the stage asks for its own.
      const known = new Map<string, NodeWords>();
      return (node) => {
        const told = known.get(node) ?? labOf(config).nodeWords(config, node, words, snapshots);
        known.set(node, told);
        return told;
      };
    });
  }

  /** Remarks are about numbers, so pointing at another cell does not make them again. */
  get remarks(): Remark[] {
    const { words } = this.#host;
    const { drawn, snapshots } = this.#host.playground;
    if (!drawn) return [];
    const from = [...settingsOf(drawn), snapshots, words];
    return this.#remarks.of(from, () => labOf(drawn).remarks(drawn, snapshots, words));
  }

  /** What the note explains: of a target that has moved on, still the last. */
  get explanation(): Explanation | null {
    const { playground, reading } = this.#host;
    return reading ? reading.explanationOf(playground) : playground.explanation;
  }

  /** The same, once it is of the target. */
  get explained(): Explanation | null {
    const { cell } = this.#host.playground;
    const { explanation } = this;
    return explanation && cell && sameCell(explanation, cell) ? explanation : null;
  }

  /** Where the note's links lead on to: what is computed from the cell. */
  get becomes(): readonly Becomes[] {
    const { playground, reading } = this.#host;
    const { drawn, snapshots, explanation: asked } = playground;
    if (!drawn) return [];
    const from = [...settingsOf(drawn), snapshots, this.explanation, asked, reading];
    return this.#becomes.of(
      from,
      () => reading?.becomes?.(playground) ?? (asked ? leadsOf(asked, snapshots, this.nodeWords) : []),
    );
  }

  /** The symbols of the formula that are lit: those pointed at, else those that the target is made from, and its own. */
  get lit(): string[] {
    const { cell, pointed } = this.#host.playground;
    const { parts } = this.formula;
    const nodes = pointed.length
      ? pointed
      : [...(this.explanation?.sources ?? []).map((source) => source.node), ...(cell ? [cell.node] : [])];
    const lit = parts
      .filter((part) => part.nodes.some((node) => nodes.includes(node)))
      .map((part) => part.symbol);
    return this.#lit.of([lit.join()], () => lit);
  }
}
