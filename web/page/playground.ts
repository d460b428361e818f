/** The state of one open lab: a Config, the numbers computed from it, the cell the note explains. No markup, no arithmetic. */
import { loadLab, loadedLab } from "../labs/index.js";
import { PartMissing } from "../session/client/launch.js";
import { isRefused } from "../telling/typed-values.js";
import type { Config, Edit, NumbersOf, LabId } from "../config/config.js";
import { choices } from "../config/bounds.js";
import { withEdits } from "../config/edits.js";
import { anyWords, type Words } from "../i18n/words.js";
import { sameCell, type Cell } from "../marks/board.js";
import { sameIndexIn } from "../marks/lighting.js";
import type { Snapshot, Snapshots } from "../marks/scene.js";
import { hasCell, holdsAll, nearestCell } from "./cells.js";
import type { Client, Computed, Explained } from "./client.js";
import { asNow, labOf, stopsOf, withNumbers, withView } from "./open-lab.js";
import { failed, reasonOf, troubleOf, type Trouble } from "./trouble.js";
import { Undo } from "./undo.js";

/** How far Play has come; null when everything is drawn. */
export interface Progress {
  /** The stop's place, and its id. */
  step: number;
  id: string;
  sweep: number | null;
}

/** How the stage is looked at: the picture it shows, where the target alone would bring another; whether the note is a sheet that is unfolded. */
export interface Looks {
  picture: string | undefined;
  note: boolean;
}

/** What changed: a Config was opened whole, its numbers, its view, or what is computed and pointed at. */
export type Change = "opened" | "numbers" | "view" | "state";

const none: Snapshots = new Map();

/** Past this the reader is told that a computation runs. */
const waitingAfter = 100;

export class Playground {
  /** As asked for. */
  config: Config;
  /** Of a lab that is being fetched; until it is there the page stays with `config`. */
  opening: Config | null = null;
  /** The Config whose lab, or part of the core, could not be fetched. */
  missed: Config | null = null;
  /** Whether a Config was opened: before, there is nothing to draw. */
  ready = false;
  /** Counts the Configs opened whole: what walked through one of them ends with it. */
  openings = 0;
  /** The Config whose numbers are drawn; null before the first result. */
  shown: Config | null = null;
  snapshots: Snapshots = new Map();
  /** The cell the note explains. */
  cell: Cell | null = null;
  explanation: Explained | null = null;
  /** Resolves once the core has said how the latest target was made. */
  answered: Promise<void> = Promise.resolve();
  /** Whether `explanation` holds every term. */
  full = false;
  /** What the stage knows of how it is looked at; null before there is one. */
  looks: (() => Looks) | null = null;
  /** The numbers before the last change; null where nothing was changed. What a control is set to in turn is one change. */
  previous: NumbersOf[LabId] | null = null;
  /** A source cell pointed at, in the note or on the stage. */
  operand: Cell | null = null;
  /** Nodes pointed at in the formula or on the stage. */
  pointed: readonly string[] = [];
  /** A computation has run for longer than one notices. */
  waiting = false;
  trouble: Trouble | null = null;
  /** The computation asked for last; it never rejects. */
  computing: Promise<void> = Promise.resolve();
  /** Why the last value of a control was not taken. */
  refusal: { control: string; message: string } | null = null;
  progress: Progress | null = null;

  readonly #client: Client;
  readonly #changed: (kind: Change) => void;
  #run = 0;
  /** Counts the Configs opened, so that one whose lab comes late does not take the place of a newer one. */
  #opened = 0;
  #question = 0;
  /** How many answers of the core have not come yet. */
  #awaited = 0;
  /** The control that made the last change. */
  #control: string | null = null;
  /** The numbers before each edit and each reset, and those set back from. */
  readonly #undo = new Undo<NumbersOf[LabId]>();

  /** `changed` is called after every change. */
  constructor(client: Client, config: Config, changed: (kind: Change) => void) {
    this.#client = client;
    this.#changed = changed;
    this.config = config;
  }

  /** The Config the page speaks of: of another lab only once its numbers are there. */
  get spoken(): Config {
    return this.shown && this.shown.view.lab !== this.config.view.lab && !this.#failed
      ? this.shown
      : this.config;
  }

  /** Whether another lab was asked for than the one that is still drawn, which takes nothing more. */
  get leaving(): boolean {
    return this.opening !== null || this.spoken !== this.config;
  }

  /** The numbers drawn, looked at as the reader asks now. */
  get drawn(): Config | null {
    const { shown, config } = this;
    if (!shown || shown.view.lab !== this.spoken.view.lab) return null;
    return shown.view.lab === config.view.lab ? withView(shown, config.view) : shown;
  }

  /** The Config as it is looked at: what a link to it holds. */
  get state(): Config {
    const { config, progress, full } = this;
    const { picture, note } = this.looks?.() ?? { picture: config.view.picture, note: false };
    const open = { terms: full, note };
    const unfolded = choices.unfolded.filter((part) => open[part]);
    return withView(config, {
      stop: progress?.id ?? config.view.stop,
      unfolded: unfolded.length > 0 ? unfolded : undefined,
      picture,
    });
  }

  /** The numbers computed from a Config; none while those there are come from other settings. */
  snapshotsOf({ numbers }: Config): Snapshots {
    return this.shown?.numbers === numbers ? this.snapshots : none;
  }

  /** The numbers drawn are not those of the settings. */
  get standsBack(): boolean {
    return this.waiting || this.#failed;
  }

  /** Whether an answer that changes what is shown has not come yet: a lab, its numbers, or how the target was made. */
  get busy(): boolean {
    return this.opening !== null || this.#awaited > 0;
  }

  /** The numbers of `config` could not be had. */
  get #failed(): boolean {
    return failed(this.trouble);
  }

  get edits(): number {
    return this.config.numbers.edits.length;
  }

  /** Whether an edit or a reset can be undone. */
  get undoable(): boolean {
    return this.#undo.any || this.edits > 0;
  }

  /** Opens another Config whole, once its lab is there. Resolves to whether it was opened: false where a newer one was, or its lab cannot be had. */
  async open(config: Config): Promise<boolean> {
    const opened = ++this.#opened;
    const { lab } = config.view;
    this.missed = null;
    if (loadedLab(lab)) {
      this.#show(config);
      return true;
    }
    this.opening = config;
    // Language and theme are those of the link from the start.
    if (!this.ready) this.config = config;
    if (this.trouble?.kind === "lab") this.trouble = null;
    // What is computed still may be taken, but says no more whether one waits.
    this.#run++;
    const timer = setTimeout(() => {
      if (opened !== this.#opened) return;
      this.waiting = true;
      this.#changed("state");
    }, waitingAfter);
    this.#changed("state");
    try {
      await loadLab(lab);
      if (opened !== this.#opened) return false;
      this.#show(this.opening ?? config);
      return true;
    } catch (error) {
      if (opened !== this.#opened) return false;
      this.missed = this.opening;
      this.stay();
      this.trouble = { kind: "lab", reason: reasonOf(error) };
      this.#changed("state");
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Opens what could not be fetched before. */
  retry(): void {
    if (this.missed) void this.open(this.missed);
  }

  /** Opens nothing else any more: a lab that is being fetched will not be shown. */
  stay(): void {
    this.#opened++;
    if (!this.opening) return;
    this.opening = null;
    this.waiting = false;
    this.#changed("state");
  }

  #show(config: Config): void {
    this.opening = null;
    this.ready = true;
    this.openings++;
    this.config = config;
    if (this.trouble?.kind === "lab") this.trouble = null;
    this.cell = config.view.cell;
    this.refusal = null;
    this.progress = null;
    this.pointed = [];
    this.operand = null;
    this.full = config.view.unfolded?.includes("terms") ?? false;
    this.previous = null;
    this.#control = null;
    this.#undo.forget();
    void this.compute();
    this.#changed("opened");
  }

  setView(view: Parameters<typeof withView>[1]): void {
    this.config = withView(this.config, view);
    const { lang, theme } = this.config.view;
    // A story that is edited or left is so wherever the reader goes next, and where they return to.
    const { story } = view;
    const told = (config: Config | null): Config | null => {
      if (!config || !("story" in view)) return config;
      const reached = story && Math.min(config.view.reached ?? 0, story.length - 1);
      return withView(config, { story, reached: reached || undefined });
    };
    if (this.opening) this.opening = told(withView(this.opening, { lang, theme }));
    this.missed = told(this.missed);
    if (this.shown && "story" in view) this.shown = withView(this.shown, view);
    this.#changed("view");
  }

  setProgress(progress: Progress | null): void {
    const kind = progress?.id === this.progress?.id ? "state" : "view";
    this.progress = progress;
    this.#changed(kind);
  }

  /** It is looked at otherwise. */
  looked(): void {
    this.#changed("view");
  }

  /** Byte pairs of a text, learned in the core. */
  readonly learn = (text: string, merges: number): Promise<{ pieces: string[]; merges: number }> =>
    this.#client.ask("bytePairs", text, merges);

  /** Sets a control as typed. */
  change(control: string, value: string, words: Words): boolean {
    const answer = labOf(this.config).change(this.config.numbers, control, value, words);
    if (isRefused(answer)) {
      this.refusal = { control, message: answer.refused };
      this.#changed("state");
      return false;
    }
    this.refusal = null;
    if (answer === this.config.numbers) {
      this.#changed("state");
      return true;
    }
    this.setNumbers(answer, control);
    return true;
  }

  /** Other settings; what was edited before them is not undone from here. */
  setNumbers(numbers: NumbersOf[LabId], control: string | null = null): void {
    this.#undo.forget();
    this.#set(numbers, control);
  }

  #set(numbers: NumbersOf[LabId], control: string | null = null): void {
    if (control === null || control !== this.#control) this.previous = this.config.numbers;
    this.#control = control;
    // Where Play stood and what was read in the lesson was of other numbers.
    const view = { stop: undefined, lesson: undefined };
    this.config = withView(withNumbers(this.config, numbers), view);
    if (this.trouble?.kind === "restarted") this.trouble = null;
    this.progress = null;
    this.#changed("numbers");
    void this.compute();
  }

  edit(cell: Cell, value: number): void {
    this.editAll([{ ...cell, value }]);
  }

  /** Sets several cells: one step to undo. */
  editAll(edits: readonly Edit[]): void {
    const { numbers } = this.config;
    try {
      this.#do(withEdits(numbers, edits));
    } catch (error) {
      this.trouble = { kind: "refused", reason: reasonOf(error) };
      this.#changed("state");
    }
  }

  /** Other numbers in place of these: one step to undo. */
  replaceNumbers(numbers: NumbersOf[LabId]): void {
    this.#do(numbers);
  }

  #do(numbers: NumbersOf[LabId]): void {
    this.#undo.did(this.config.numbers);
    this.#set(numbers);
  }

  /** Takes back the last edit or reset; of edits that came with a link, the last. */
  undoEdit(): void {
    if (!this.undoable) return;
    const { numbers } = this.config;
    this.#set(this.#undo.back(numbers, { ...numbers, edits: numbers.edits.slice(0, -1) }));
  }

  redoEdit(): void {
    const after = this.#undo.again(this.config.numbers);
    if (after) this.#set(after);
  }

  resetEdits(): void {
    this.#do({ ...this.config.numbers, edits: [] });
  }

  /** Back to the Config whose numbers are drawn. */
  revert(): void {
    if (!this.shown) return;
    this.config = asNow(this.shown, this.config);
    this.trouble = null;
    this.#changed("numbers");
    void this.compute();
  }

  /** The worker died and another has computed the same. */
  restarted(reason: string): void {
    // What another was asked is not what failed.
    if (this.#failed) return;
    this.trouble = { kind: "restarted", reason };
    this.#changed("state");
  }

  /** The worker has not answered for long, or does after all. */
  silent(silent: boolean): void {
    // What failed is still to be said.
    if (silent && this.#failed) return;
    if (silent) this.trouble = { kind: "silent", reason: "" };
    else if (this.trouble?.kind === "silent") this.trouble = null;
    this.#changed("state");
  }

  /** Gives up a worker that is silent: another computes the same. */
  restart(): void {
    this.#client.restart();
  }

  understood(): void {
    this.trouble = null;
    this.#changed("state");
  }

  compute(): Promise<void> {
    return (this.computing = this.#compute());
  }

  async #compute(): Promise<void> {
    const run = ++this.#run;
    const { config } = this;
    const timer = setTimeout(() => {
      if (run !== this.#run) return;
      this.waiting = true;
      this.#changed("state");
    }, waitingAfter);
    let settings: Config;
    this.#awaited++;
    this.#changed("state");
    try {
      const computed = await this.#client.compute(config);
      settings = this.config;
      // Every answer is taken, also of an older question: it says what changed since the answer before it.
      if (computed.error === undefined) this.#take(config, computed);
      if (run === this.#run && computed.error !== undefined)
        this.trouble = { kind: "refused", reason: computed.error };
      else if (run === this.#run && this.trouble?.kind !== "restarted") this.trouble = null;
    } catch (error) {
      if (run !== this.#run) return this.#changed("state");
      settings = this.config;
      if (error instanceof PartMissing) {
        // The numbers drawn stay, with their settings, until what is missing can be had.
        this.missed = config;
        if (this.shown) this.config = asNow(this.shown, this.config);
        this.trouble = { kind: "lab", reason: reasonOf(error) };
      } else this.trouble = troubleOf(error, this.shown !== null);
    } finally {
      this.#awaited--;
      clearTimeout(timer);
      if (run === this.#run) this.waiting = false;
    }
    this.#changed("state");
    // What the answer took from the settings is not in the link either.
    if (this.config !== settings) this.#changed("view");
    void this.ask();
  }

  #take(config: Config, computed: Computed): void {
    const next = new Map<string, Snapshot>(computed.all ? [] : this.snapshots);
    for (const snapshot of computed.snapshots) next.set(snapshot.name, snapshot);
    this.snapshots = next;
    // The words for another lab's nodes are not this lab's: its last explanation goes with it.
    const another = this.shown?.view.lab !== config.view.lab;
    if (this.explanation && (another || !holdsAll(next, this.explanation))) this.explanation = null;
    if (!hasCell(next, this.operand)) this.operand = null;
    this.#keepStop(config);
    this.#keepCell(config, next);
    // No link is given to a cell that is not there.
    const { cell } = config.view;
    this.shown = !cell || hasCell(next, cell) ? config : withView(config, { cell: this.cell });
  }

  /** Stands at the stop that a link asks for, if the lab has it; its cell is explained unless the link asks for another. */
  #keepStop(config: Config): void {
    const { view, numbers } = this.config;
    const { stop: id } = view;
    if (id === undefined || numbers !== config.numbers) return;
    const stops = stopsOf(config, anyWords(), this.snapshots);
    const step = stops.findIndex((one) => one.id === id);
    this.config = withView(this.config, { stop: undefined, cell: view.cell ?? stops[step]?.cell ?? null });
    if (step >= 0) this.progress = { step, id, sweep: null };
  }

  /** Explains the cell that is asked for, of the numbers of `config`: else the nearest of its tensor, else the opening one. */
  #keepCell(config: Config, next: Snapshots): void {
    const { view, numbers } = this.config;
    const asked = view.lab === config.view.lab ? view.cell : null;
    const near = nearestCell(next, asked ?? (hasCell(next, this.cell) ? this.cell : null));
    const opening = labOf(config).opening(config);
    this.cell = hasCell(next, near) ? near : hasCell(next, opening) ? opening : null;
    // Newer settings, not computed yet, may have it.
    if (asked && numbers === config.numbers && !sameCell(asked, this.cell))
      this.config = withView(this.config, { cell: this.cell });
  }

  /** Moves the target. A pinned cell stays until it is let go. */
  target(cell: Cell): void {
    if (sameCell(cell, this.cell)) return;
    this.cell = cell;
    this.full = false;
    this.config = withView(this.config, { cell });
    this.#changed("view");
    void this.ask();
  }

  /** Moves the target to the telling cell of these settings, where they took the old one off the stage; the pin goes with it. */
  retarget(): void {
    if (!this.shown) return;
    this.config = withView(this.config, { pinned: false });
    this.target(labOf(this.shown).opening(this.shown));
  }

  pin(cell: Cell): void {
    const pinned = !(this.config.view.pinned && sameCell(cell, this.cell));
    this.cell = cell;
    this.config = withView(this.config, { cell, pinned });
    this.#changed("view");
    void this.ask();
  }

  /** Asks the core how the target was made; only the latest answer is shown. */
  ask(): Promise<void> {
    this.answered = this.#ask();
    return this.answered;
  }

  async #ask(): Promise<void> {
    const { cell } = this;
    const question = ++this.#question;
    if (!hasCell(this.snapshots, cell)) {
      this.explanation = null;
      return this.#changed("state");
    }
    this.#awaited++;
    try {
      const explanation = await this.#client.explain(cell.node, cell.index, this.full);
      if (question === this.#question) this.explanation = explanation;
    } catch {
      // A newer computation has replaced the graph; it asks again when it is done.
    } finally {
      this.#awaited--;
    }
    if (question === this.#question || !this.busy) this.#changed("state");
  }

  setFull(full: boolean): void {
    this.full = full;
    this.looked();
    void this.ask();
  }

  point(nodes: readonly string[]): void {
    this.pointed = nodes;
    this.#changed("state");
  }

  pointOperand(cell: Cell | null): void {
    this.operand = cell;
    this.#changed("state");
  }

  /** The first source of the target, at the same place where it can. */
  get source(): Cell | null {
    const { cell, explanation } = this;
    const source = explanation?.sources.find(({ node }) => node !== "");
    return cell && source ? { node: source.node, index: sameIndexIn(source, cell.index) } : null;
  }
}
