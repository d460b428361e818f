/** The types of the texts beside a stage, which labs make and elements show. */
import type { Role, Symbol } from "./scene.js";

/** One stop of Play. */
export interface Step {
  id: string;
  /** Its short name on the track. */
  title: string;
  /** A plain sentence about it. */
  sentence: string;
  /** The tensors whose cells appear at this stop; Play animates the first. */
  nodes: string[];
  /** The cell that the sentence describes. */
  cell: { node: string; index: number[] };
}

/** A control in the settings sentence. Values are strings as typed. */
export interface Control {
  id: string;
  kind: "choice" | "number" | "words" | "image";
  /** Its text in the sentence: "4 words". It may contain "_" for a subscript: "√d_k". */
  label: string;
  /** Its name for a screen reader and in its popover. */
  title: string;
  value: string;
  /** A sentence about its effect, shown where it is changed. */
  help?: string;
  options?: { value: string; label: string; disabled?: string }[];
  /** Whether several options may be chosen; the value has them with spaces between. */
  many?: boolean;
  min?: number;
  max?: number;
  /** The values that − and + step to, for a number that need not be whole. */
  stops?: readonly number[];
  /** Whether its words may also be characters or byte pairs of a text. */
  pieces?: boolean;
  /** Whether the short sentence of an embedded frame contains it. */
  essential?: boolean;
  /** The words before its value in that sentence: "against ". */
  lead?: string;
}

/** A symbol of a formula and the tensors that it stands for. */
export interface FormulaPart {
  /** The name given in the .tex file by \class{sym-NAME}{…}. */
  symbol: string;
  nodes: string[];
  /** Its name for a screen reader: "Q, queries, 4 by 3". */
  label: string;
  /** The role whose colour the symbol has. Absent: the text colour. */
  role?: Role;
}

/** The words of the note for a node: its name, the places of its cells, and what a cell means. */
export interface NodeWords {
  symbol: Symbol;
  role: Role;
  /** Its name in the plural: "queries". */
  name: string;
  /** The name of one row, column or number: "query". */
  single: string;
  /** The names of the places on each axis; null if the places are only numbered. */
  axes: (readonly string[] | null)[];
  /** The place of a cell if the names of its axes do not give it: "patch 60, red, row 3, column 2". */
  place?: (index: number[]) => string;
  /** The origin of a leaf's numbers: "found by the optimizer". Absent: typed, given or drawn at random, as the core reports. */
  origin?: string;
  /** What a cell means: "word 1 asks word 3"; empty if its address is enough. */
  meaning: (index: number[]) => string;
}

/** A notice over the stage. */
export interface Remark {
  id: string;
  /** Whether it is what Play came to: on a wide screen it stands in the bar of Play. */
  isResult?: true;
  /** Whether it only offers links to other labs. A frame shows no such links, so it does not show this remark. */
  isOnward?: true;
  title: string;
  body: string;
  actions: {
    label: string;
    change?: { control: string; value: string };
    cell?: { node: string; index: number[] };
    /** Makes the link of the state that it opens. Frames leave such an action out. */
    link?(): string;
  }[];
}
