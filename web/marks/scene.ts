/** The types of a scene, which labs make and elements draw. */
import type { Snapshot } from "../core/attention.js";
import type { Words } from "../i18n/words.js";

export type { Snapshot };
export type Snapshots = ReadonlyMap<string, Snapshot>;

/** The part that a tensor plays in attention. It colours lines and letters, never fills. */
export type Role = "query" | "key" | "value" | "attention" | "output" | "weight" | "activation";
/** The kind of a tensor's numbers, which chooses its colour scale. "none" has no scale. */
export type Fill = "activation" | "parameter" | "probability" | "difference" | "none";

/** A symbol in italic serif type: W with subscript Q, K with superscript T. */
export interface Symbol {
  text: string;
  sub?: string;
  sup?: string;
}

/**
 * How the cells of a tensor are drawn, if not as equal cells with fills.
 * Bars: they stand on the foot of each row; a number of `most` is as high as the row, and the fill is the number of the node `filledBy` in
 * this column. Shares: each row is divided among its cells in proportion to their numbers, which sum to 1. Scale: the cells are the colours
 * of an axis.
 */
export type Form =
  | { readonly kind: "bars"; readonly most: number; readonly filledBy: string }
  | { readonly kind: "shares" | "scale" };

/** A matrix of one node's numbers, placed on the stage. All lengths are in CSS pixels. */
export interface PlacedTensor {
  /** Unique in its scene. A node may have two tensors: V to the right of K, and above the output. */
  id: string;
  node: string;
  /**
   * For each axis of the node a fixed place, or null for the axes that run down (the first null) and across (the last). With a
   * single null, the tensor is one row.
   */
  at: (number | null)[];
  /** Whether the matrix is transposed: the first null axis runs across and the last one down. */
  turned?: boolean;
  x: number;
  y: number;
  cellWidth: number;
  cellHeight: number;
  role: Role;
  fill: Fill;
  /** Tensors of one family share a colour scale and a legend. */
  family: string;
  symbol: Symbol;
  /** The plain name, "scores". If empty, none is drawn. */
  name: string;
  /** The letters of the axes, "S×d_k", drawn after the sizes; "_" starts a subscript. Empty if only the sizes fit. */
  letters: string;
  caption: "above" | "below" | "none";
  /** Whether the scale of probabilities ends at the largest one on the stage instead of at 1. */
  stretched?: boolean;
  /** Whether its cells have no gaps, as in an image. */
  joined?: boolean;
  /** Numbers on the background, without brackets and fills: large, or nearly as small as on cells. */
  plain?: boolean | "small";
  /** How its numbers are drawn, if not as equal cells with fills. It has no brackets. */
  form?: Form;
  /** The room above and below the cells in each row. */
  inset?: readonly [above: number, below: number];
  /** The columns that are drawn. Absent: all. */
  window?: { readonly first: number; readonly count: number };
  /** The number of columns, or rows, that belong to one head. A line is drawn between them. */
  parts?: { columns?: number; rows?: number };
  /** The names beside and above the cells, in full. `columnNames` and `cutName` in measure.ts give the room that they take. */
  rowNames?: readonly string[];
  columnNames?: readonly string[];
  /** The names of its columns if they stand on the cells, in place of the numbers. */
  cellNames?: readonly string[];
  /** Whether a reader may type into its cells: those of a leaf, or of `leaf`. */
  editable?: boolean;
  /** The leaf with the same numbers: what is typed here changes that leaf. */
  leaf?: string;
  /** Whether a click on a cell of the mask toggles whether its row may attend its column. */
  paintable?: boolean;
  /** Whether its cells are printed as True (1) and False (0). */
  truth?: boolean;
  /** The masked cells, by row and column. They are hatched and read −∞. */
  masked?: readonly (readonly boolean[])[];
  /** The rows that may attend nothing. They have bars in the notice colour at the brackets. */
  emptyRows?: readonly number[];
  /** What its cells show instead of the node's own numbers. */
  reading?: Reading;
  /** The step of Play at which this tensor appears. */
  step: number;
}

/** What a tensor's cells show instead of, or beside, the node's own numbers: a difference or a gradient. */
export interface Reading {
  /** Numbers with the node's shape. Null: there are none, and the cells stay empty. Absent: the node's own. */
  numbers?: Snapshot | null;
  /** The name of these numbers for screen readers: "difference". */
  name?: string;
  /** The change of each number; a cell whose change is not 0 has a wedge with its sign. */
  changes?: Snapshot;
  /** Whether the tensor is a parameter, whatever its cells show. */
  parameter?: boolean;
  /** A text after the plain name: "was 3×4". */
  remark?: string;
}

export interface Wire {
  id: string;
  from: string;
  to: string;
  /** The corners, which are right angles drawn with radius 4. */
  points: [number, number][];
  role: Role;
  step: number;
}

/** An operation on the row line between two tensors: "÷√3", "softmax". Its arrow runs from x to x + width at y. */
export interface Operator {
  id: string;
  x: number;
  y: number;
  width: number;
  /** The texts above and below the arrow. */
  over: string;
  under?: string;
  /** The node that the operator computes. */
  node: string;
  step: number;
}

/** A colour scale: a rule from x to x + width at y, and under it a bar at most 96 px wide, with its ends and a text. */
export interface Legend {
  family: string;
  fill: Fill;
  x: number;
  y: number;
  width: number;
  text: string;
  /** Whether it is of probabilities whose scale is stretched. */
  stretched?: boolean;
  /** The text if there is no room for `text`. */
  short?: string;
  /** Whether no rule is drawn above it: it stands beside a heading. */
  bare?: true;
}

export interface Label {
  x: number;
  y: number;
  text: string;
  /** "code": in letters of equal width, in which "_" starts no subscript. */
  kind: "axis" | "caption" | "shape" | "symbol" | "heading" | "large" | "match" | "word" | "code";
  /** The type size of a word, which is set in serif; `strong`: in bold. */
  size?: number;
  strong?: boolean;
  /** A symbol drawn instead of `text`, with its subscript and superscript. */
  symbol?: Symbol;
  anchor?: "start" | "middle" | "end";
  role?: Role;
  /** Whether it is drawn in front of the matrices, with a margin of background. */
  over?: boolean;
  /** Whether it is written upwards. */
  turned?: boolean;
  /** The step of Play at which it appears. Absent: it is there from the start. */
  step?: number;
}

/** A line through numbers of a node. The scene scales the numbers that the core computed. */
export interface Curve {
  id: string;
  points: [number, number][];
  role: Role;
  /**
   * "area": the points enclose a pale area without an outline. "mesh": thin and pale, for many lines at once. "body": a very pale area with
   * a thin outline, which numbers and names stand on. "box": filled with the background, so that it covers the lines behind it.
   */
  kind:
    | "line"
    | "dashed"
    | "dotted"
    | "dash-dotted"
    | "thin"
    | "faint"
    | "bracket"
    | "area"
    | "mesh"
    | "body"
    | "box";
  /** SVG path data, drawn instead of the line through the points, which then give the extent of the path. */
  path?: string;
  /** How far the path is drawn above its own coordinates: in a scene that is a part of another one. */
  pathUp?: number;
  /** A thick line, or a less pale area. */
  strong?: true;
  /** The width of the line, if it stands for a number. */
  width?: number;
  /** "open": a ring. */
  dots?: boolean | "large" | "open";
  /** Where its dot passes, and after how many milliseconds, before it stays; it does not move where the reader prefers less motion. */
  motion?: readonly { point: readonly [number, number]; time: number }[];
  /** Whether it is drawn in front of the matrices, with a margin of background; "bare": without the margin. */
  over?: boolean | "bare";
  /** The cells that the points stand for: pointing at a dot makes its cell the target. */
  cells?: { node: string; index: number[] }[];
  /** Whether the dot of the target cell is drawn large. */
  step: number;
}

/** The pixels of an image node (3, H, W) with values 0 … 255. */
export interface PlacedImage {
  id: string;
  node: string;
  x: number;
  y: number;
  size: number;
  /** The side of a patch in pixels: a grid is drawn, and a patch can be pointed at. Absent: no grid. */
  patch?: number;
  /** The row-major number of a single patch, which then fills the square. */
  only?: number;
  /**
   * Veils patches by attention: the background colour lies over each patch with alpha = .9 (1 - a / max a), where a is a row of
   * the weights node (…, N, N), one weight per patch. With `tint`, the whole image is pale and this colour lies over each patch,
   * stronger for larger a.
   */
  veil?: { node: string; at: (number | null)[]; skip: number; tint?: Role };
  /** Framed patches, in the text colour if pinned, in the role's colour if compared with it. */
  frames: { patch: number; role: Role | "ink" }[];
  /** The cells that patches stand for when pointed at, by patch; with `only`, the cell of that patch alone. */
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
  /** Whether equal distances along the line are equal factors. */
  logarithmic?: true;
  /** Whether a value stands at a distance in proportion to 1 / value: of heads that share a width, where the first ends. */
  reciprocal?: true;
  /** Whether only marks are values. */
  onlyMarks?: true;
  /** Values are multiples of this, or marks, or ends; the arrow keys change the value by this, or by `keyUnit`. */
  unit: number;
  keyUnit?: number;
  /**
   * The values that the handle snaps to and that Page Up and Page Down lead to, ascending. The cell of the mark nearest to the value, if it
   * has one, becomes the target. At a mark with a text the handle reads that, such as "2 heads", in place of the value.
   */
  marks: readonly { value: number; cell?: { node: string; index: number[] }; text?: string }[];
  value: number;
  /** A narrower handle, without arrows. */
  isSmall?: true;
  /** The step of Play at which it appears. Absent: it is there from the start. */
  step?: number;
}

/** A part of the stage that opens a control of the sentence, or sets it: a link, or an area of the picture, which Tab leaves out. */
export interface Opener {
  id: string;
  control: string;
  /** The value that the control is set to. Absent: the control opens. */
  value?: string;
  /** The text of the link; of an area its accessible name. */
  text: string;
  isArea?: true;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Everything on the stage, as data. It depends only on Config, snapshots, size and language. */
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
  openers?: readonly Opener[];
  /**
   * The place of the note on wide screens; null: below the stage. With `follows`, it stays in sight when the page is scrolled. With
   * `isDense`, its lines are closer to each other.
   */
  note: { x: number; y: number; width: number; follows?: true; isDense?: true } | null;
  /** The arrangement that the scene draws. */
  arrangement?: string;
  /** The stop of Play that a narrow scene shows; absent if the scene shows all stops. */
  stop?: number;
}

/** The space that a scene is made for. */
export interface Room {
  width: number;
  height: number;
  layout: "wide" | "two" | "narrow";
  /** The current stop of Play; narrow screens show one stop at a time. */
  step: number;
  /** The part of the lab that is open, as the lab's `arrange` chose it: a picture, and the row, head or word in it. */
  arrangement?: string | null;
  words: Words;
}

/**
 * A room with a target, from which a lab chooses its arrangement. `arrangement` is that of the last scene; it is kept while it
 * shows the target, so that nothing moves away from under a pointer. It is null after the reader chose another stop or lab.
 */
export interface TargetRoom extends Room {
  cell: { node: string; index: number[] } | null;
}
