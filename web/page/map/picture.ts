/** What the map is laid out as: a scene, the areas of its blocks, and the places of the names of labs. */
import type { LabId } from "../../config/config.js";
import type { Rectangle } from "../../marks/board.js";
import { linesIn, textWidth } from "../../marks/measure.js";
import type { Curve, Role, Scene, Snapshots } from "../../marks/scene.js";
import { wirePath } from "../../marks/score-lines.js";
import { emptyScene } from "../../stage/place.js";
import type { ModelConfig } from "./blocks.js";
import type { BlockId } from "./places.js";
import type { MapWords } from "./words.js";

/** A lab as the map names it. */
export interface NamedLab {
  id: LabId;
  chapter: number;
  title: string;
  isDone: boolean;
}

/** The name of a lab on the map: its number, its title in one line or two, and a tick if its lesson is done. */
export interface LabName extends Rectangle {
  lab: LabId;
  lines: readonly string[];
}

export interface MapPicture {
  scene: Scene;
  /** In the order in which the numbers flow. */
  blocks: readonly (Rectangle & { id: BlockId })[];
  names: readonly LabName[];
}

/** What a map is laid out from. */
export interface MapRoom {
  width: number;
  config: ModelConfig;
  /** Empty until they are computed: then no block has cells. */
  snapshots: Snapshots;
  labs: readonly NamedLab[];
  /** The words of the rows. */
  rows: Readonly<Record<"encoder" | "decoder", readonly string[]>>;
  /** The word that each row of the decoder predicts. */
  predicted: readonly string[];
  strings: MapWords;
}

/** The height of a line of a lab's name, the gap between its parts, and the room of its tick. */
export const NAME_LINE = 20;
const GAP = 6;
const TICK = 20;
/** The widths are estimates: a name is broken only if it is surely wider than its room. */
const SLACK = 1.05;

export class MapDrawing {
  readonly scene: Scene;
  readonly blocks: (Rectangle & { id: BlockId })[] = [];
  readonly names: LabName[] = [];

  constructor(
    readonly room: MapRoom,
    readonly nameSize: number,
  ) {
    this.scene = emptyScene(room.width);
  }

  #line(path: string, points: [number, number][], kind: Curve["kind"], role: Role, width?: number): void {
    const id = `line-${this.scene.curves.length}`;
    this.scene.curves.push({ id, points, path, kind, role, step: 0, ...(width ? { width } : {}) });
  }

  /** A thin line at rest: of a row, of a bracket, or from a name to its block. */
  rule(...points: [number, number][]): void {
    this.#line(wirePath(points, 0), points, "bracket", "activation");
  }

  /** A line with round corners in the colour of a role. */
  wire(role: Role, width: number, ...points: [number, number][]): void {
    this.#line(wirePath(points, 5), points, "line", role, width);
  }

  dashes(...points: [number, number][]): void {
    this.#line(wirePath(points, 5), points, "dashed", "activation");
  }

  arrow(x: number, y: number): void {
    const points: [number, number][] = [
      [x + 7, y - 4.5],
      [x, y],
      [x + 7, y + 4.5],
    ];
    this.#line(wirePath(points, 0), points, "line", "activation", 1.5);
  }

  /** The sign of a sum: a plus in a ring. */
  ring(x: number, y: number): void {
    const r = 7;
    const circle = `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    this.#line(circle, [[x, y]], "box", "activation");
    this.#line(`${circle}M${x - 4} ${y}h8M${x} ${y - 4}v8`, [[x, y]], "line", "activation", 1.5);
  }

  /** The widths of a lab's number and of its tick, with the gaps to its title. */
  #aside({ chapter, isDone }: NamedLab): number {
    return textWidth(String(chapter), this.nameSize) + GAP + (isDone ? TICK : 0);
  }

  /** The width of a lab's name on one line. */
  nameWidth(lab: NamedLab): number {
    return Math.ceil(textWidth(lab.title, this.nameSize) + this.#aside(lab));
  }

  /** Places the name of a lab, broken into lines where `room` is less than it needs; returns its height. */
  name(lab: NamedLab, x: number, y: number, room = Infinity): number {
    const width = Math.min(room, this.nameWidth(lab));
    const lines = linesIn(lab.title, (room - this.#aside(lab)) * SLACK, this.nameSize);
    const height = lines.length * NAME_LINE;
    this.names.push({ lab: lab.id, x, y, width, height, lines });
    return height;
  }

  done(height: number): MapPicture {
    this.scene.height = height;
    return { scene: this.scene, blocks: this.blocks, names: this.names };
  }
}
