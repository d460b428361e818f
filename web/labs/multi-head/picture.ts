/** The stage of the multi-head lab: the projections, a few heads with their sentence, or many heads. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { emptyScene, type Block } from "../../stage/place.js";
import { fewHeads } from "./few.js";
import { hasFewHeads, openedIn, phoneStop } from "./flow.js";
import { manyHeads } from "./many.js";
import { projectionScene } from "./projections.js";
import type { Parts } from "./strips.js";
import { itemOf, keyNames, rowNames } from "./tensors.js";

export function picture(
  config: ConfigOf<"multi-head">,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene {
  const opened = openedIn(room);
  const { words } = room;
  const names = rowNames(config.numbers, words);
  const keys = keyNames(config.numbers, words);
  const scene = emptyScene(room.width);
  const word = names[opened.row] ?? "";
  const parts: Parts = { config, room, words, of, opened, item: itemOf(config), names, keys, word, scene };
  const heads = hasFewHeads(config.numbers, room.layout) ? fewHeads : manyHeads;
  const drawn = (opened.picture === "project" ? projectionScene : heads)(parts, snapshots);
  return room.layout === "narrow" ? { ...drawn, stop: phoneStop(config, room) } : drawn;
}
