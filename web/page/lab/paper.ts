/** A lab on paper: laid out for the width of a sheet before it is printed, and for the window after it. DESIGN.md, section 3. */
import type { LitElement, ReactiveController } from "lit";
import type { Scene } from "../../marks/scene.js";
import type { LabRoom } from "./room.js";

export interface PaperHost extends LitElement {
  readonly room: LabRoom;
  /** Draws at once, with the stage in its own place. */
  drawNow(): void;
}

/**
 * The sheet of paper that a lab is laid out for, A4 or Letter, upright: high enough for all lines of most stages. They are drawn
 * smaller, to stand under the head, or if that made them too small, on a page of their own.
 */
const paper = { width: 700, height: 1500, page: 960, under: 730, least: 0.66 };
const zoomOnPaper = ({ width, height }: Pick<Scene, "width" | "height">): number => {
  const under = Math.min(1, paper.under / height, paper.width / width);
  return under >= paper.least ? under : Math.min(1, paper.page / height, paper.width / width);
};

export class LabPaper implements ReactiveController {
  readonly #host: PaperHost;

  constructor(host: PaperHost) {
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
    const { room } = this.#host;
    if (room.size.width === 0) return;
    room.onPaper = zoomOnPaper;
    room.size = { width: paper.width, height: paper.height, layout: "two" };
    this.#host.drawNow();
  };

  readonly #printed = (): void => {
    const { room } = this.#host;
    if (!room.onPaper) return;
    room.onPaper = null;
    room.size = { ...room.size, width: 0 };
    room.measure();
  };
}
