/** The measured room for a lab's stage: its width, its height, and the layout for the width of the page. */
import type { LitElement, ReactiveController } from "lit";
import type { Room, Scene } from "../../marks/scene.js";
import { framePadding, frameRoom } from "../frame-size.js";

/** Widths at which the layout changes. */
const wideFrom = 1200;
const twoFrom = 768;
/** A phone on its side, or a zoomed window: numbers and note are side by side. As in style.ts. */
const onItsSide = "(min-width: 640px) and (max-width: 1199px) and (max-height: 499px)";
/**
 * The window size that the stage is designed for; in a larger window it is enlarged, by this factor at most.
 */
const drawnFor = { width: 1400, height: 800, most: 2.4 };

/** In tenths, so that cells keep whole pixels on most screens. */
const zoomFor = (width: number, height: number): number =>
  Math.floor(10 * Math.max(1, Math.min(drawnFor.most, width / drawnFor.width, height / drawnFor.height))) /
  10;

export interface RoomHost extends LitElement {
  readonly framed: boolean;
  /** Height of the notices above the lab: the page scrolls for them, and the stage keeps its size. */
  readonly notices: number;
}

export class LabRoom implements ReactiveController {
  /** A new object whenever the size changes; width 0 until it is measured. */
  size: Pick<Room, "width" | "height" | "layout"> = { width: 0, height: 0, layout: "wide" };
  /** Whether the window is so low that the note is beside the numbers. */
  isNoteBeside = false;
  /** The factor by which scenes are enlarged. */
  #zoom = 1;
  /** Whether the lab is being printed: then the sheet of paper would be measured, not the window. */
  isPrinting = false;
  /** Height of the transport bar. */
  #foot = 0;
  readonly #host: RoomHost;
  readonly #observer = new ResizeObserver(() => this.measure());

  constructor(host: RoomHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The factor by which this scene is enlarged; 1 for a scene that is scrolled sideways. */
  zoomOf(scene: Pick<Scene, "width"> | null): number {
    return scene && scene.width <= this.size.width ? this.#zoom : 1;
  }

  /** Whether the stage is beside the lesson while the lesson is read; otherwise it is above it. */
  get isBesideLesson(): boolean {
    return this.size.layout === "wide" || this.isNoteBeside;
  }

  /** Whether the note is a sheet at the foot of the window. */
  get hasSheet(): boolean {
    return this.size.layout !== "wide" && !this.#host.framed && !this.isPrinting;
  }

  get isNarrow(): boolean {
    return this.size.layout === "narrow" && !this.isPrinting;
  }

  hostConnected(): void {
    addEventListener("resize", this.measure);
    if (this.#host.hasUpdated) this.observe();
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    removeEventListener("resize", this.measure);
  }

  /** Call once the lab is drawn; a lab that is reconnected calls it itself. */
  observe(): void {
    const host = this.#host;
    // Whatever moves the stage changes the size of one of these: the head, the stage in its place, the lab
    // under a notice, the page.
    for (const part of host.renderRoot.querySelectorAll(".head, .remarks, .place, ap-transport"))
      this.#observer.observe(part);
    this.#observer.observe(host);
    if (!host.framed) this.#observer.observe(document.documentElement);
    this.measure();
  }

  readonly measure = (): void => {
    const { framed, notices, offsetWidth, renderRoot, style } = this.#host;
    const box = renderRoot.querySelector<HTMLElement>(".place");
    if (!box || this.isPrinting) return;
    const viewport = framed ? offsetWidth : document.documentElement.clientWidth;
    const zoom = framed ? 1 : zoomFor(viewport, innerHeight);
    if (zoom !== this.#zoom) style.setProperty("--zoom", String(zoom));
    const width = Math.floor((box.clientWidth - (framed ? 2 * framePadding : 0)) / zoom);
    const side = !framed && matchMedia(onItsSide).matches;
    const layout = viewport >= wideFrom ? "wide" : viewport >= twoFrom && !side ? "two" : "narrow";
    const top = Math.round(box.getBoundingClientRect().top + scrollY);
    const foot = renderRoot.querySelector("ap-transport")?.getBoundingClientRect().height ?? 0;
    if (foot !== this.#foot) box.style.setProperty("--bar", `${(this.#foot = foot)}px`);
    const height = framed
      ? frameRoom
      : Math.max(0, Math.floor((innerHeight - (top - notices) - foot) / zoom));
    const { size } = this;
    const same = size.width === width && size.height === height && size.layout === layout;
    if (!width || (same && zoom === this.#zoom && side === this.isNoteBeside)) return;
    this.#zoom = zoom;
    this.isNoteBeside = side;
    this.size = { width, height, layout };
    this.#host.requestUpdate();
  };
}
