/**
 * The reader's acts in a lab: on the target, settings, cells and masks. Each ends Play where it must, and is
 * reported to the ActReporter.
 */
import type { Config, Edit } from "../../config/config.js";
import type { Note } from "../../elements/note/note.js";
import type { StageEvents } from "../../elements/stage/events.js";
import type { Words } from "../../i18n/words.js";
import { dispatch } from "./events.js";
import type { LabNote } from "./note.js";
import type { LessonStage } from "./lesson-stage.js";
import type { LabTransport } from "./transport.js";
import type { LabWording } from "./wording.js";
import { labOf } from "../open-lab.js";
import { sameCell, type Cell } from "../../marks/board.js";
import { firstCell, hasCell } from "../cells.js";
import type { Playground } from "../playground.js";
import type { StageReading } from "../stage-reading.js";
import type { ActReporter } from "../act-reporter.js";

export interface ActsHost extends EventTarget {
  readonly playground: Playground;
  readonly words: Words;
  readonly reading: StageReading | null;
  readonly framed: boolean;
  readonly wording: LabWording;
  readonly transport: LabTransport;
  readonly note: LabNote;
  readonly lessonStage: LessonStage | null;
  readonly actReporter: ActReporter;
}

/** Controls that change the view, not what is computed. */
const viewControls = ["scales", "item"];

export class LabActs {
  readonly #host: ActsHost;
  /** The steps of a walk along the numbers, one after the other. */
  #steps = Promise.resolve();

  constructor(host: ActsHost) {
    this.#host = host;
  }

  /** The reader points at a cell: the note explains it in full. */
  pointAt(cell: Cell): void {
    this.#host.lessonStage?.scrollBack();
    this.#host.note.unfold(true);
    this.target(cell);
  }

  /** Moves the target to a cell that the reader chose; a walk of Play ends where it is. */
  target(cell: Cell): void {
    const { playground, transport, note, actReporter } = this.#host;
    note.hasMoved = true;
    transport.pauseStops();
    transport.reach(cell.node);
    playground.target(cell);
    actReporter.reachCell(cell);
  }

  /** Moves the target to the first cell of the first of these nodes that exists. */
  goTo(nodes: readonly string[]): void {
    const { snapshots } = this.#host.playground;
    const first = nodes.map((name) => snapshots.get(name)).find(Boolean);
    if (first) this.target(firstCell(first));
  }

  /** Follows a link of the note. */
  goAlong(cell: Cell): void {
    this.#host.actReporter.followLink(cell);
    this.target(cell);
  }

  /**
   * Walks along the numbers: to a source of the target, or to a cell computed from it. Each step waits for
   * the explanation, which tells where it leads.
   */
  follow(direction: "source" | "result"): Promise<void> {
    this.#host.note.hasMoved = true;
    this.#steps = this.#steps.then(async () => {
      await this.#host.playground.explaining;
      this.#step(direction);
    });
    return this.#steps;
  }

  #step(direction: "source" | "result"): void {
    const { playground, reading, transport, actReporter, wording } = this.#host;
    const before = playground.cell;
    const { explanation, snapshots } = playground;
    if (!before || !explanation || !sameCell(explanation, before)) return;
    const onward = direction === "source" ? playground.source : (wording.resultCells[0] ?? null);
    const read = reading?.next?.(direction, playground);
    const next = read === undefined ? onward : read;
    if (hasCell(snapshots, next)) playground.target({ node: next.node, index: next.index });
    const { cell } = playground;
    if (!cell || sameCell(before, cell)) return;
    transport.reach(cell.node);
    if (direction === "source") actReporter.followLink(cell, explanation);
    actReporter.reachCell(cell);
  }

  /** Highlights the nodes of a symbol of the formula. */
  pointSymbol(nodes: readonly string[]): void {
    const { playground, actReporter } = this.#host;
    playground.point(nodes);
    if (nodes.length) actReporter.report({ kind: "symbol", nodes });
  }

  pin(cell: Cell): void {
    const { playground, actReporter } = this.#host;
    playground.pin(cell);
    if (playground.config.view.pinned) actReporter.report({ kind: "pin", ...cell });
  }

  /** Covers the number of a cell, so that the reader can guess it after other changes. */
  cover({ node, index }: Cell): void {
    const { playground, note } = this.#host;
    note.unfold(true);
    playground.setView({ guess: { node, index: [...index] } });
    note.focusGuess();
  }

  /** Shows the covered number; `isRight`: the reader has guessed it. */
  uncover(isRight: boolean): void {
    const { playground, actReporter } = this.#host;
    const { covered, config } = playground;
    playground.setView({ guess: undefined, cell: config.view.cell ?? covered });
    if (covered) actReporter.report({ kind: "guess", ...covered, isRight });
  }

  edit({ node, index, value }: Cell & { value: number }): void {
    this.editAll([{ node, index, value }]);
  }

  /** A handle or a number was dragged to another value. The numbers before the drag stay at hand until another change. */
  drag({ changes, value, cell, isFirst }: StageEvents["number-drag"]): void {
    const { playground } = this.#host;
    const before = isFirst ? playground.snapshots : playground.beforeDrag;
    if (isFirst) playground.beginStep(cell !== null);
    if ("control" in changes) this.change({ control: changes.control, value: String(value) }, true);
    else this.editAll([{ ...changes, value }], true);
    playground.beforeDrag = before;
    if (cell) this.target(cell);
  }

  /** Sets several cells at once; each is reported as if it had been typed. `continues`: they belong to the last step to undo. */
  editAll(edits: readonly Edit[], continues = false): void {
    const { playground, transport, actReporter } = this.#host;
    transport.stop();
    const was = playground.config;
    playground.editAll(edits, continues);
    if (playground.config === was) return;
    for (const { node, index, value } of edits) actReporter.report({ kind: "edit", node, index, value }, was);
  }

  paint({ row, column, allowed }: { row: number; column: number; allowed: boolean }): void {
    this.#set("paint", `${row},${column},${allowed ? 1 : 0}`);
  }

  /** `continues`: the change belongs to the last step to undo. */
  change({ control, value }: { control: string; value: string }, continues = false): void {
    const { playground, transport } = this.#host;
    transport.stop();
    if (viewControls.includes(control)) {
      playground.setView(
        control === "item" ? { item: Number(value) } : { scales: value === "own" ? "own" : "shared" },
      );
    } else this.#set(control, value, continues);
  }

  #set(control: string, value: string, continues = false): void {
    const { playground, words } = this.#host;
    const was = playground.config;
    if (!playground.change(control, value, words, continues) || playground.config.numbers === was.numbers)
      return;
    this.reportChange(control, value, was);
    if (control === "mask" && value === "painted") void this.#showMask();
  }

  /** Moves to the mask that can be painted, and to its stop, once it is computed. */
  async #showMask(): Promise<void> {
    const { playground, transport, note } = this.#host;
    const { config } = playground;
    await playground.computing;
    const masked = playground.snapshots.get("masked");
    if (!masked || playground.config.numbers !== config.numbers) return;
    note.hasMoved = true;
    transport.pauseStops();
    transport.reach("masked");
    playground.target(firstCell(masked));
  }

  /** Reports that a setting was changed; `was` is the Config before it. */
  reportChange(control: string, value: string, was: Config): void {
    this.#host.actReporter.report({ kind: "change", control, value }, was);
  }

  /** The state of the note's switch between the number of its cell and its gradient. */
  get gradient(): Note["gradient"] {
    const { framed, playground, reading, wording } = this.#host;
    const { explanation } = wording;
    if (framed || !explanation || labOf(playground.config).gradients === false) return "";
    if (reading?.of && sameCell(reading.of, explanation)) return "on";
    return playground.snapshots.get(explanation.node)?.op === "leaf" ? "none" : "off";
  }

  toggleGradient(): void {
    const { cell } = this.#host.playground;
    const { gradient } = this;
    if (gradient === "none") this.#host.note.refuseGradient();
    else if (cell && gradient !== "") dispatch(this.#host, "reading-gradient", cell);
  }

  /** Esc ends one thing: Play, the pin, or the gradient. False when there is none of these. */
  endOne(): boolean {
    const { playground, reading, transport } = this.#host;
    if (playground.progress) transport.stop();
    else if (playground.config.view.pinned && playground.cell) this.pin(playground.cell);
    else if (reading?.of) dispatch(this.#host, "reading-stop", null);
    else return false;
    return true;
  }

  restart(): void {
    this.#host.transport.stop();
    dispatch(this.#host, "lab-restart", null);
  }
}
