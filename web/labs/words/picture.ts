/** The scenes of the words lab that are drawn by hand, by topic. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import type { Block } from "../../stage/place.js";
import { idsPicture } from "./ids-picture.js";
import { learnedPicture } from "./learned-picture.js";

/** The scene of a topic; null if its lines are drawn instead. */
export function picture(
  config: ConfigOf<"words">,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene | null {
  switch (config.numbers.topic) {
    case "learn":
      return learnedPicture(config, snapshots, room, of);
    case "lookup":
      return idsPicture(config, snapshots, room, of);
    default:
      return null;
  }
}
