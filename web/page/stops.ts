/** A room for each stop of a lab, at the stop's own cell. */
import type { Config } from "../config/config.js";
import type { TargetRoom, Snapshots } from "../marks/scene.js";
import type { Step } from "../marks/wording.js";
import { labOf } from "./open-lab.js";

export const stops = (
  config: Config,
  snapshots: Snapshots,
  room: Omit<TargetRoom, "step" | "cell">,
): TargetRoom[] =>
  labOf(config)
    .steps(config, room.words, snapshots)
    .map(({ cell }, step) => ({ ...room, arrangement: null, step, cell }));

/** The stop of the first operation, where Play begins, with its inputs visible. */
export function firstStop(steps: readonly Step[], snapshots: Snapshots): number {
  const isComputed = (node: string): boolean => (snapshots.get(node)?.op ?? "leaf") !== "leaf";
  return Math.max(
    0,
    steps.findIndex(({ nodes }) => nodes.some(isComputed)),
  );
}

/** The heading of a stop outside the transport bar: "2 · Queries". */
export const stopHeading = (place: number, title: string): string =>
  `${place + 1} · ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
