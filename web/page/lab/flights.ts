/**
 * The travel of numbers at a stop of Play: from the cells of its operands into the note, and from there to the
 * target.
 */
import type { LitElement } from "lit";
import "../../elements/flight.js";
import type { ApFlight } from "../../elements/flight.js";
import type { Note } from "../../elements/note/note.js";
import type { Stage } from "../../elements/stage/stage.js";
import { sameCell } from "../../marks/board.js";
import { travelAt, travelOf, type Travel, type TravelParts } from "../../marks/flight.js";
import { travelParts } from "../../marks/travel-parts.js";
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
    if (!stage || !explanation || reading || !sameCell(explanation, playground.cell)) return null;
    return travelParts(explanation, {
      copyOf: (cell, value) => stage.copyOf(cell, value),
      note: this.#note?.places() ?? null,
      isInSight: ({ x, y, width, height }) =>
        x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight,
    });
  }
}
