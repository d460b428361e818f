/** What stands on a stage: the types between labs, which place tensors, and elements, which draw them. */
import type { Snapshot } from "../core/attention.js";
import type { Words } from "../i18n/words.js";

export type { Snapshot };
export type Snapshots = ReadonlyMap<string, Snapshot>;

/** Lines and letters: who a tensor is. Never a fill. */
export type Role = "query" | "key" | "value" | "attention" | "output" | "weight" | "activation";
/** Fills: what kind of numbers. "none": numbers that stand on no scale. */
export type Fill = "activation" | "parameter" | "probability" | "difference" | "none";

/** A symbol as set in serif italics: W with sub Q, K with sup T. */
export interface Symbol {
  text: string;
  sub?: string;
  sup?: string;
}

/**
 * Bars from the foot of each row: a number of `most` is as high as the row, and the fill is the number of the node `filledBy` for this
 * column. Shares: each row is divided among its cells as its numbers, which sum to 1, divide it. Scale: cells that are the colours of an axis.
 */
export type Form =
  | { readonly kind: "bars"; readonly most: number; readonly filledBy: string }
  | { readonly kind: "shares" | "scale" };

/** A matrix of numbers of one node, placed on the stage. All lengths in CSS pixels. */
export interface PlacedTensor {
  /** Unique in its scene; a node may stand twice (V right of K, and above the output). */
  id: string;
  node: string;
  /** A place per axis of the node; null on the axes that run down (first null) and across (last null). One null: a single row. */
  at: (number | null)[];
  /** Draw the first null axis across and the last down. */
  turned?: boolean;
  x: number;
  y: number;
  cellWidth: number;
  cellHeight: number;
  role: Role;
  fill: Fill;
  /** Tensors of one family share one colour scale and one legend. */
  family: string;
  symbol: Symbol;
  /** Plain name: "scores". Empty: none drawn. */
  name: string;
  /** "S×d_k", drawn after the sizes; "_" starts a subscript; empty where only the sizes fit. */
  letters: string;
  caption: "above" | "below" | "none";
  /** Probabilities on a scale that ends at the largest on the stage instead of at 1. */
  stretched?: boolean;
  /** Its cells touch: a picture rather than a table. */
  joined?: boolean;
  /** Numbers on paper, without brackets and fills: large, or nearly as small as on cells. */
  plain?: boolean | "small";
  /** How its numbers are drawn, if not as cells with fills. It has no brackets. */
  form?: Form;
  /** Room above and below the cells in each row. */
  inset?: readonly [above: number, below: number];
  /** Only so many of its columns are drawn, from one on. */
  window?: { readonly first: number; readonly count: number };
  /** A line after every so many columns, or rows: the parts that heads take. */
  parts?: { columns?: number; rows?: number };
  /** Names beside and above the cells, uncut; the room they take is that of `columnNames` and `cutName` in measure.ts. */
  rowNames?: readonly string[];
  columnNames?: readonly string[];
  /** Cells that a reader may type into: those of a leaf, or of `leaf`. */
  editable?: boolean;
  /** The leaf that has the same numbers: what is typed here is typed there. */
  leaf?: string;
  /** The mask's cells can be painted here: clicking toggles whether row may see column. */
  paintable?: boolean;
  /** Its cells are read as True (1) and False (0). */
  truth?: boolean;
  /** Cells that are masked, by row and column: hatched, −∞. */
  masked?: readonly (readonly boolean[])[];
  /** Rows with nothing to look at: notice bars at the brackets. */
  emptyRows?: readonly number[];
  /** Other numbers than the node's own on its cells. */
  reading?: Reading;
  /** Number the step of Play in which this tensor appears. */
  step: number;
}

/** What is read off a tensor's cells in place of, or beside, the node's own numbers: a difference, a gradient. */
export interface Reading {
  /** Of the node's shape. Null: there are none, and its cells stay empty. Absent: its own. */
  numbers?: Snapshot | null;
  /** What they are, for those who cannot see them: "difference". */
  name?: string;
  /** What each number has changed by; cells with another value than 0 get a wedge with its sign. */
  changes?: Snapshot;
  /** The tensor is a parameter, whatever is drawn. */
  parameter?: boolean;
  /** Said after the plain name: "was 3×4". */
  remark?: string;
}

export interface Wire {
  id: string;
  from: string;
  to: string;
  /** Corners, square; drawn with radius 4. */
  points: [number, number][];
  role: Role;
  step: number;
}

/** An operation named on the row line, between two tensors: "÷√3", "softmax". The arrow runs from x to x + width at y. */
export interface Operator {
  id: string;
  x: number;
  y: number;
  width: number;
  /** Above and below the arrow. */
  over: string;
  under?: string;
  /** The node it makes. */
  node: string;
  step: number;
}

/** A rule from x to x + width at y, and under it the bar (at most 96 wide, less where `width` is less) with its ends and the text. */
export interface Legend {
  family: string;
  fill: Fill;
  x: number;
  y: number;
  width: number;
  text: string;
  /** Of probabilities that are stretched. */
  stretched?: boolean;
  /** Where there is no room for the text. */
  short?: string;
}

export interface Label {
  x: number;
  y: number;
  text: string;
  kind: "axis" | "caption" | "shape" | "symbol" | "heading" | "large" | "match";
  /** Set in place of `text`, with its sub and superscript. */
  symbol?: Symbol;
  anchor?: "start" | "middle" | "end";
  role?: Role;
  /** Set over the matrices, with paper round it. */
  over?: boolean;
  /** The step of Play it comes with; absent: it is there from the start. */
  step?: number;
}

/** A line through values of a node, scaled by the scene from numbers the core computed. */
export interface Curve {
  id: string;
  points: [number, number][];
  role: Role;
  /** "area": the points enclose a pale area without an outline. "mesh": pale, for many lines at once. */
  kind: "line" | "dashed" | "thin" | "faint" | "bracket" | "area" | "mesh";
  /** SVG path data, drawn instead of the line through the points, which then give the extent of the path. */
  path?: string;
  /** A thick line, or a less pale area. */
  strong?: true;
  /** "open": a ring. */
  dots?: boolean | "large" | "open";
  /** Drawn over the matrices, with paper round it; "bare": without. */
  over?: boolean | "bare";
  /** The cells the points stand for, so that pointing at a dot targets its cell. */
  cells?: { node: string; index: number[] }[];
  /** The dot of the target cell is drawn large. */
  step: number;
}

/** Pixels of an image node (3, H, W) with values 0 … 255. */
export interface PlacedImage {
  id: string;
  node: string;
  x: number;
  y: number;
  size: number;
  /** Patch side in pixels: a grid is drawn and a patch can be pointed at. Absent: no grid. */
  patch?: number;
  /** Only this patch is drawn (row-major number), filling the square. */
  only?: number;
  /**
   * Paper veil: alpha = .9 (1 - a / max a), with a = this row of a (…, N, N) weights node, one per patch. With `tint` the image is
   * pale and this colour lies over it, the more the larger a.
   */
  veil?: { node: string; at: (number | null)[]; skip: number; tint?: Role };
  /** Framed patches: ink for the pinned one, role colour for the one compared with. */
  frames: { patch: number; role: Role | "ink" }[];
  /** The cells that pointed-at patches stand for, by patch; of one with `only`, that of its patch alone. */
  cells: readonly { node: string; index: number[] }[];
  step: number;
}

/**
 * A handle on a line that the reader drags to change a number: by pointer, finger or keys. The values grow from one end of the line to
 * the other.
 */
export interface Rail {
  id: string;
  /** The control that is set, or the cell of a leaf that is edited. */
  changes: { control: string } | { node: string; index: number[] };
  /** Its accessible name: "width of the keys". */
  name: string;
  from: readonly [number, number];
  to: readonly [number, number];
  /** The distance from the line within which a press is on the rail; absent: 22 px. */
  reach?: number;
  /** The values at `from` and `to`. */
  ends: readonly [number, number];
  /** Whether equal distances are equal factors. */
  logarithmic?: true;
  /** Values are multiples of this, or marks, or ends; the arrow keys change the value by this, or by `keyUnit`. */
  unit: number;
  keyUnit?: number;
  /**
   * The values that the handle snaps to and that Page Up and Page Down lead to, ascending. The cell of the mark nearest to the value, if it
   * has one, becomes the target.
   */
  marks: readonly { value: number; cell?: { node: string; index: number[] } }[];
  value: number;
  /** A narrower handle, without arrows. */
  isSmall?: true;
  /** The step of Play it comes with; absent: it is there from the start. */
  step?: number;
}

/** Everything on the stage, as data: a pure function of Config, snapshots, size and language. */
export interface Scene {
  width: number;
  height: number;
  tensors: PlacedTensor[];
  wires: Wire[];
  operators: Operator[];
  legends: Legend[];
  labels: Label[];
  curves: Curve[];
  images: PlacedImage[];
  rails?: readonly Rail[];
  /** Where the arithmetic note stands on wide screens; null: below the stage. One that `follows` stays in sight when the page scrolls. */
  note: { x: number; y: number; width: number; follows?: true } | null;
  /** The arrangement that the scene draws. */
  arrangement?: string;
  /** The stop of Play that a narrow scene shows; absent where a scene shows them all. */
  stop?: number;
}

/** The room a scene is made for. */
export interface Room {
  width: number;
  height: number;
  layout: "wide" | "two" | "narrow";
  /** On narrow screens one step at a time is shown. */
  step: number;
  /** Which part of the lab is open, as the lab's `arrange` chose it: a picture, and the row, head or word in it. */
  arrangement?: string | null;
  words: Words;
}

/**
 * A room and the target in it, by which a lab chooses what to open. `arrangement` is that of the last scene: it stays while it holds the
 * target, so that nothing moves away from under a pointer. It is null after the reader asked for another stop or lab.
 */
export interface TargetRoom extends Room {
  cell: { node: string; index: number[] } | null;
}
