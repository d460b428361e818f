/** The rails of a stage: sliders with a handle, for pointer, finger and keys. */
import { html, nothing, type TemplateResult } from "lit";
import {
  CHEVRONS,
  HANDLE,
  handleOf,
  markNear,
  pointAt,
  REACH,
  runsDown,
  valueAfter,
  valueNear,
} from "../../marks/rail.js";
import type { Rail } from "../../marks/scene.js";
import { sameCell, type Cell } from "../../marks/board.js";
import { styleMap } from "../style-map.js";

/** The part of the stage that rails use. */
export interface RailsHost {
  /** Converts window coordinates to those of the scene. */
  inScene(x: number, y: number): [number, number];
  /** Whether values that were chosen are not in the numbers yet. */
  readonly isBehind: boolean;
  drag(rail: Rail, value: number, cell: Cell | null, isFirst: boolean): void;
  requestUpdate(): void;
}

/** A press on a rail, and how far from the middle of the handle it began. */
interface Press {
  id: string;
  pointer: number;
  right: number;
  down: number;
  hasDragged: boolean;
}

export class StageRails {
  readonly #host: RailsHost;
  #press: Press | null = null;
  /** The values that the reader has chosen and the scene does not have yet, by rail. */
  readonly #chosen = new Map<string, { value: number; cell: Cell | null }>();

  constructor(host: RailsHost) {
    this.#host = host;
  }

  /**
   * Call with the rails of a new scene, and when the host is no longer behind: then the values drawn count, except under a pointer.
   * Returns the cell of the mark nearest to a value that was chosen, if the new numbers made it another and the target is still the one before.
   */
  renew(rails: readonly Rail[], target: Cell | null): Cell | null {
    let moved: Cell | null = null;
    for (const rail of rails) {
      const chosen = this.#chosen.get(rail.id);
      if (!chosen) continue;
      const isHeld = this.#press?.id === rail.id;
      if (chosen.value !== rail.value) {
        // Undone before it was computed.
        if (!isHeld && !this.#host.isBehind) this.#chosen.delete(rail.id);
        continue;
      }
      const cell = markNear(rail, rail.value)?.cell ?? null;
      if (sameCell(target, chosen.cell) && !sameCell(cell, chosen.cell)) moved = cell;
      if (isHeld) chosen.cell = cell;
      else this.#chosen.delete(rail.id);
    }
    return moved;
  }

  /** The rail with its chosen value. */
  #now(rail: Rail): Rail {
    return { ...rail, value: this.#chosen.get(rail.id)?.value ?? rail.value };
  }

  #choose(rail: Rail, value: number, isFirst: boolean): boolean {
    if (value === this.#now(rail).value) return false;
    const cell = markNear(rail, value)?.cell ?? null;
    this.#chosen.set(rail.id, { value, cell });
    this.#host.drag(rail, value, cell, isFirst);
    this.#host.requestUpdate();
    return true;
  }

  #down(event: PointerEvent, rail: Rail): void {
    if (event.button !== 0 || !event.isPrimary) return;
    event.stopPropagation();
    const slider = event.currentTarget as HTMLElement;
    slider.setPointerCapture(event.pointerId);
    const [x, y] = this.#host.inScene(event.clientX, event.clientY);
    const [atX, atY] = pointAt(rail, this.#now(rail).value);
    const isOnHandle = event.target !== slider;
    const [right, down] = isOnHandle ? [x - atX, y - atY] : [0, 0];
    this.#press = { id: rail.id, pointer: event.pointerId, right, down, hasDragged: false };
    if (!isOnHandle) this.#move(event, rail);
  }

  #move(event: PointerEvent, rail: Rail): void {
    event.stopPropagation();
    const press = this.#press;
    if (press?.id !== rail.id || press.pointer !== event.pointerId) return;
    const [x, y] = this.#host.inScene(event.clientX, event.clientY);
    const value = valueNear(rail, x - press.right, y - press.down);
    if (this.#choose(rail, value, !press.hasDragged)) press.hasDragged = true;
  }

  #up(event: PointerEvent, { id, value }: Rail): void {
    event.stopPropagation();
    this.#press = null;
    if (this.#chosen.get(id)?.value === value) this.#chosen.delete(id);
  }

  #key(event: KeyboardEvent, rail: Rail): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const value = valueAfter(this.#now(rail), event.key);
    if (value === null) return;
    event.preventDefault();
    this.#choose(rail, value, true);
  }

  template(rails: readonly Rail[]): TemplateResult[] {
    return rails.map((rail) => {
      const { id, name, from, to, ends, reach = REACH, isSmall = false } = rail;
      const now = this.#now(rail);
      const { value } = now;
      const { text, width } = handleOf(now);
      const down = runsDown(rail);
      const [wide, high] = down ? [reach, HANDLE.height / 2] : [width / 2, reach];
      const [left, top] = [Math.min(from[0], to[0]) - wide, Math.min(from[1], to[1]) - high];
      const size = {
        left: `${left}px`,
        top: `${top}px`,
        width: `${Math.abs(to[0] - from[0]) + 2 * wide}px`,
        height: `${Math.abs(to[1] - from[1]) + 2 * high}px`,
      };
      const [x, y] = pointAt(rail, value);
      const handle = {
        left: `${x - left - width / 2}px`,
        top: `${y - top - HANDLE.height / 2}px`,
        width: `${width}px`,
      };
      return html`<div
        class="rail ${down ? "down" : ""}"
        data-rail=${id}
        role="slider"
        tabindex="0"
        aria-label=${name}
        aria-orientation=${down ? "vertical" : "horizontal"}
        aria-valuemin=${ends[0]}
        aria-valuemax=${ends[1]}
        aria-valuenow=${value}
        style=${styleMap(size)}
        @pointerdown=${(event: PointerEvent) => this.#down(event, rail)}
        @pointermove=${(event: PointerEvent) => this.#move(event, rail)}
        @pointerup=${(event: PointerEvent) => this.#up(event, rail)}
        @pointercancel=${(event: PointerEvent) => this.#up(event, rail)}
        @keydown=${(event: KeyboardEvent) => this.#key(event, rail)}
      >
        <span class="handle" style=${styleMap(handle)}
          >${isSmall ? nothing : html`<svg viewBox="0 0 9 16" aria-hidden="true"><path d=${CHEVRONS} /></svg>`}${text}</span
        >
      </div>`;
    });
  }
}
