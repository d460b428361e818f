/**
 * Printing of a lab: the scenes of all its stops, laid out for the width of a sheet of paper while the page
 * is printed. DESIGN.md, section 3.
 */
import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from "lit";
import type { Cell } from "../../marks/board.js";
import type { Words } from "../../i18n/words.js";
import type { LabRoom } from "./room.js";
import type { LabScenes } from "./scenes.js";
import { sheetsOf, zoomOnPaper, type Sheet } from "./sheets.js";
import type { LabWording } from "./wording.js";
import { explanationOnStage } from "../result-cells.js";
import type { Playground } from "../playground.js";
import type { StageReading } from "../stage-reading.js";
import { stopHeading } from "../stops.js";

export interface PrintHost extends LitElement {
  readonly playground: Playground;
  readonly words: Words;
  readonly reading: StageReading | null;
  readonly covered: Cell | null;
  readonly room: LabRoom;
  readonly scenes: LabScenes;
  readonly wording: LabWording;
  sheets: TemplateResult | typeof nothing;
  /** Draws at once, with the stage in its own place. */
  drawNow(): void;
}

export class LabPrint implements ReactiveController {
  readonly #host: PrintHost;

  constructor(host: PrintHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("beforeprint", this.#print);
    addEventListener("afterprint", this.#printed);
  }

  hostDisconnected(): void {
    removeEventListener("beforeprint", this.#print);
    removeEventListener("afterprint", this.#printed);
  }

  readonly #print = (): void => {
    const { scenes, room } = this.#host;
    const { now, target } = scenes;
    if (!now || !target) return;
    const { config, snapshots, scene } = now;
    const sheets = sheetsOf(config, snapshots, { ...target, arrangement: scene.arrangement ?? null });
    room.isPrinting = true;
    this.#host.sheets = html`<div class="sheets">
      ${sheets.map((sheet, at) => this.#sheet(sheet, at, sheets.length > 1))}
    </div>`;
    this.#host.drawNow();
  };

  #sheet({ stops, whole, bands }: Sheet, at: number, hasHeading: boolean): TemplateResult {
    const { playground, words, reading, scenes, wording } = this.#host;
    const read = scenes.read(whole, false);
    return html`${hasHeading ? this.#name(stops) : nothing}
    ${bands.map(
      (band, line) =>
        html`<ap-stage
          .scene=${scenes.read(band, false)}
          .whole=${read}
          .onPaper=${true}
          .snapshots=${playground.snapshots}
          .cell=${playground.cell}
          .pinned=${playground.config.view.pinned}
          .explanation=${explanationOnStage(wording.targetExplanation, wording.resultCells)}
          .origin=${reading?.of ?? null}
          .covered=${this.#host.covered}
          .scales=${playground.config.view.scales}
          .words=${words}
          .nodeWords=${wording.nodeWords}
          .zoom=${zoomOnPaper(band, at + line === 0)}
          .stale=${playground.isStale}
        ></ap-stage>`,
    )}`;
  }

  #name(stops: readonly number[]): TemplateResult {
    const { steps } = this.#host.wording;
    return html`<div class="stop">
      ${stops.map((stop) => html`<h2>${stopHeading(stop, steps[stop]?.title ?? "")}</h2>`)}
      ${stops.length === 1 ? html`<p>${steps[stops[0]!]?.sentence}</p>` : nothing}
    </div>`;
  }

  readonly #printed = (): void => {
    const { room } = this.#host;
    if (!room.isPrinting) return;
    room.isPrinting = false;
    this.#host.sheets = nothing;
    this.#host.drawNow();
    room.measure();
  };
}
