/** ap-stage: a scene and its numbers as a score: matrices, wires, legends, curves and images that can be pointed at. */
import { LitElement, type PropertyDeclarations } from "lit";
import type { Explanation } from "../core/index.js";
import type { Words } from "../i18n/words.js";
import type { NodeWords, Scene, Snapshots } from "../labs/lab.js";

/** One number of one node. */
export interface Cell {
  node: string;
  index: number[];
}

/** How far Play has come: cells of later steps are not drawn; `sweep` cells of the step's first tensor are. */
export interface Progress {
  step: number;
  sweep: number | null;
}

/** What ap-stage says, by the name of its event; all bubble and cross shadow roots. */
export interface StageEvents {
  /** The target moved. While a cell is pinned only the keyboard moves it. */
  "cell-focus": Cell & { by: "pointer" | "keyboard" };
  /** The pointer or the focus left; the last target stays. */
  "cell-leave": Record<string, never>;
  /** Pins the cell; of the pinned cell itself: unpins it. */
  "cell-pin": Cell;
  "cell-edit": Cell & { value: number };
  /** One cell of a stroke; `done` ends the stroke and repeats its last cell. */
  "mask-paint": { row: number; column: number; allowed: boolean; done: boolean };
  /** A symbol, a caption or an operator is pointed at. */
  "node-point": { node: string | null };
  "cell-follow": { direction: "source" | "result" };
  "cell-copy": Record<string, never>;
}

export class Stage extends LitElement {
  static override properties: PropertyDeclarations = {
    scene: { attribute: false },
    snapshots: { attribute: false },
    cell: { attribute: false },
    pinned: { type: Boolean },
    explanation: { attribute: false },
    lit: { attribute: false },
    operand: { attribute: false },
    scales: {},
    words: { attribute: false },
    nodeWords: { attribute: false },
    theme: {},
    stale: { type: Boolean },
    play: { attribute: false },
  };

  declare scene: Scene | null;
  declare snapshots: Snapshots;
  declare cell: Cell | null;
  declare pinned: boolean;
  declare explanation: Explanation | null;
  declare lit: string[];
  declare operand: Cell | null;
  declare scales: "shared" | "own";
  declare words: Words | null;
  /** The places of a node in words, for the names of its cells. */
  declare nodeWords: ((node: string) => NodeWords) | null;
  declare theme: "light" | "dark";
  declare stale: boolean;
  declare play: Progress | null;

  constructor() {
    super();
    this.scene = null;
    this.snapshots = new Map();
    this.cell = null;
    this.pinned = false;
    this.explanation = null;
    this.lit = [];
    this.operand = null;
    this.scales = "shared";
    this.words = null;
    this.nodeWords = null;
    this.theme = "light";
    this.stale = false;
    this.play = null;
  }
}

customElements.define("ap-stage", Stage);

declare global {
  interface HTMLElementTagNameMap {
    "ap-stage": Stage;
  }
}
