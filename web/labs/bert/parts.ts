/** What the parts of the BERT lab's picture share: the scene, the place in view, and how they draw on the scene. */
import type { ConfigOf } from "../../config/config.js";
import type { Curve, Label, Room, Scene, Snapshots } from "../../marks/scene.js";
import type { Block } from "../../stage/place.js";
import type { Point } from "../../stage/series.js";
import type { Strings } from "./strings.js";

export interface Parts {
  config: ConfigOf<"bert">;
  snapshots: Snapshots;
  room: Room;
  narrow: boolean;
  /** The width without that of the note. */
  width: number;
  of: (node: string) => Block;
  say: Strings;
  scene: Scene;
  /** The words that BERT reads, by place, and the hidden places. */
  words: readonly string[];
  gaps: readonly number[];
  /** The head of the arcs; the place that they start from; the gap whose candidates are drawn. */
  head: number;
  place: number;
  gap: number;
}

/** Adds a line through points, each as x and y. Its id begins with "bert". */
export function line(scene: Scene, id: string, points: readonly number[], more: Partial<Curve>): void {
  const pairs = points.flatMap((x, at): Point[] => (at % 2 ? [] : [[x, points[at + 1]!]]));
  scene.curves.push({ id: `bert-${id}`, points: pairs, role: "activation", kind: "line", step: 0, ...more });
}

/** The corners of a box, for `line`. */
export const box = (left: number, top: number, right: number, bottom: number): number[] => [
  left,
  bottom,
  left,
  top,
  right,
  top,
  right,
  bottom,
  left,
  bottom,
];

type Written = [kind: Label["kind"], x: number, y: number, text: string, more?: Partial<Label>];
export function write(scene: Scene, ...[kind, x, y, text, more]: Written): void {
  scene.labels.push({ kind, x, y, text, ...more });
}
