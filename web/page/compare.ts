/**
 * Comparison: stores one state of a lab and shows what the reader changes after it beside it. The differences
 * are computed in the core.
 */
import type { Config } from "../config/config.js";
import type { Explanation } from "../core/attention.js";
import type { Words } from "../i18n/words.js";
import {
  comparisonReader,
  hasDifference,
  type ComparedState,
  type ComparisonMode,
} from "../marks/comparison-reading.js";
import type { SceneReader } from "../marks/reading.js";
import type { Snapshot, Snapshots } from "../marks/scene.js";
import type { Control } from "../marks/wording.js";
import type { Client } from "./client.js";
import { Memo } from "./memo.js";
import { labOf } from "./open-lab.js";
import { hasCell, lacksNumbers, valueAt } from "./cells.js";
import type { Playground } from "./playground.js";
import type { ReadingLine, StageReading } from "./stage-reading.js";
import { reasonOf } from "./trouble.js";

/** Controls that change the view, not what is computed. */
const viewControls = ["scales", "item"];
/**
 * The longest value that is printed when a setting changed; for a longer one only the setting's name is
 * printed.
 */
const mostQuoted = 40;

const noSnapshots: Snapshots = new Map();

export class Comparison implements ComparedState, StageReading {
  readonly storedConfig: Config;
  /**
   * The numbers of the stored state; empty until they are computed, unless they were on the stage already.
   */
  before: Snapshots = noSnapshots;
  differences: Snapshots = noSnapshots;
  readonly #client: Client;
  readonly #onChange: () => void;
  /** The numbers whose differences were last requested. */
  #requestedFor: Snapshots = noSnapshots;
  /** Why the numbers of the stored state could not be computed. */
  #failure = "";
  /** Whether any number differs, or any tensor exists in one state only. */
  #differs = false;
  readonly #changes = new Memo<string[]>();
  readonly #reader = new Memo<SceneReader>();
  readonly #explanation = new Memo<Explanation | null>();

  constructor(client: Client, storedConfig: Config, playground: Playground, onChange: () => void) {
    this.#client = client;
    this.storedConfig = storedConfig;
    this.#onChange = onChange;
    if (playground.computedConfig?.numbers === storedConfig.numbers)
      this.before = this.#requestedFor = playground.snapshots;
    else void this.#compute(playground);
  }

  async #compute(playground: Playground): Promise<void> {
    try {
      const computed = await this.#client.computeSeparately(this.storedConfig);
      this.before = new Map(computed.map((snapshot) => [snapshot.name, snapshot]));
      if (playground.computedConfig?.view.lab === this.storedConfig.view.lab) await this.follow(playground);
    } catch (error) {
      this.#failure = reasonOf(error);
    }
    this.#onChange();
  }

  show(value: string, playground: Playground): void {
    playground.setView({ read: value === "now" ? "numbers" : undefined });
  }

  /** Requests the differences of new numbers. */
  async follow({ snapshots }: Playground): Promise<void> {
    if (snapshots === this.#requestedFor || this.before === noSnapshots) return;
    this.#requestedFor = snapshots;
    const before = [...this.before.values()].map(({ name, shape, data }) => ({ name, shape, data }));
    try {
      const differences = await this.#client.difference(before);
      if (snapshots !== this.#requestedFor) return;
      this.differences = new Map(differences.map((snapshot) => [snapshot.name, snapshot]));
      this.#differs =
        differences.some(hasDifference) || [...snapshots.keys()].some((name) => !this.differences.has(name));
      this.#onChange();
    } catch {
      // Newer numbers are being computed; they are compared once they arrive.
    }
  }

  line(playground: Playground, words: Words): ReadingLine {
    const value = this.#mode(playground);
    const line = { name: words("compare.region"), value, stop: words("compare.stop"), options: [] };
    if (this.#failure) return { ...line, text: words("compare.failed", { reason: this.#failure }) };
    if (this.before === noSnapshots) return { ...line, text: words("page.computing") };
    const now = playground.drawnConfig ?? this.storedConfig;
    const changes = this.#changes.of([now.numbers, words], () => this.#changedSettings(now, words));
    if (!this.#differs && changes.length > 0) return { ...line, text: words("compare.same") };
    if (!this.#differs) return { ...line, text: words("compare.kept"), ...this.#other(playground, words) };
    const text =
      changes.length > 0
        ? words("compare.list", { changes: changes.join(words("compare.and")) })
        : words("compare.other");
    const options = [
      { value: "now", label: words("compare.now") },
      { value: "difference", label: words("compare.difference") },
    ];
    return { ...line, text, options };
  }

  /** The offer to compare with the state before the reader's last change instead. */
  #other(playground: Playground, words: Words): Pick<ReadingLine, "other"> {
    const { previous: before } = playground;
    if (!before) return {};
    return { other: { label: words("compare.previous"), act: () => playground.setView({ before }) } };
  }

  #mode({ config }: Playground): ComparisonMode {
    return config.view.read ? "now" : "difference";
  }

  scenes(playground: Playground, words: Words): SceneReader | null {
    if (!this.#differs) return null;
    const mode = this.#mode(playground);
    return this.#reader.of([this.differences, mode, words], () => comparisonReader(this, mode, words));
  }

  /** While the difference is on the stage: the cell's two numbers and their difference. */
  explanationOf(playground: Playground): Explanation | null {
    const { cell, explanation, snapshots } = playground;
    if (this.#mode(playground) === "now" || !this.#differs) return explanation;
    return this.#explanation.of([this.differences, snapshots, cell, explanation], () => {
      const difference = cell && this.differences.get(cell.node);
      if (!difference || !hasCell(snapshots, cell) || !hasCell(this.differences, cell)) return explanation;
      const { node, index } = cell;
      const of = (snapshot: Snapshot | undefined): number => valueAt(snapshot, index);
      const operand = (value: number) => ({ node: "", index: [], value });
      const value = of(difference);
      const present = snapshots.get(node)!;
      const now = lacksNumbers(present) && explanation ? explanation.value : of(present);
      const rows = [
        { role: "now", operands: [operand(now)] },
        { role: "before", operands: [operand(of(this.before.get(node)))] },
        { role: Number.isNaN(value) ? "unchanged" : "difference", operands: [], value },
      ];
      return { node, op: "compare", index, value, rows, sources: explanation?.sources ?? [], attributes: {} };
    });
  }

  /** The settings that changed, as "Mask: no mask → causal mask". */
  #changedSettings(now: Config, words: Words): string[] {
    const controls = (config: Config): Control[] => labOf(config).sentence(config, words).controls;
    const before = new Map(controls(this.storedConfig).map((control) => [control.id, control]));
    const settings = controls(now).flatMap((control) => {
      const was = before.get(control.id);
      if (!was || viewControls.includes(control.id) || was.value === control.value) return [];
      const { title } = control;
      const [from, to] =
        was.label === control.label ? [was.value, control.value] : [was.label, control.label];
      return Math.max(from.length, to.length) > mostQuoted
        ? [words("compare.setting_other", { title })]
        : [words("compare.setting", { title, before: from, now: to })];
    });
    const edits = (config: Config): string[] => config.numbers.edits.map((edit) => JSON.stringify(edit));
    const were = edits(this.storedConfig);
    const are = edits(now);
    const count =
      are.filter((edit) => !were.includes(edit)).length + were.filter((edit) => !are.includes(edit)).length;
    const byHand = words(count === 1 ? "compare.by_hand_one" : "compare.by_hand", { count });
    return count > 0 ? [...settings, byHand] : settings;
  }
}
