/** Pointers on the stage: hover, tap, long press, pin, painting a mask. The wheel is never captured. DESIGN.md, section 8. */
import type { ReactiveController } from "lit";
import { boardAt, sameCell, type Board, type Cell, type Place } from "../../marks/board.js";
import type { Curve } from "../../marks/scene.js";

/** The part of the stage that gestures use. */
export interface GestureHost {
  /** The boards that can be pointed at; none on a strip, which is covered by buttons. */
  readonly pointable: readonly Board[];
  readonly curves: readonly Curve[];
  /** The element that the scene is drawn on. */
  readonly paper: HTMLElement | null;
  /** Converts window coordinates to those of the scene. */
  inScene(x: number, y: number): [number, number];
  hover(board: Board, place: Place): void;
  hoverCell(cell: Cell): void;
  tap(board: Board, place: Place): void;
  leave(): void;
  pin(board: Board, place: Place): void;
  focusOn(board: Board, place: Place): void;
  openEditor(board: Board, place: Place): void;
  paint(place: Place, allowed: boolean, done: boolean): void;
}

/** Distances at which a mouse and a finger snap to a cell. */
const MOUSE_REACH = 4;
const FINGER_REACH = 24;
const DOT_REACH = 8;
/** Milliseconds after which a press pins the cell, and the distance at which a press is no longer a tap. */
const LONG_PRESS = 500;
const SLACK = 8;
const DOUBLE_TAP = 350;

interface Press {
  pointer: number;
  x: number;
  y: number;
  board: Board;
  place: Place;
  hasMoved: boolean;
  hasPinned: boolean;
  /** Set while a mask is painted: the value of each cell of the stroke. */
  stroke: { allowed: boolean; last: Place } | null;
}

export class StageGestures implements ReactiveController {
  #host: GestureHost;
  #press: Press | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over: Cell | null = null;
  #tap: { cell: Cell; at: number } | null = null;

  constructor(host: GestureHost) {
    this.#host = host;
  }

  hostDisconnected(): void {
    this.#end();
  }

  /** Whether a mask is being painted; colour scales are updated only afterwards. */
  get painting(): boolean {
    return Boolean(this.#press?.stroke);
  }

  #point(event: PointerEvent | MouseEvent): [number, number] {
    return this.#host.inScene(event.clientX, event.clientY);
  }

  #boardAt(event: PointerEvent | MouseEvent, touch: boolean): { board: Board; place: Place } | null {
    // Cells that are scrolled under the names are not visible.
    if (event.target instanceof Element && event.target.closest(".names")) return null;
    const [x, y] = this.#point(event);
    return boardAt(this.#host.pointable, x, y, touch ? FINGER_REACH : MOUSE_REACH);
  }

  #dot(event: PointerEvent, touch: boolean): Cell | null {
    const [x, y] = this.#point(event);
    let least = touch ? FINGER_REACH : DOT_REACH;
    let nearest: Cell | null = null;
    for (const curve of this.#host.curves) {
      for (const [at, cell] of (curve.cells ?? []).entries()) {
        const [dotX, dotY] = curve.points[at] ?? [Infinity, Infinity];
        const distance = Math.hypot(x - dotX, y - dotY);
        if (distance < least) [least, nearest] = [distance, cell];
      }
    }
    return nearest;
  }

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const touch = event.pointerType !== "mouse";
    const found = this.#boardAt(event, touch);
    if (!found) return;
    const { board, place } = found;
    const press: Press = {
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      board,
      place,
      hasMoved: false,
      hasPinned: false,
      stroke: null,
    };
    this.#press = press;
    const placed = board.tensor?.placed;
    if (placed?.paintable) {
      const allowed = placed.masked?.[place[0]]?.[place[1]] ?? false;
      press.stroke = { allowed, last: place };
      this.#host.paper?.setPointerCapture(event.pointerId);
      this.#host.paint(place, allowed, false);
    } else if (touch) {
      this.#timer = setTimeout(() => {
        press.hasPinned = true;
        this.#host.pin(board, place);
      }, LONG_PRESS);
    }
  };

  readonly move = (event: PointerEvent): void => {
    const press = this.#press;
    const touch = event.pointerType !== "mouse";
    if (press && press.pointer === event.pointerId) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK) {
        press.hasMoved = true;
        clearTimeout(this.#timer);
      }
      if (press.stroke) {
        this.#paintTo(event, press, press.stroke);
        return;
      }
    }
    if (touch) return;
    const dot = this.#dot(event, touch);
    const found = dot ? null : this.#boardAt(event, touch);
    const cell = dot ?? found?.board.cellAt(...found.place) ?? null;
    if (sameCell(cell, this.#over) && !found) return;
    this.#over = cell;
    if (dot) this.#host.hoverCell(dot);
    else if (found) this.#host.hover(found.board, found.place);
  };

  readonly up = (event: PointerEvent): void => {
    const press = this.#press;
    if (!press || press.pointer !== event.pointerId) return;
    const touch = event.pointerType !== "mouse";
    const { board, place, stroke } = press;
    this.#end();
    if (stroke) this.#host.paint(stroke.last, stroke.allowed, true);
    if (press.hasMoved || press.hasPinned) return;
    if (touch) this.#host.tap(board, place);
    this.#host.focusOn(board, place);
    if (stroke) return;
    if (!touch) this.#host.pin(board, place);
    else this.#tapped(event, board, place);
  };

  #tapped(event: PointerEvent, board: Board, place: Place): void {
    const cell = board.cellAt(...place);
    const again = this.#tap && event.timeStamp - this.#tap.at < DOUBLE_TAP && sameCell(this.#tap.cell, cell);
    this.#tap = again ? null : { cell, at: event.timeStamp };
    if (again) this.#host.openEditor(board, place);
  }

  readonly cancel = (event: PointerEvent): void => {
    const press = this.#press;
    if (!press || press.pointer !== event.pointerId) return;
    this.#end();
    if (press.stroke) this.#host.paint(press.stroke.last, press.stroke.allowed, true);
  };

  readonly leave = (event: PointerEvent): void => {
    if (event.pointerType !== "mouse" || this.#press?.stroke) return;
    this.#over = null;
    this.#host.leave();
  };

  readonly double = (event: MouseEvent): void => {
    const found = this.#boardAt(event, false);
    if (found) this.#host.openEditor(found.board, found.place);
  };

  /** A long press must not open the browser's menu over the number it pins. */
  readonly menu = (event: Event): void => {
    if (this.#press) event.preventDefault();
  };

  /** Also paints the cells between the last one and this one, so that a fast pointer leaves no gaps. */
  #paintTo(event: PointerEvent, press: Press, stroke: NonNullable<Press["stroke"]>): void {
    const [x, y] = this.#point(event);
    const { board } = press;
    const row = Math.floor((y - board.y) / board.cellHeight);
    const column = Math.floor((x - board.x) / board.cellWidth);
    if (row < 0 || column < 0 || row >= board.rows || column >= board.columns) return;
    const [fromRow, fromColumn] = stroke.last;
    const steps = Math.max(Math.abs(row - fromRow), Math.abs(column - fromColumn));
    for (let step = 1; step <= steps; step++) {
      const place: Place = [
        Math.round(fromRow + ((row - fromRow) * step) / steps),
        Math.round(fromColumn + ((column - fromColumn) * step) / steps),
      ];
      this.#host.paint(place, stroke.allowed, false);
    }
    if (steps > 0) {
      stroke.last = [row, column];
      this.#host.hover(board, [row, column]);
    }
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#press = null;
  }
}
