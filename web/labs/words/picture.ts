/** The scenes of the words lab that are drawn by hand, by topic. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import type { Block } from "../../stage/place.js";
import { countPicture } from "./count-picture.js";
import { learnedPicture } from "./learned-picture.js";
import { lookupPicture } from "./lookup-picture.js";

type Picture = (
  config: ConfigOf<"words">,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
) => Scene | null;

const pictures: Partial<Record<ConfigOf<"words">["numbers"]["topic"], Picture>> = {
  count: countPicture,
  learn: learnedPicture,
  lookup: lookupPicture,
};

/** The scene of a topic; null if its lines are drawn instead. */
export const picture: Picture = (config, ...rest) =>
  pictures[config.numbers.topic]?.(config, ...rest) ?? null;
