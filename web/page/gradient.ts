/** The gradient of one number: the stage shows it by every other, the note how each was made. Gradients come from the core. */
import type { LabId } from "../config/config.js";
import type { Explanation } from "../core/attention.js";
import { addressText } from "../elements/note/places.js";
import type { Words } from "../i18n/words.js";
import {
  bareGradientNote,
  graded,
  gradientNote,
  noGradientNote,
  type GradientNote,
} from "../marks/graded.js";
import { sameIndexIn } from "../marks/lighting.js";
import type { SceneReader } from "../marks/reading.js";
import type { Snapshots } from "../marks/scene.js";
import type { Client } from "./client.js";
import { Kept } from "./kept.js";
import { sameCell, type Cell } from "../marks/board.js";
import { hasCell, valueAt } from "./cells.js";
import type { Playground } from "./playground.js";
import type { ReadingLine, StageReading } from "./stage-reading.js";

const none: Snapshots = new Map();

export class Gradient implements StageReading {
  readonly of: Cell;
  readonly lab: LabId;
  /** By node that the number is computed from; null before the first answer. */
  gradients: Snapshots | null = null;
  /** By node that it is not computed from. */
  #unused: Snapshots = none;
  #failure = "";
  readonly #client: Client;
  readonly #changed: () => void;
  /** The numbers that gradients were asked of last, and the question that the last note answers. */
  #asked: Snapshots = none;
  #question: readonly unknown[] = [];
  #note: GradientNote | null = null;
  readonly #reader = new Kept<SceneReader>();

  constructor(client: Client, of: Cell, lab: LabId, changed: () => void) {
    this.#client = client;
    this.of = of;
    this.lab = lab;
    this.#changed = changed;
  }

  show(value: string, playground: Playground): void {
    playground.setView({ read: value === "numbers" ? value : undefined });
  }

  /** Asks for the gradients of new numbers, and for how that of a new target was made. */
  async follow(playground: Playground): Promise<void> {
    const { snapshots } = playground;
    if (snapshots !== this.#asked) {
      this.#asked = snapshots;
      try {
        const made = await this.#client.about("gradients", this.of);
        if (snapshots !== this.#asked) return;
        const byName = (used: boolean) =>
          new Map(made.filter((node) => node.used === used).map((node) => [node.name, node]));
        this.gradients = byName(true);
        this.#unused = byName(false);
        this.#failure = "";
      } catch (error) {
        // While newer numbers are computed they ask again when they are there.
        if (snapshots !== this.#asked) return;
        this.gradients = null;
        this.#failure = error instanceof Error ? error.message : String(error);
      }
      this.#changed();
    }
    await this.#ask(playground);
  }

  async #ask({ snapshots, cell, full, explanation }: Playground): Promise<void> {
    const { gradients, of } = this;
    if (!gradients || !hasCell(snapshots, cell)) return;
    // Of another worker: with it in the note a walk must know where it leads.
    if (!explanation || !sameCell(explanation, cell)) return;
    const question = [gradients, cell.node, cell.index.join(), full];
    if (question.every((part, at) => part === this.#question[at])) return;
    this.#question = question;
    try {
      const known = gradients.get(cell.node);
      const inputs = snapshots.get(of.node)?.inputs ?? [];
      const unused = this.#unused.get(cell.node);
      const made = known && (await this.#client.about("explainGradient", of, cell.node, cell.index, full));
      const note = made
        ? gradientNote(of, made)
        : known
          ? bareGradientNote(of, cell, valueAt(known, cell.index))
          : noGradientNote(
              of,
              cell,
              unused ? valueAt(unused, cell.index) : NaN,
              inputs.filter((name) => gradients.has(name)),
            );
      if (question !== this.#question) return;
      this.#note = note;
      this.#changed();
    } catch {
      // Newer numbers have replaced the graph; their gradients are asked for, and then this again.
      if (question === this.#question) this.#question = [];
    }
  }

  line({ config }: Playground, words: Words): ReadingLine {
    const of = addressText(this.of);
    const value = config.view.read ?? "gradient";
    const line = { name: words("gradient.region"), value, stop: words("gradient.stop") };
    if (this.#failure)
      return { ...line, text: words("gradient.failed", { reason: this.#failure }), options: [] };
    if (!this.gradients) return { ...line, text: words("gradient.waiting", { of }), options: [] };
    const options = [
      { value: "numbers", label: words("gradient.numbers") },
      { value: "gradient", label: words("gradient.name") },
    ];
    return { ...line, text: words("gradient.line", { of }), options };
  }

  /** What the stage shows of gradients. */
  #read({ config }: Playground): Snapshots | null {
    return config.view.read ? null : this.gradients;
  }

  scenes(playground: Playground, words: Words): SceneReader | null {
    const gradients = this.#read(playground);
    const { snapshots } = playground;
    if (!gradients) return null;
    return this.#reader.of([gradients, snapshots, words], () => {
      // Those of numbers before these fit no tensor that has another shape now.
      const fitting = [...gradients].filter(
        ([name, { shape }]) => shape.join() === snapshots.get(name)?.shape.join(),
      );
      return graded(new Map(fitting), addressText(this.of), words);
    });
  }

  explanationOf(playground: Playground): Explanation | null {
    const { explanation, snapshots } = playground;
    if (!this.#read(playground)) return explanation;
    return this.#note && hasCell(snapshots, this.#note) ? this.#note : explanation;
  }

  /** The cells whose gradients this one is a part of: those that the target was made from. */
  becomes(playground: Playground): (Cell & { value: number; gradient: true })[] | null {
    const gradients = this.#read(playground);
    if (!gradients) return null;
    const { cell, explanation } = playground;
    const note = this.#note;
    if (!explanation || !sameCell(cell, explanation) || !note || !sameCell(cell, note) || note.rows[0]?.role === "none")
      return []; // prettier-ignore
    const nodes = new Map(explanation.sources.map((source) => [source.node, source]));
    return [...nodes.values()].flatMap((source) => {
      const { node } = source;
      const index = sameIndexIn(source, explanation.index);
      const gradient = gradients.get(node);
      return gradient ? [{ node, index, value: valueAt(gradient, index), gradient: true as const }] : [];
    });
  }

  /** Against the numbers' own way: from the target to what its gradient came from, or to what it goes on to. */
  next(direction: "source" | "result", playground: Playground): Cell | null | undefined {
    if (!this.#read(playground)) return undefined;
    if (direction === "result") return this.becomes(playground)?.[0] ?? null;
    const source = this.#note?.sources[0];
    return source && this.#note ? { node: source.node, index: sameIndexIn(source, this.#note.index) } : null;
  }
}
