/** What the parts of the BERT lab's picture share: the scene, the place in view, and how they draw on the scene. */
import type { ConfigOf } from "../../config/config.js";
import type { Curve, Room, Scene, Snapshots } from "../../marks/scene.js";
import { penOn, pointsFrom } from "../../stage/pen.js";
import type { Block } from "../../stage/place.js";
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
  penOn(scene, 0).draw(`bert-${id}`, "activation", "line", pointsFrom(...points), more);
}
