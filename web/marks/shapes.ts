/** The shapes of an exported picture, from back to front; they are written as SVG or drawn on a canvas. */
import type { LetterPart } from "./lettering.js";
import type { MatrixDrawing } from "./matrix.js";

/** The style of lines; `dash` as in SVG. */
export interface Stroke {
  colour: string;
  weight: number;
  dash?: readonly number[];
  round?: boolean;
}

export interface RectShape {
  kind: "rect";
  x: number;
  y: number;
  width: number;
  height: number;
  fill?: string;
  stroke?: Stroke;
  radius?: number;
}

export interface PathShape {
  kind: "path";
  d: string;
  fill?: string;
  stroke?: Stroke;
}

export interface TextShape {
  kind: "text";
  x: number;
  y: number;
  parts: readonly LetterPart[];
  size: number;
  family: "sans" | "serif";
  weight: 400 | 600 | 700;
  italic: boolean;
  fill: string;
  anchor: "start" | "middle" | "end";
  /** A margin of background around the letters, so that a line behind does not cross them. */
  halo?: { colour: string; weight: number };
  turn?: { degrees: number; x: number; y: number } | null;
}

/** A bar of colours at equal distances, from left to right. */
export interface RampShape {
  kind: "ramp";
  x: number;
  y: number;
  width: number;
  height: number;
  colours: readonly string[];
}

/** A matrix of numbers; its cells become shapes in an SVG and pixels on a canvas. */
export interface MatrixShape {
  kind: "matrix";
  x: number;
  y: number;
  drawing: MatrixDrawing;
}

/** Pixels of equal size: red, green, blue, row by row. */
export interface BitmapShape {
  kind: "bitmap";
  x: number;
  y: number;
  width: number;
  height: number;
  columns: number;
  rows: number;
  pixels: Uint8Array;
}

/** Moves shapes to the right and down. */
export interface MovedShape {
  kind: "moved";
  right: number;
  down: number;
  shapes: readonly Shape[];
}

export type Shape = RectShape | PathShape | TextShape | RampShape | MatrixShape | BitmapShape | MovedShape;

/** A picture: its size in CSS pixels, its background and its shapes. */
export interface PictureShapes {
  width: number;
  height: number;
  paper: string;
  /** A text alternative for screen readers. */
  title: string;
  shapes: readonly Shape[];
}

/** The parts of one line without subscripts. */
export function plainParts(text: string): LetterPart[] {
  return [{ text, dy: 0, scale: 1 }];
}
