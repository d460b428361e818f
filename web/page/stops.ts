/** A room for each of a lab's stops, at the stop's own cell. */
import type { Config } from "../config/config.js";
import type { RoomAt, Snapshots } from "../marks/scene.js";
import { labOf } from "./open-lab.js";

export const stops = (config: Config, snapshots: Snapshots, room: Omit<RoomAt, "step" | "cell">): RoomAt[] =>
  labOf(config)
    .steps(config, room.words, snapshots)
    .map(({ cell }, step) => ({ ...room, arrangement: null, step, cell }));

/** "2 · Queries": how a stop is headed where it is not in a bar. */
export const stopHeading = (place: number, title: string): string =>
  `${place + 1} · ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
