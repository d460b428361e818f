/**
 * The state of one open lab: a Config, the numbers computed from it, and the cell that the note explains. No
 * markup, no arithmetic.
 */
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
import { hasCell, hasAllCells, isComputed, nearestCell } from "./cells.js";
import type { Client, Computed, Explained } from "./client.js";
import { asNow, isLive, labOf, stopsOf, withNumbers, withView } from "./open-lab.js";
import { hasFailed, reasonOf, troubleOf, type Trouble } from "./trouble.js";
import { UndoHistory } from "./undo.js";

/** How far Play has come; null when everything is drawn. */
export interface Progress {
  /** The index of the stop, and its id. */
  step: number;
  id: string;
  sweep: number | null;
  /** The tensor that is swept. */
  node?: string;
}

/**
 * The part of the view that only the stage knows: the picture it shows, when the target alone would lead to
 * another, and whether the note is an unfolded sheet.
 */
export interface Looks {
  picture: string | undefined;
  note: boolean;
}

/**
 * The kind of a change: a Config was opened, its numbers changed, its view changed, or computed values or
 * pointed cells changed.
 */
export type Change = "opened" | "numbers" | "view" | "state";

const noSnapshots: Snapshots = new Map();

/** Milliseconds after which the page shows that a computation runs. */
const waitingAfter = 100;

/** What undo returns to: numbers, and the target if the step moved it. */
interface UndoState {
  numbers: NumbersOf[LabId];
  cell: Cell | null;
}

export class Playground {
  /** The Config that the reader asked for; its numbers may still be computed. */
  config: Config;
  /** The Config of a lab that is being fetched; until then the page stays with `config`. */
  pendingConfig: Config | null = null;
  /** The Config whose lab, or part of the core, could not be fetched. */
  unavailableConfig: Config | null = null;
  /** Whether a Config was opened: before that there is nothing to draw. */
  isReady = false;
  /** The number of Configs opened; a walk through one of them ends when another is opened. */
  openingCount = 0;
  /** The Config whose numbers are drawn; null before the first result. */
  computedConfig: Config | null = null;
  snapshots: Snapshots = new Map();
  /** The cell the note explains, called the target. */
  cell: Cell | null = null;
  explanation: Explained | null = null;
  /** How the counterpart of the target was computed; null in a lab without counterparts. */
  counterpart: Explained | null = null;
  /** Resolves once the core has answered how the latest target was computed. */
  explaining: Promise<void> = Promise.resolve();
  /** Whether `explanation` holds every term. */
  hasAllTerms = false;
  /** Reads the part of the view that only the stage knows; null before there is a stage. */
  looks: (() => Looks) | null = null;
  /**
   * The numbers before the last change; null when nothing was changed. Successive values of one control count
   * as one change.
   */
  previous: NumbersOf[LabId] | null = null;
  /** The numbers before the last drag; null when the last change was no drag. */
  beforeDrag: Snapshots | null = null;
  /** The source cell that the reader points at, in the note or on the stage. */
  operand: Cell | null = null;
  /** The nodes that the reader points at, in the formula or on the stage. */
  pointedNodes: readonly string[] = [];
  /** Whether a computation has run for long enough to show it. */
  isWaiting = false;
  trouble: Trouble | null = null;
  /** Whether the drawn numbers are a moment on the way to those of the settings: a run that trains. */
  isUnfinished = false;
  /** The computation that was requested last; it never rejects. */
  computing: Promise<void> = Promise.resolve();
  /** Why the last value of a control was refused. */
  refusal: { control: string; message: string } | null = null;
  progress: Progress | null = null;

  readonly #client: Client;
  readonly #onChange: (kind: Change) => void;
  #run = 0;
  /**
   * Counts the requests to open a Config, so that a lab that is fetched late does not replace a newer one.
   */
  #openRequests = 0;
  #question = 0;
  /** The number of answers of the core that have not come yet. */
  #pendingAnswers = 0;
  /** The control that made the last change. */
  #lastControl: string | null = null;
  /** The states before each edit, drag and reset, and those that were undone. */
  readonly #undo = new UndoHistory<UndoState>();

  /** `onChange` is called after every change. */
  constructor(client: Client, config: Config, onChange: (kind: Change) => void) {
    this.#client = client;
    this.#onChange = onChange;
    this.config = config;
  }

  /** The Config that title and settings show: that of another lab only once its numbers are drawn. */
  get displayedConfig(): Config {
    return this.computedConfig && this.computedConfig.view.lab !== this.config.view.lab && !this.#hasFailed
      ? this.computedConfig
      : this.config;
  }

  /**
   * Whether the reader has asked for another lab than the one that is still drawn, which accepts no input
   * then.
   */
  get isLeaving(): boolean {
    return this.pendingConfig !== null || this.displayedConfig !== this.config;
  }

  /** The drawn numbers with the reader's present view. */
  get drawnConfig(): Config | null {
    const { computedConfig, config } = this;
    if (!computedConfig || computedConfig.view.lab !== this.displayedConfig.view.lab) return null;
    return computedConfig.view.lab === config.view.lab
      ? withView(computedConfig, config.view)
      : computedConfig;
  }

  /** The Config with all of its view, as a link to it holds it. */
  get state(): Config {
    const { config, progress, hasAllTerms } = this;
    const { picture, note } = this.looks?.() ?? { picture: config.view.picture, note: false };
    const open = { terms: hasAllTerms, note };
    const unfolded = choices.unfolded.filter((part) => open[part]);
    return withView(config, {
      stop: progress?.id ?? config.view.stop,
      unfolded: unfolded.length > 0 ? unfolded : undefined,
      picture,
    });
  }

  /**
   * The drawn numbers with all of the view, as a link to them holds it; while another lab is being computed,
   * those of the lab that is drawn.
   */
  get drawnState(): Config {
    const config = this.drawnConfig ?? this.config;
    const { view } = this.state;
    return config.view.lab === view.lab ? withView(config, view) : config;
  }

  /** The cell whose number is covered until it is guessed; null for none. */
  get covered(): Cell | null {
    const { guess = null } = this.config.view;
    return isComputed(this.snapshots, guess) ? guess : null;
  }

  /** The numbers computed from a Config; empty while the numbers at hand come from other settings. */
  snapshotsOf({ numbers }: Config): Snapshots {
    return this.computedConfig?.numbers === numbers ? this.snapshots : noSnapshots;
  }

  /** Whether the numbers drawn are not those of the settings. */
  get isStale(): boolean {
    return this.isWaiting || this.#hasFailed;
  }

  /** Whether the numbers drawn are those of earlier settings, from the moment of a change on. */
  get isBehind(): boolean {
    return this.computedConfig?.numbers !== this.config.numbers;
  }

  /**
   * Whether an answer that changes what is shown is still missing: a lab, its numbers, or how the target was
   * computed.
   */
  get isBusy(): boolean {
    return this.pendingConfig !== null || this.#pendingAnswers > 0 || this.isUnfinished;
  }

  /** Whether the numbers of `config` could not be computed. */
  get #hasFailed(): boolean {
    return hasFailed(this.trouble);
  }

  get edits(): number {
    return this.config.numbers.edits.length;
  }

  /** Whether an edit, a drag or a reset can be undone. */
  get canUndo(): boolean {
    return this.#undo.last !== undefined || this.edits > 0;
  }

  /** Whether the last step to undo changed numbers and left the target: an edit or a reset, but no drag that moved the target. */
  get canUndoReset(): boolean {
    return this.#undo.last?.cell === null;
  }

  /**
   * Opens another Config, once its lab has been fetched. Resolves to false when a newer one was opened
   * meanwhile, or when its lab cannot be fetched.
   */
  async open(config: Config): Promise<boolean> {
    const opened = ++this.#openRequests;
    const { lab } = config.view;
    this.unavailableConfig = null;
    if (loadedLab(lab)) {
      this.#show(config);
      return true;
    }
    this.pendingConfig = config;
    // Language and theme are those of the link from the start.
    if (!this.isReady) this.config = config;
    if (this.trouble?.kind === "lab") this.trouble = null;
    // A result that is still computed may be used, but no longer ends the waiting.
    this.#run++;
    const timer = setTimeout(() => {
      if (opened !== this.#openRequests) return;
      this.isWaiting = true;
      this.#onChange("state");
    }, waitingAfter);
    this.#onChange("state");
    try {
      await loadLab(lab);
      if (opened !== this.#openRequests) return false;
      this.#show(this.pendingConfig ?? config);
      return true;
    } catch (error) {
      if (opened !== this.#openRequests) return false;
      this.unavailableConfig = this.pendingConfig;
      this.stay();
      this.trouble = { kind: "lab", reason: reasonOf(error) };
      this.#onChange("state");
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Opens the Config that could not be fetched before. */
  retry(): void {
    if (this.unavailableConfig) void this.open(this.unavailableConfig);
  }

  /** Cancels opening: a lab that is being fetched will not be shown. */
  stay(): void {
    this.#openRequests++;
    if (!this.pendingConfig) return;
    this.pendingConfig = null;
    this.isWaiting = false;
    this.#onChange("state");
  }

  #show(config: Config): void {
    this.pendingConfig = null;
    this.isReady = true;
    this.openingCount++;
    this.config = config;
    if (this.trouble?.kind === "lab") this.trouble = null;
    this.cell = config.view.cell ?? config.view.guess ?? null;
    this.refusal = null;
    this.progress = null;
    this.pointedNodes = [];
    this.operand = null;
    this.hasAllTerms = config.view.unfolded?.includes("terms") ?? false;
    this.previous = null;
    this.beforeDrag = null;
    this.#lastControl = null;
    this.#undo.clear();
    void this.compute();
    this.#onChange("opened");
  }

  setView(view: Parameters<typeof withView>[1]): void {
    this.config = withView(this.config, view);
    const { lang, theme } = this.config.view;
    // A change of the story, or leaving it, also applies to the Config that is being opened and to the one
    // that could not be.
    const { story } = view;
    const withStory = (config: Config | null): Config | null => {
      if (!config || !("story" in view)) return config;
      const reached = story && Math.min(config.view.reached ?? 0, story.length - 1);
      return withView(config, { story, reached: reached || undefined });
    };
    if (this.pendingConfig) this.pendingConfig = withStory(withView(this.pendingConfig, { lang, theme }));
    this.unavailableConfig = withStory(this.unavailableConfig);
    if (this.computedConfig && "story" in view) this.computedConfig = withView(this.computedConfig, view);
    this.#onChange("view");
  }

  setProgress(progress: Progress | null): void {
    const kind = progress?.id === this.progress?.id ? "state" : "view";
    this.progress = progress;
    this.#onChange(kind);
  }

  /** Reports that the part of the view that the stage knows has changed. */
  reportLooks(): void {
    this.#onChange("view");
  }

  /** Learns byte pairs of a text in the core. */
  readonly learn = (text: string, merges: number): Promise<{ pieces: string[]; merges: number }> =>
    this.#client.ask("bytePairs", text, merges);

  /**
   * Sets a control to a typed value. False when the value is refused. Edits made before can no longer be undone, unless it `continues` the
   * last step to undo.
   */
  change(control: string, value: string, words: Words, continues = false): boolean {
    const answer = labOf(this.config).change(this.config.numbers, control, value, words);
    if (isRefused(answer)) {
      this.refusal = { control, message: answer.refused };
      this.#onChange("state");
      return false;
    }
    this.refusal = null;
    if (answer === this.config.numbers) {
      this.#onChange("state");
      return true;
    }
    if (continues) this.#set(answer, control);
    else this.setNumbers(answer, control);
    return true;
  }

  /** Sets other settings; edits made before can no longer be undone. */
  setNumbers(numbers: NumbersOf[LabId], control: string | null = null): void {
    this.#undo.clear();
    this.#set(numbers, control);
  }

  #set(numbers: NumbersOf[LabId], control: string | null = null): void {
    if (control === null || control !== this.#lastControl) this.previous = this.config.numbers;
    this.#lastControl = control;
    this.beforeDrag = null;
    // The stop of Play and the paragraph of the lesson belonged to other numbers.
    const view = { stop: undefined, lesson: undefined };
    this.config = withView(withNumbers(this.config, numbers), view);
    if (this.trouble?.kind === "restarted") this.trouble = null;
    this.progress = null;
    this.#onChange("numbers");
    void this.compute();
  }

  edit(cell: Cell, value: number): void {
    this.editAll([{ ...cell, value }]);
  }

  /** Sets several cells as one step to undo; `continues`: as part of the last step. */
  editAll(edits: readonly Edit[], continues = false): void {
    const { numbers } = this.config;
    try {
      const edited = withEdits(numbers, edits);
      if (continues) this.#set(edited);
      else this.#setUndoable(edited);
    } catch (error) {
      this.trouble = { kind: "refused", reason: reasonOf(error) };
      this.#onChange("state");
    }
  }

  /** Replaces the numbers as one step to undo. */
  replaceNumbers(numbers: NumbersOf[LabId]): void {
    this.#setUndoable(numbers);
  }

  #setUndoable(numbers: NumbersOf[LabId]): void {
    this.beginStep(false);
    this.#set(numbers);
  }

  /** Begins a step to undo, which later changes continue. `movesTarget`: undoing it also restores the present target. */
  beginStep(movesTarget: boolean): void {
    this.#undo.record(this.#undoState(movesTarget));
  }

  #undoState(withCell: boolean): UndoState {
    return { numbers: this.config.numbers, cell: withCell ? this.cell : null };
  }

  #restore({ numbers, cell }: UndoState): void {
    this.#set(numbers);
    if (cell) this.target(cell);
  }

  /** Undoes the last edit, drag or reset; without one, removes the last edit of the link. */
  undoEdit(): void {
    if (!this.canUndo) return;
    const { numbers } = this.config;
    const withoutLast = { numbers: { ...numbers, edits: numbers.edits.slice(0, -1) }, cell: null };
    this.#restore(this.#undo.undo(({ cell }) => this.#undoState(cell !== null), withoutLast));
  }

  redoEdit(): void {
    const after = this.#undo.redo(({ cell }) => this.#undoState(cell !== null));
    if (after) this.#restore(after);
  }

  resetEdits(): void {
    this.#setUndoable({ ...this.config.numbers, edits: [] });
  }

  /** Returns to the Config whose numbers are drawn. */
  revert(): void {
    if (!this.computedConfig) return;
    this.config = asNow(this.computedConfig, this.config);
    this.trouble = null;
    this.#onChange("numbers");
    void this.compute();
  }

  /** The worker died, and another one has computed the same. */
  onRestart(reason: string): void {
    // What failed has not been computed by another worker.
    if (this.#hasFailed) return;
    this.trouble = { kind: "restarted", reason };
    this.#onChange("state");
  }

  /** The worker has not answered for long, or answers again. */
  onSilence(silent: boolean): void {
    // The notice about a failure stays.
    if (silent && this.#hasFailed) return;
    if (silent) this.trouble = { kind: "silent", reason: "" };
    else if (this.trouble?.kind === "silent") this.trouble = null;
    this.#onChange("state");
  }

  /** Gives up a silent worker: another computes the same. */
  restart(): void {
    this.#client.restart();
  }

  dismissTrouble(): void {
    this.trouble = null;
    this.#onChange("state");
  }

  compute(): Promise<void> {
    return (this.computing = this.#compute());
  }

  async #compute(): Promise<void> {
    const run = ++this.#run;
    const { config } = this;
    const timer = setTimeout(() => {
      if (isLive(config, this.snapshots)) return;
      if (run !== this.#run) return;
      this.isWaiting = true;
      this.#onChange("state");
    }, waitingAfter);
    let settings: Config;
    this.#pendingAnswers++;
    this.#onChange("state");
    try {
      const computed = await this.#client.compute(config);
      settings = this.config;
      // Every answer is used, also one to an older request, since each holds only what changed after the
      // answer before it.
      this.isUnfinished = computed.isUnfinished ?? false;
      if (computed.error === undefined) this.#take(config, computed);
      if (run === this.#run && computed.error !== undefined)
        this.trouble = { kind: "refused", reason: computed.error };
      else if (run === this.#run && this.trouble?.kind !== "restarted") this.trouble = null;
    } catch (error) {
      if (run !== this.#run) return this.#onChange("state");
      this.isUnfinished = false;
      settings = this.config;
      if (error instanceof PartMissing) {
        // The drawn numbers stay, with their settings, until the missing part can be fetched.
        this.unavailableConfig = config;
        if (this.computedConfig) this.config = asNow(this.computedConfig, this.config);
        this.trouble = { kind: "lab", reason: reasonOf(error) };
      } else this.trouble = troubleOf(error, this.computedConfig !== null);
    } finally {
      this.#pendingAnswers--;
      clearTimeout(timer);
      if (run === this.#run) this.isWaiting = false;
    }
    this.#onChange("state");
    // When the answer changed the settings, the link changes too.
    if (this.config !== settings) this.#onChange("view");
    void this.ask().then(() => {
      if (run === this.#run && this.isUnfinished) void this.compute();
    });
  }

  #take(config: Config, computed: Computed): void {
    const next = new Map<string, Snapshot>(computed.all ? [] : this.snapshots);
    for (const snapshot of computed.snapshots) next.set(snapshot.name, snapshot);
    this.snapshots = next;
    // The last explanation of another lab has nodes that this lab has no words for.
    const another = this.computedConfig?.view.lab !== config.view.lab;
    if (this.explanation && (another || !hasAllCells(next, this.explanation)))
      this.explanation = this.counterpart = null;
    if (!hasCell(next, this.operand)) this.operand = null;
    this.#keepStop(config);
    this.#keepCell(config, next);
    // A link is made only to cells that exist.
    const { cell } = config.view;
    this.computedConfig = !cell || hasCell(next, cell) ? config : withView(config, { cell: this.cell });
  }

  /**
   * Goes to the stop that a link names, if the lab has it; its cell is explained unless the link names
   * another.
   */
  #keepStop(config: Config): void {
    const { view, numbers } = this.config;
    const { stop: id } = view;
    if (id === undefined || numbers !== config.numbers) return;
    const stops = stopsOf(config, anyWords(), this.snapshots);
    const step = stops.findIndex((one) => one.id === id);
    this.config = withView(this.config, {
      stop: undefined,
      cell: view.cell ?? view.guess ?? stops[step]?.cell ?? null,
    });
    if (step >= 0) this.progress = { step, id, sweep: null };
  }

  /**
   * Explains the requested cell among the numbers of `config`, else the nearest cell of its tensor, else the
   * lab's opening cell.
   */
  #keepCell(config: Config, next: Snapshots): void {
    const { view, numbers } = this.config;
    const requested = view.lab === config.view.lab ? (view.cell ?? view.guess ?? null) : null;
    const near = nearestCell(next, requested ?? (hasCell(next, this.cell) ? this.cell : null));
    const opening = labOf(config).opening(config, next);
    this.cell = hasCell(next, near) ? near : hasCell(next, opening) ? opening : null;
    // Newer settings, not computed yet, may have the requested cell, and so may a later moment of a run.
    const isLast = numbers === config.numbers && !this.isUnfinished;
    if (requested && isLast && !sameCell(requested, this.cell))
      this.config = withView(this.config, { cell: this.cell });
    if (view.guess && numbers === config.numbers && !isComputed(next, view.guess))
      this.config = withView(this.config, { guess: undefined });
  }

  /** Moves the target. */
  target(cell: Cell): void {
    if (sameCell(cell, this.cell)) return;
    this.cell = cell;
    this.hasAllTerms = false;
    this.config = withView(this.config, { cell });
    this.#onChange("view");
    void this.ask();
  }

  /**
   * Moves the target to the lab's opening cell, because the settings no longer draw the old one; the pin is
   * removed.
   */
  retarget(): void {
    if (!this.computedConfig) return;
    this.config = withView(this.config, { pinned: false });
    this.target(labOf(this.computedConfig).opening(this.computedConfig, this.snapshots));
  }

  pin(cell: Cell): void {
    const pinned = !(this.config.view.pinned && sameCell(cell, this.cell));
    this.cell = cell;
    this.config = withView(this.config, { cell, pinned });
    this.#onChange("view");
    void this.ask();
  }

  /** Requests how the target was computed; only the latest answer is shown. */
  ask(): Promise<void> {
    this.explaining = this.#ask();
    return this.explaining;
  }

  async #ask(): Promise<void> {
    const { cell } = this;
    const question = ++this.#question;
    if (!hasCell(this.snapshots, cell)) {
      this.explanation = this.counterpart = null;
      return this.#onChange("state");
    }
    this.#pendingAnswers++;
    try {
      const other = labOf(this.config).counterpart?.(cell) ?? null;
      const [explanation, counterpart] = await Promise.all(
        [cell, other].map(async (one) =>
          hasCell(this.snapshots, one) ? this.#client.explain(one.node, one.index, this.hasAllTerms) : null,
        ),
      );
      if (question === this.#question) {
        this.explanation = explanation ?? null;
        this.counterpart = counterpart ?? null;
      }
    } catch {
      // A newer computation has replaced the graph; the explanation is requested again when it is done.
    } finally {
      this.#pendingAnswers--;
    }
    if (question === this.#question || !this.isBusy) this.#onChange("state");
  }

  setFull(full: boolean): void {
    this.hasAllTerms = full;
    this.reportLooks();
    void this.ask();
  }

  point(nodes: readonly string[]): void {
    this.pointedNodes = nodes;
    this.#onChange("state");
  }

  pointOperand(cell: Cell | null): void {
    this.operand = cell;
    this.#onChange("state");
  }

  /** The first source of the target, at the same index where possible. */
  get source(): Cell | null {
    const { cell, explanation } = this;
    const source = explanation?.sources.find(({ node }) => node !== "");
    return cell && source ? { node: source.node, index: sameIndexIn(source, cell.index) } : null;
  }
}
