/**
 * The keyboard shortcuts of a lab, wherever on its page the focus is. The cells of its stage have shortcuts
 * of their own.
 */
import type { LitElement, ReactiveController } from "lit";
import { hasOpenDialog } from "../../elements/in-front.js";
import type { LabActs } from "./acts.js";
import { dispatch } from "./events.js";
import type { LabNote } from "./note.js";
import type { LabTransport } from "./transport.js";
import type { Playground } from "../playground.js";

export interface KeysHost extends LitElement {
  readonly playground: Playground;
  readonly framed: boolean;
  readonly transport: LabTransport;
  readonly acts: LabActs;
  readonly note: LabNote;
  focusTarget(): void;
}

export class LabKeys implements ReactiveController {
  readonly #host: KeysHost;

  constructor(host: KeysHost) {
    this.#host = host;
    host.addController(this);
  }

  /**
   * The target of the listener: the window on the page, the lab in a frame, because the page around a frame
   * has shortcuts of its own.
   */
  get #around(): GlobalEventHandlers {
    return this.#host.framed ? this.#host : window;
  }

  hostConnected(): void {
    this.#around.addEventListener("keydown", this.#key);
  }

  hostDisconnected(): void {
    this.#around.removeEventListener("keydown", this.#key);
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || hasOpenDialog()) return;
    const { playground, transport, acts, note, framed } = this.#host;
    if (playground.isLeaving) return;
    const at = event.composedPath()[0];
    if (!(at instanceof Element)) return;
    if (at.closest("textarea, select, [contenteditable]")) return;
    // A menu has keys of its own.
    if (event.composedPath().some((outer) => outer instanceof HTMLElement && outer.popover !== null)) return;
    const input = at.closest("input");
    if (input && !(input.type === "radio" && event.key === "Escape")) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      if (event.shiftKey) playground.redoEdit();
      else playground.undoEdit();
      return;
    }
    const press = at.closest("button, a, summary, [role=button], [role=radio]") !== null;
    if (event.key === "[") transport.back();
    else if (event.key === "]") void transport.step();
    else if (event.key === " " && !press) transport.toggle();
    else if (event.key === "c") note.copy();
    else if (event.key === "g") acts.toggleGradient();
    else if (event.key === "/" && !framed) dispatch(this.#host, "open-contents", { part: "search" });
    else if (event.key !== "Escape" || !(this.#leaveLesson(event) || acts.endOne())) {
      if (event.key.length > 1) transport.interrupt();
      return;
    }
    event.preventDefault();
  };

  /** Esc in the lesson goes back up to the numbers. */
  #leaveLesson(event: KeyboardEvent): boolean {
    const inside = event
      .composedPath()
      .some((at) => at instanceof HTMLElement && at.localName === "ap-lesson");
    if (!inside && !this.#host.note.isAtLesson) return false;
    scrollTo(0, 0);
    this.#host.focusTarget();
    return true;
  }
}
