/**
 * The gradient of one number: the stage shows it with respect to every other number, and the note shows how
 * each gradient was computed. Gradients come from the core.
 */
import type { LabId } from "../config/config.js";
import type { Explanation } from "../core/attention.js";
import { gradientLayout } from "../elements/note/gradient.js";
import { addressText } from "../elements/note/places.js";
import type { Words } from "../i18n/words.js";
import {
  bareGradientNote,
  gradientReader,
  gradientNote,
  noGradientNote,
  type GradientNote,
} from "../marks/gradient-reading.js";
import { sameIndexIn } from "../marks/lighting.js";
import type { SceneReader } from "../marks/reading.js";
import type { Snapshots } from "../marks/scene.js";
import type { Client } from "./client.js";
import { Memo } from "./memo.js";
import { sameCell, type Cell } from "../marks/board.js";
import { hasCell, valueAt } from "./cells.js";
import type { Playground } from "./playground.js";
import type { ReadingLine, StageReading } from "./stage-reading.js";

const noSnapshots: Snapshots = new Map();

export class Gradient implements StageReading {
  readonly of: Cell;
  readonly lab: LabId;
  readonly gradientLayout = gradientLayout;
  /** Gradients by node that the number is computed from; null before the first answer. */
  gradients: Snapshots | null = null;
  /** Gradients by node that the number is not computed from. */
  #unused: Snapshots = noSnapshots;
  #failure = "";
  readonly #client: Client;
  readonly #onChange: () => void;
  /** The numbers whose gradients were requested last, and the question that the last note answers. */
  #requestedFor: Snapshots = noSnapshots;
  #question: readonly unknown[] = [];
  #note: GradientNote | null = null;
  readonly #reader = new Memo<SceneReader>();

  constructor(client: Client, of: Cell, lab: LabId, onChange: () => void) {
    this.#client = client;
    this.of = of;
    this.lab = lab;
    this.#onChange = onChange;
  }

  show(value: string, playground: Playground): void {
    playground.setView({ read: value === "numbers" ? value : undefined });
  }

  /** Requests the gradients of new numbers, and the explanation of the gradient at a new target. */
  async follow(playground: Playground): Promise<void> {
    const { snapshots } = playground;
    if (snapshots !== this.#requestedFor) {
      this.#requestedFor = snapshots;
      try {
        const gradients = await this.#client.about("gradients", this.of);
        if (snapshots !== this.#requestedFor) return;
        const byName = (used: boolean) =>
          new Map(gradients.filter((node) => node.used === used).map((node) => [node.name, node]));
        this.gradients = byName(true);
        this.#unused = byName(false);
        this.#failure = "";
      } catch (error) {
        // When newer numbers are being computed, their gradients are requested once they arrive.
        if (snapshots !== this.#requestedFor) return;
        this.gradients = null;
        this.#failure = error instanceof Error ? error.message : String(error);
      }
      this.#onChange();
    }
    await this.#explain(playground);
  }

  async #explain({ snapshots, cell, hasAllTerms, explanation }: Playground): Promise<void> {
    const { gradients, of } = this;
    if (!gradients || !hasCell(snapshots, cell)) return;
    // Waits for the explanation of the target itself: a walk needs both.
    if (!explanation || !sameCell(explanation, cell)) return;
    const question = [gradients, cell.node, cell.index.join(), hasAllTerms];
    if (question.every((part, at) => part === this.#question[at])) return;
    this.#question = question;
    try {
      const known = gradients.get(cell.node);
      const inputs = snapshots.get(of.node)?.inputs ?? [];
      const unused = this.#unused.get(cell.node);
      const computed =
        known && (await this.#client.about("explainGradient", of, cell.node, cell.index, hasAllTerms));
      const note = computed
        ? gradientNote(of, computed)
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
      this.#onChange();
    } catch {
      // Newer numbers have replaced the graph; their gradients are requested first, and then this explanation
      // again.
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

  /** The gradients that the stage shows; null while it shows the numbers. */
  #shownGradients({ config }: Playground): Snapshots | null {
    return config.view.read ? null : this.gradients;
  }

  scenes(playground: Playground, words: Words): SceneReader | null {
    const gradients = this.#shownGradients(playground);
    const { snapshots } = playground;
    if (!gradients) return null;
    return this.#reader.of([gradients, snapshots, words], () => {
      // Gradients of earlier numbers do not fit a tensor whose shape has changed.
      const fitting = [...gradients].filter(
        ([name, { shape }]) => shape.join() === snapshots.get(name)?.shape.join(),
      );
      return gradientReader(new Map(fitting), addressText(this.of), words);
    });
  }

  explanationOf(playground: Playground): Explanation | null {
    const { explanation, snapshots } = playground;
    if (!this.#shownGradients(playground)) return explanation;
    return this.#note && hasCell(snapshots, this.#note) ? this.#note : explanation;
  }

  /** The cells whose gradients depend on this one: those that the target was computed from. */
  resultCells(playground: Playground): (Cell & { value: number; gradient: true })[] | null {
    const gradients = this.#shownGradients(playground);
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

  /**
   * The next cell of a walk, in the opposite direction of the computation: from the target to the cell its
   * gradient came from, or to one that its gradient goes on to.
   */
  next(direction: "source" | "result", playground: Playground): Cell | null | undefined {
    if (!this.#shownGradients(playground)) return undefined;
    if (direction === "result") return this.resultCells(playground)?.[0] ?? null;
    const source = this.#note?.sources[0];
    return source && this.#note ? { node: source.node, index: sameIndexIn(source, this.#note.index) } : null;
  }
}
