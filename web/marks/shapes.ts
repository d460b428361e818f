/** What a picture to take away is made of, from back to front: one list, written as SVG or drawn on a canvas. */
import type { LetterPart } from "./lettering.js";
import type { MatrixDrawing } from "./matrix.js";

/** Lines; `dash` as in SVG. */
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
  /** Paper round the letters, so that a line behind does not strike them through. */
  halo?: { colour: string; weight: number };
  turn?: { degrees: number; x: number; y: number } | null;
}

/** A bar of colours, evenly apart, from left to right. */
export interface RampShape {
  kind: "ramp";
  x: number;
  y: number;
  width: number;
  height: number;
  colours: readonly string[];
}

/** A matrix of numbers; its cells become shapes in an SVG, and pixels on a canvas. */
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

/** Shapes that stand so much farther right and down. */
export interface MovedShape {
  kind: "moved";
  right: number;
  down: number;
  shapes: readonly Shape[];
}

export type Shape = RectShape | PathShape | TextShape | RampShape | MatrixShape | BitmapShape | MovedShape;

/** A picture: its size in CSS pixels, its paper, and what lies on it. */
export interface PictureShapes {
  width: number;
  height: number;
  paper: string;
  /** What it is a picture of, for a reader who cannot see it. */
  title: string;
  shapes: readonly Shape[];
}

/** One line of plain letters. */
export function plainParts(text: string): LetterPart[] {
  return [{ text, dy: 0, scale: 1 }];
}
