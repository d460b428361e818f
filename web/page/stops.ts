/** A room for each stop of a lab, at the stop's own cell. */
import type { Config } from "../config/config.js";
import type { TargetRoom, Snapshots } from "../marks/scene.js";
import { labOf } from "./open-lab.js";

export const stops = (
  config: Config,
  snapshots: Snapshots,
  room: Omit<TargetRoom, "step" | "cell">,
): TargetRoom[] =>
  labOf(config)
    .steps(config, room.words, snapshots)
    .map(({ cell }, step) => ({ ...room, arrangement: null, step, cell }));

/** The heading of a stop outside the transport bar: "2 · Queries". */
export const stopHeading = (place: number, title: string): string =>
  `${place + 1} · ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
