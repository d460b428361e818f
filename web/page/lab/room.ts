/** The room that a lab has for its stage, measured: its width, its height, and the layout to which the page folds. */
import type { LitElement, ReactiveController } from "lit";
import type { Room } from "../../marks/scene.js";
import { framePadding, frameRoom } from "../frame-size.js";

/** Widths at which the stage folds. */
const wideFrom = 1200;
const twoFrom = 768;

export interface RoomHost extends LitElement {
  readonly framed: boolean;
  /** Height of the notices that stand above the lab: the page scrolls for them, and the stage stays as it was. */
  readonly notices: number;
}

export class LabRoom implements ReactiveController {
  /** Another object whenever it is another size; no width: not measured yet. */
  size: Pick<Room, "width" | "height" | "layout"> = { width: 0, height: 0, layout: "wide" };
  readonly #host: RoomHost;
  readonly #observer = new ResizeObserver(() => this.measure());

  constructor(host: RoomHost) {
    this.#host = host;
    host.addController(this);
  }

  get narrow(): boolean {
    return this.size.layout === "narrow";
  }

  hostConnected(): void {
    addEventListener("resize", this.measure);
    if (this.#host.hasUpdated) this.observe();
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    removeEventListener("resize", this.measure);
  }

  /** To be called once the lab is drawn; one that was moved does so itself. */
  observe(): void {
    const host = this.#host;
    // Whatever moves the stage changes one of these: the head, the stage, the lab under a notice, the page.
    for (const part of host.renderRoot.querySelectorAll(".head, .remarks, .stage"))
      this.#observer.observe(part);
    this.#observer.observe(host);
    if (!host.framed) this.#observer.observe(document.documentElement);
    this.measure();
  }

  readonly measure = (): void => {
    const { framed, notices, offsetWidth, renderRoot } = this.#host;
    const box = renderRoot.querySelector<HTMLElement>(".stage");
    if (!box) return;
    const width = box.clientWidth - (framed ? 2 * framePadding : 0);
    const viewport = framed ? offsetWidth : document.documentElement.clientWidth;
    const layout = viewport >= wideFrom ? "wide" : viewport >= twoFrom ? "two" : "narrow";
    const top = Math.round(box.getBoundingClientRect().top + scrollY);
    const foot = renderRoot.querySelector("ap-transport")?.getBoundingClientRect().height ?? 0;
    const height = framed ? frameRoom : Math.max(0, Math.floor(innerHeight - (top - notices) - foot));
    const { size } = this;
    if (!width || (size.width === width && size.height === height && size.layout === layout)) return;
    this.size = { width, height, layout };
    this.#host.requestUpdate();
  };
}
