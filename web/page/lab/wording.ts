/**
 * The texts of a lab for the playground's present state: its stops, sentence, formula, remarks, the names of
 * its nodes, the explanation in the note and its links. Each is built again only when its inputs change, so
 * that moving the target rebuilds only what depends on it.
 */
import type { Config } from "../../config/config.js";
import type { Explanation } from "../../core/attention.js";
import type { ResultCell } from "../../elements/note/foot.js";
import type { Words } from "../../i18n/words.js";
import type { Time } from "../../telling/lab.js";
import type { NodeWords, Remark, Step } from "../../marks/wording.js";
import { Memo } from "../memo.js";
import { resultCells } from "../result-cells.js";
import { labOf, type OpenLab } from "../open-lab.js";
import { sameCell } from "../../marks/board.js";
import type { Playground } from "../playground.js";
import type { StageReading } from "../stage-reading.js";

export interface WordingHost {
  readonly playground: Playground;
  readonly words: Words;
  /** The comparison or gradient that is shown; null when the numbers are shown as they are. */
  readonly reading: StageReading | null;
}

/** The parts of a Config that a lab's words and scenes depend on, except for the target. */
export function settingsOf({ view, numbers, example }: Config): unknown[] {
  return [view.lab, view.scales, view.item, numbers, example];
}

export class LabWording {
  readonly #host: WordingHost;
  readonly #steps = new Memo<Step[]>();
  readonly #sentence = new Memo<ReturnType<OpenLab["sentence"]>>();
  readonly #formula = new Memo<ReturnType<OpenLab["formula"]>>();
  readonly #nodeWords = new Memo<(node: string) => NodeWords>();
  readonly #remarks = new Memo<Remark[]>();
  readonly #resultCells = new Memo<readonly ResultCell[]>();
  readonly #lit = new Memo<string[]>();

  constructor(host: WordingHost) {
    this.#host = host;
  }

  /** The stops of Play. */
  get steps(): Step[] {
    const { playground, words } = this.#host;
    if (!playground || !words) return [];
    const { displayedConfig } = playground;
    const snapshots = playground.snapshotsOf(displayedConfig);
    const from = [...settingsOf(displayedConfig), words, snapshots];
    return this.#steps.of(from, () => labOf(displayedConfig).steps(displayedConfig, words, snapshots));
  }

  /** The steps of a lab that learns; null for the others, whose Play goes through stops. */
  get time(): Time | null {
    const { playground, words } = this.#host;
    if (!playground || !words) return null;
    const { displayedConfig } = playground;
    return labOf(displayedConfig).time?.(displayedConfig, words, playground.snapshots) ?? null;
  }

  get sentence(): ReturnType<OpenLab["sentence"]> {
    const { words } = this.#host;
    const { displayedConfig, snapshots } = this.#host.playground;
    // It depends on the names of the tensors, and not on their numbers.
    const names = [...snapshots.keys()].join();
    return this.#sentence.of([...settingsOf(displayedConfig), words, names], () =>
      labOf(displayedConfig).sentence(displayedConfig, words, snapshots),
    );
  }

  get formula(): ReturnType<OpenLab["formula"]> {
    const { playground, words } = this.#host;
    const { displayedConfig } = playground;
    const snapshots = playground.snapshotsOf(displayedConfig);
    return this.#formula.of([...settingsOf(displayedConfig), words, snapshots], () =>
      labOf(displayedConfig).formula(displayedConfig, words, snapshots),
    );
  }

  /** The words for a node, as one function for stage and note. */
  get nodeWords(): (node: string) => NodeWords {
    const { playground, words } = this.#host;
    const config = playground.drawnConfig ?? playground.displayedConfig;
    const snapshots = playground.snapshotsOf(config);
    return this.#nodeWords.of([...settingsOf(config), words, snapshots], () => {
      // A lab searches all its tensors for the words of one, and every picture of the stage needs those of
      // its own.
      const known = new Map<string, NodeWords>();
      return (node) => {
        const nodeWords = known.get(node) ?? labOf(config).nodeWords(config, node, words, snapshots);
        known.set(node, nodeWords);
        return nodeWords;
      };
    });
  }

  /** Remarks depend on the numbers and not on the target. */
  get remarks(): Remark[] {
    const { words } = this.#host;
    const { drawnConfig, snapshots } = this.#host.playground;
    if (!drawnConfig) return [];
    const from = [...settingsOf(drawnConfig), snapshots, words];
    return this.#remarks.of(from, () => labOf(drawnConfig).remarks(drawnConfig, snapshots, words));
  }

  /** What the note explains: while the target has moved and is not answered yet, still the last cell. */
  get explanation(): Explanation | null {
    const { playground, reading } = this.#host;
    return reading ? reading.explanationOf(playground) : playground.explanation;
  }

  /** The explanation when it is that of the target, else null. */
  get targetExplanation(): Explanation | null {
    const { cell } = this.#host.playground;
    const { explanation } = this;
    return explanation && cell && sameCell(explanation, cell) ? explanation : null;
  }

  /** The cells that the note's links lead to: those computed from the target. */
  get resultCells(): readonly ResultCell[] {
    const { playground, reading } = this.#host;
    const { drawnConfig, snapshots, explanation: ownExplanation } = playground;
    if (!drawnConfig) return [];
    const from = [...settingsOf(drawnConfig), snapshots, this.explanation, ownExplanation, reading];
    return this.#resultCells.of(
      from,
      () =>
        reading?.resultCells?.(playground) ??
        (ownExplanation ? resultCells(ownExplanation, snapshots, this.nodeWords) : []),
    );
  }

  /** The highlighted symbols of the formula: those pointed at, else those of the target and its sources. */
  get litSymbols(): string[] {
    const { cell, pointedNodes } = this.#host.playground;
    const { parts } = this.formula;
    const nodes = pointedNodes.length
      ? pointedNodes
      : [...(this.explanation?.sources ?? []).map((source) => source.node), ...(cell ? [cell.node] : [])];
    const lit = parts
      .filter((part) => part.nodes.some((node) => nodes.includes(node)))
      .map((part) => part.symbol);
    return this.#lit.of([lit.join()], () => lit);
  }
}
