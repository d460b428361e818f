/** What a lab is: from a Config to the graph to build, the scene to draw, the words to say. No arithmetic. */
import type { Core, Graph } from "../core/index.js";
import type { ConfigOf, LabId, NumbersOf } from "../config/config.js";
import type { Words } from "../i18n/words.js";

/** A copy of one node of the graph. */
export interface Snapshot {
  name: string;
  op: string;
  inputs: string[];
  shape: number[];
  data: Float64Array;
  /** Indices changed by hand. */
  edited: number[][];
}
export type Snapshots = ReadonlyMap<string, Snapshot>;

/** Lines and letters: who a tensor is. Never a fill. */
export type Role = "query" | "key" | "value" | "attention" | "output" | "weight" | "activation";
/** Fills: what kind of numbers. */
export type Fill = "activation" | "parameter" | "probability" | "difference";

/** A symbol as set in serif italics: W with sub Q, K with sup T. */
export interface Symbol {
  text: string;
  sub?: string;
  sup?: string;
}

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
  /** "S×d_k", drawn after the sizes; "_" starts a subscript. */
  letters: string;
  caption: "above" | "below" | "none";
  rowNames?: readonly string[];
  columnNames?: readonly string[];
  /** Leaf whose cells a reader may type into. */
  editable?: boolean;
  /** The mask's cells can be painted here: clicking toggles whether row may see column. */
  paintable?: boolean;
  /** Cells that are masked: hatched, −∞. */
  masked?: (row: number, column: number) => boolean;
  /** Rows with nothing to look at: notice bars at the brackets. */
  emptyRows?: readonly number[];
  /** Number the step of Play in which this tensor appears. */
  step: number;
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

/** An operation named on the row line, between two tensors: "÷√3", "softmax". */
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

export interface Legend {
  family: string;
  fill: Fill;
  x: number;
  y: number;
  width: number;
  text: string;
}

export interface Label {
  x: number;
  y: number;
  text: string;
  kind: "axis" | "caption" | "shape" | "symbol" | "heading" | "match";
  anchor?: "start" | "middle" | "end";
  role?: Role;
}

/** A line through values of a node, scaled by the scene from numbers the core computed. */
export interface Curve {
  id: string;
  points: [number, number][];
  role: Role;
  kind: "line" | "dashed" | "faint" | "bracket";
  dots?: boolean;
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
  /** Paper veil: alpha = .9 (1 - a / max a), with a = this row of a (…, N, N) weights node, one per patch. */
  veil?: { node: string; at: (number | null)[]; skip: number };
  /** Framed patches: ink for the pinned one, role colour for the one compared with. */
  frames: { patch: number; role: Role | "ink" }[];
  /** The cell a pointed-at patch stands for. */
  cellOf: (patch: number) => { node: string; index: number[] };
  step: number;
}

/** Everything on the stage: a pure function of Config, snapshots, size and language. */
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
  /** Where the arithmetic note stands on wide screens; null: below the stage. */
  note: { x: number; y: number; width: number } | null;
}

/** The room a scene is made for. */
export interface Room {
  width: number;
  height: number;
  layout: "wide" | "two" | "narrow";
  /** On narrow screens one step at a time is shown. */
  step: number;
  /** The target, so that scenes that unfold one row or patch know which. */
  cell: { node: string; index: number[] } | null;
  words: Words;
}

/** One stop of Play. */
export interface Step {
  id: string;
  /** Short name on the track. */
  title: string;
  /** One plain sentence. */
  sentence: string;
  /** The tensors whose cells appear at this stop; the first is swept. */
  nodes: string[];
  /** A telling cell of this stop. */
  cell: { node: string; index: number[] };
}

/** A word of the settings sentence that can be changed. Values are strings as typed; `write` answers the next numbers or a message. */
export interface Control {
  id: string;
  kind: "choice" | "number" | "words" | "image";
  /** As it reads in the sentence: "4 words". May hold "_" for a subscript: "√d_k". */
  label: string;
  /** Its name for a screen reader and in its popover. */
  title: string;
  value: string;
  options?: { value: string; label: string; disabled?: string }[];
  min?: number;
  max?: number;
  /** Part of an embed's minimal sentence. */
  essential?: boolean;
}

/** A formula: a .tex of the lab, its linked symbols, and the tensors they stand for. */
export interface FormulaPart {
  /** The name given in the .tex by \class{sym-NAME}{…}. */
  symbol: string;
  nodes: string[];
  /** "Q, queries, 4 by 3". */
  label: string;
}

/** A node's place in the words of the note: "query of word 1", and what its cell means. */
export interface NodeWords {
  symbol: Symbol;
  role: Role;
  /** "queries". */
  name: string;
  /** "query", for one row or column. */
  single: string;
  /** Names of the places of each axis; null where the number itself is the name. */
  axes: (readonly string[] | null)[];
  /** "word 1 asks word 3"; empty where the address says enough. */
  meaning: (index: number[]) => string;
}

/** A printed number of a source and the cell that must equal it at the printed digits. */
export interface Printed {
  node: string;
  index: number[];
  /** As printed: "0.98522025". */
  digits: string;
}

export interface Lab<L extends LabId> {
  id: L;
  /** Its chapter in Contents: 2, 4, 5, 8. */
  chapter: number;
  /** Worker side. Builds the whole graph; the names of nodes are those the scenes, links and edits speak of. */
  build(core: Core, graph: Graph, numbers: NumbersOf[L]): void;
  /** Page side, all pure. */
  title(config: ConfigOf<L>, words: Words): string;
  lede(config: ConfigOf<L>, words: Words, narrow: boolean): string;
  /** The settings sentence with {slots}, and its controls. */
  sentence(config: ConfigOf<L>, words: Words): { text: string; controls: Control[] };
  change(numbers: NumbersOf[L], control: string, value: string): NumbersOf[L] | { refused: string };
  scene(config: ConfigOf<L>, snapshots: Snapshots, room: Room): Scene;
  steps(config: ConfigOf<L>, words: Words): Step[];
  formula: { id: string; parts(config: ConfigOf<L>, words: Words): FormulaPart[] };
  nodeWords(config: ConfigOf<L>, node: string, words: Words): NodeWords;
  /** The links at the foot of the note: what this cell becomes. */
  becomes(config: ConfigOf<L>, cell: { node: string; index: number[] }): { node: string; index: number[] }[];
  /** A telling cell to open with. */
  opening(config: ConfigOf<L>): { node: string; index: number[] };
  /** Things worth saying about these numbers: a fully masked row, a NaN. */
  remarks(config: ConfigOf<L>, snapshots: Snapshots, words: Words): Remark[];
}

/** A notice under the stage. */
export interface Remark {
  id: string;
  title: string;
  body: string;
  actions: { label: string; change?: { control: string; value: string }; cell?: { node: string; index: number[] } }[];
}
