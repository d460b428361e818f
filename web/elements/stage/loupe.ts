/** The loupe: nine by nine cells around the target, for matrices whose cells are too many or too small to print numbers. */
import { html, nothing, type TemplateResult } from "lit";
import { rectangleOf, type Board, type Place } from "../../marks/board.js";
import type { Scene } from "../../marks/scene.js";
import { needsLoupe, type Picture, type StageCanvases } from "./canvases.js";

/** Distance between a cell and its loupe. */
const AIR = 16;

export class StageLoupe {
  #at: { board: Board; place: Place } | null = null;

  /**
   * Shows a cell, if its board needs a loupe, or nothing for null. Returns whether that changes the picture.
   */
  look(at: { board: Board; place: Place } | null): boolean {
    const next = at && needsLoupe(at.board) ? at : null;
    const changes = next !== null || this.#at !== null;
    this.#at = next;
    return changes;
  }

  /** Finds the same board and place in a new scene, or shows nothing. */
  renew(boards: readonly Board[]): void {
    const at = this.#at;
    const board = at && boards.find((other) => other.id === at.board.id);
    const [row, column] = at?.place ?? [0, 0];
    this.#at = at && board && row < board.rows && column < board.columns ? { board, place: at.place } : null;
  }

  template(): TemplateResult | typeof nothing {
    if (!this.#at) return nothing;
    return html`<canvas class="loupe" aria-hidden="true"></canvas>
      <svg class="loupe-frame" aria-hidden="true" width="1" height="1">
        <rect class="halo" rx="3" />
        <rect class="frame ink" rx="3" />
      </svg>`;
  }

  /** Draws the loupe beside its cell, where there is room, and never over it. */
  draw(root: ParentNode, canvases: StageCanvases, picture: Picture, scene: Scene): void {
    const canvas = root.querySelector<HTMLCanvasElement>("canvas.loupe");
    const mark = root.querySelector<SVGElement>(".loupe-frame");
    if (!canvas || !mark || !this.#at) return;
    const { board, place } = this.#at;
    const [row, column] = place;
    const { width, height, cell } = canvases.loupe(canvas, board, place, picture, scene.width);
    const at = rectangleOf(board, { top: row, bottom: row, left: column, right: column });
    const right = at.x + at.width + AIR;
    let left = right + width <= scene.width ? right : at.x - AIR - width;
    let top = Math.max(0, Math.min(scene.height - height, at.y - height / 2));
    if (left < 0) {
      // No room on either side: above the cell, or below it.
      left = Math.max(0, Math.min(scene.width - width, at.x - width / 2));
      const above = at.y - AIR - height;
      top = above >= 0 ? above : at.y + at.height + AIR;
    }
    Object.assign(canvas.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    Object.assign(mark.style, { left: `${left + cell.x + 1}px`, top: `${top + cell.y + 1}px` });
    for (const rect of mark.querySelectorAll("rect")) {
      rect.setAttribute("width", String(cell.width));
      rect.setAttribute("height", String(cell.height));
    }
  }
}
