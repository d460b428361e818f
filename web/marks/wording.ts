/** What is said beside a stage: the types between labs, which know the words, and elements, which set them. */
import type { Role, Symbol } from "./scene.js";

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
  /** What it does, in a sentence; shown where it is changed. */
  help?: string;
  options?: { value: string; label: string; disabled?: string }[];
  min?: number;
  max?: number;
  /** Of a number that need not be whole: where − and + go. */
  stops?: readonly number[];
  /** Words that may also be characters or byte pairs of a text. */
  pieces?: boolean;
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
  /** Whose colour the symbol takes; absent: ink. */
  role?: Role;
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
  /** Where a cell stands, where the names of its axes do not say it: "patch 60, red, row 3, column 2". */
  place?: (index: number[]) => string;
  /** Where the numbers of a leaf come from: "found by the optimizer". Absent: typed in, given or drawn, as the core says. */
  origin?: string;
  /** "word 1 asks word 3"; empty where the address says enough. */
  meaning: (index: number[]) => string;
}

/** A notice over the stage. */
export interface Remark {
  id: string;
  title: string;
  body: string;
  actions: {
    label: string;
    change?: { control: string; value: string };
    cell?: { node: string; index: number[] };
  }[];
}
