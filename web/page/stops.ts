/** A room for each of a lab's stops, at the stop's own cell. */
import type { Config } from "../config/config.js";
import type { Room, Snapshots } from "../marks/scene.js";
import { labOf } from "./open-lab.js";

export const stops = (config: Config, snapshots: Snapshots, room: Omit<Room, "step" | "cell">): Room[] =>
  labOf(config)
    .steps(config, room.words, snapshots)
    .map(({ cell }, step) => ({ ...room, arrangement: null, step, cell }));
