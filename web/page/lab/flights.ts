/**
 * The travel of numbers at a stop of Play: from the cells of its operands into the note, and from there to the
 * target.
 */
import type { LitElement } from "lit";
import "../../elements/flight.js";
import type { ApFlight } from "../../elements/flight.js";
import type { Note } from "../../elements/note/note.js";
import type { Stage } from "../../elements/stage/stage.js";
import { middleOf, sameCell, type Cell, type Rectangle } from "../../marks/board.js";
import { travelAt, travelOf, type Travel, type TravelParts } from "../../marks/flight.js";
import type { Playground } from "../playground.js";
import type { StageReading } from "../stage-reading.js";
import type { LabWording } from "./wording.js";

export interface FlightsHost extends LitElement {
  readonly playground: Playground;
  readonly reading: StageReading | null;
  /** The stage with the numbers. */
  readonly stage: Stage | null;
  readonly wording: LabWording;
}

/** With more operands than this nothing travels. */
const MOST = 24;

/** The place of a number in the note, at least as large as a digit with some air. */
function placeAround(slot: Rectangle): Rectangle {
  const [x, y] = middleOf(slot);
  const width = Math.max(24, slot.width + 4);
  return { x: x - width / 2, y: y - 9, width, height: 18 };
}

export class LabFlights {
  readonly #host: FlightsHost;
  /** The window and the target that the travel was prepared for: in others its places are wrong. Empty when it was stopped. */
  #view = "";

  constructor(host: FlightsHost) {
    this.#host = host;
  }

  get #note(): Note | null {
    return this.#host.renderRoot.querySelector("ap-note");
  }

  get #layer(): ApFlight | null {
    return this.#host.renderRoot.querySelector("ap-flight");
  }

  /** The travel to the target, once stage and note explain it; null where nothing can travel. */
  async prepare(): Promise<Travel | null> {
    await this.#host.playground.explaining;
    // The note draws after the answer, the stage in one of the next two frames.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const parts = this.#parts();
    this.#view = this.#viewNow;
    return parts && travelOf(parts);
  }

  /** Shows a moment of a travel; hides it and returns false when it was stopped, or its places are others by now. */
  show(travel: Travel, time: number): boolean {
    if (this.#view !== this.#viewNow) {
      this.hide();
      return false;
    }
    const scene = travelAt(travel, time);
    if (this.#layer) this.#layer.scene = scene;
    this.#note?.wait(scene.hiddenLines, scene.hidesResult);
    return true;
  }

  hide(): void {
    if (this.#layer) this.#layer.scene = null;
    this.#note?.wait([], false);
  }

  /** The reader did something: the numbers are where they belong at once. */
  stop(): void {
    this.#view = "";
  }

  get #viewNow(): string {
    const { cell } = this.#host.playground;
    return [scrollX, scrollY, innerWidth, innerHeight, cell?.node, cell?.index].join();
  }

  #parts(): TravelParts | null {
    const { stage, wording, reading, playground } = this.#host;
    const explanation = wording.targetExplanation;
    if (!stage || !explanation || reading || explanation.op === "leaf") return null;
    const goal = stage.copyOf(explanation, explanation.value);
    const isInWindow = ({ x, y, width, height }: Rectangle): boolean =>
      x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
    if (!goal || !isInWindow(goal.cell) || !sameCell(explanation, playground.cell)) return null;
    const to = middleOf(goal.cell);
    const places = this.#note?.places() ?? null;
    const inNote = places && isInWindow(places.result) ? places : null;
    const numbers =
      inNote?.operands ??
      explanation.rows.flatMap(({ operands }) =>
        operands.map((operand) => ({ line: null, column: 0, operand, slot: null })),
      );
    const operands: TravelParts["operands"][number][] = [];
    const flying = numbers.flatMap(({ line, operand, slot }) => {
      const found = operand.node === "" || operand.gradient ? null : stage.copyOf(operand);
      if (!found || !isInWindow(found.cell)) return [];
      const { cell, ...copy } = found;
      return [
        { line, copy, from: middleOf(cell), to: slot ? middleOf(slot) : to, slot: slot && placeAround(slot) },
      ];
    });
    // Operands that the stage does not show appear in the note.
    if ((flying.length === 0 && !inNote) || flying.length > MOST) return null;
    for (const line of new Set(flying.map((one) => one.line)))
      operands.push({ line, copies: flying.filter((one) => one.line === line) });
    const { cell: goalCell, ...copy } = goal;
    const lines = inNote?.lines.filter((line) => operands.every((one) => one.line !== line)) ?? [];
    return {
      operands,
      lines,
      goal: goalCell,
      result: { copy, from: inNote ? middleOf(inNote.result) : to, to },
      ...(inNote && this.#softmax(stage, inNote)),
    };
  }

  /** The bars of a softmax in the cells that its weights go to, and the largest number of its row. */
  #softmax(
    stage: Stage,
    { operands, lineOf }: NonNullable<ReturnType<Note["places"]>>,
  ): Pick<TravelParts, "bars" | "largest"> {
    const explanation = this.#host.wording.targetExplanation!;
    const row = (role: string) => explanation.rows.find((one) => one.role === role)?.operands ?? [];
    const [values, exps, quotients] = [row("value"), row("exp"), row("quotient")];
    if (explanation.op !== "softmax" || quotients.length !== values.length) return {};
    const axis = values[0]?.index.findIndex((at, place) => at !== values.at(-1)?.index[place]) ?? -1;
    const bars = values.flatMap(({ index }, at) => {
      const own: Cell = { node: explanation.node, index: explanation.index.with(axis, index[axis]!) };
      const found = axis < 0 ? null : stage.copyOf(own, quotients[at]!.value);
      return found
        ? [{ cell: found.cell, role: found.role, grown: exps[at]!.value, share: quotients[at]!.value }]
        : [];
    });
    const most = values.reduce((best, one) => (one.value > best.value ? one : best), values[0]!);
    const slot = operands.find(({ operand }) => sameCell(operand, most))?.slot;
    return {
      bars: { bars, grows: lineOf("exp"), shrinks: lineOf("quotient") },
      largest: slot && { slot: placeAround(slot), line: lineOf("minus_max") },
    };
  }
}
