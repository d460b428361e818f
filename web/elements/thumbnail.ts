/**
 * ap-thumbnail: a small picture of one matrix, image or chart: fills without numbers, lines without axes, on
 * a canvas.
 */
import { LitElement, css, html, type PropertyValues } from "lit";
import { cssColour, domainOf, rampOf, readPalette, tabulatedRamp } from "../marks/colour.js";
import { offsetOf, type Plane } from "../marks/plane.js";
import type { Fill, Role } from "../marks/scene.js";

export type Thumbnail =
  | { kind: "matrix"; plane: Plane; data: Float64Array; fill: Fill }
  | { kind: "image"; data: Float64Array; size: number }
  | { kind: "lines"; lines: readonly Line[] };

/** A line of a chart, in the coordinates of its stage. */
export interface Line {
  points: readonly (readonly [number, number])[];
  role: Role;
}

/** The largest height and width of a picture in the contents, in CSS pixels. */
const tallest = 92;
const widest = 256;

/** The size of a chart's picture, and the margin of its lines. */
const chart = { width: 176, height: 84, edge: 3 };

/** Of a large matrix only the first rows and columns are shown, so that single cells remain visible. */
const mostCells = { rows: 32, columns: 64 };

export class ApThumbnail extends LitElement {
  static override properties = { thumbnail: { attribute: false }, theme: {} };
  declare thumbnail: Thumbnail;
  declare theme: "light" | "dark";

  static override styles = css`
    :host {
      display: block;
      line-height: 0;
    }
    canvas {
      forced-color-adjust: none;
      image-rendering: pixelated;
    }
  `;

  protected override render() {
    return html`<canvas></canvas>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("thumbnail") || changed.has("theme")) this.draw();
  }

  private draw(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    const context = canvas?.getContext("2d");
    if (!canvas || !context) return;
    const { thumbnail } = this;
    if (thumbnail.kind === "lines") {
      this.drawLines(canvas, context, thumbnail.lines);
      return;
    }
    const [rows, columns] =
      thumbnail.kind === "matrix"
        ? [
            Math.min(thumbnail.plane.rows, mostCells.rows),
            Math.min(thumbnail.plane.columns, mostCells.columns),
          ]
        : [thumbnail.size, thumbnail.size];
    const ratio = Math.max(1, window.devicePixelRatio);
    const fit = Math.min(20, tallest / rows, widest / columns);
    // Whole device pixels, so that all columns are equally wide.
    const cell = Math.max(1, Math.floor(fit * ratio));
    canvas.width = columns * cell;
    canvas.height = rows * cell;
    canvas.style.width = `${Math.min(widest, canvas.width / ratio)}px`;
    const gap = cell >= 4 * ratio ? Math.round(ratio) : 0;
    const paint = thumbnail.kind === "matrix" ? this.fills(thumbnail) : this.pixels(thumbnail);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        context.fillStyle = paint(row, column);
        const drawn = thumbnail.kind === "image" ? cell : cell - gap;
        context.fillRect(column * cell, row * cell, drawn, drawn);
      }
    }
  }

  /** Draws the lines, stretched together to the size of the picture. */
  private drawLines(
    canvas: HTMLCanvasElement,
    context: CanvasRenderingContext2D,
    lines: readonly Line[],
  ): void {
    const ratio = Math.max(1, window.devicePixelRatio);
    canvas.width = chart.width * ratio;
    canvas.height = chart.height * ratio;
    canvas.style.width = `${chart.width}px`;
    const points = lines.flatMap((line) => line.points);
    const along = (axis: 0 | 1, length: number) => {
      const values = points.map((point) => point[axis]);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const stretch = (length - 2 * chart.edge) / (high - low || 1);
      return (point: readonly [number, number]) => (chart.edge + (point[axis] - low) * stretch) * ratio;
    };
    const [x, y] = [along(0, chart.width), along(1, chart.height)];
    const style = getComputedStyle(this);
    context.lineWidth = 1.5 * ratio;
    context.lineJoin = "round";
    for (const { points: line, role } of lines) {
      context.strokeStyle = style.getPropertyValue(`--${role}`);
      context.beginPath();
      for (const point of line) context.lineTo(x(point), y(point));
      context.stroke();
    }
  }

  private fills({
    plane,
    data,
    fill,
  }: Extract<Thumbnail, { kind: "matrix" }>): (row: number, column: number) => string {
    const style = getComputedStyle(this);
    const palette = readPalette((name) => style.getPropertyValue(name));
    const ramp = tabulatedRamp(rampOf(fill, palette));
    const domain = fill === "probability" ? 1 : domainOf(data);
    return (row, column) => {
      const value = data[offsetOf(plane, row, column)] ?? 0;
      return cssColour(Number.isFinite(value) ? ramp(value / domain) : palette.cellZero);
    };
  }

  /** The colour of each pixel of an image of shape (3, H, W) with values 0 … 255. */
  private pixels({
    data,
    size,
  }: Extract<Thumbnail, { kind: "image" }>): (row: number, column: number) => string {
    const channel = (which: number, at: number) => Math.round(data[which * size * size + at] ?? 0);
    return (row, column) => {
      const at = row * size + column;
      return cssColour([channel(0, at), channel(1, at), channel(2, at)]);
    };
  }
}
customElements.define("ap-thumbnail", ApThumbnail);
