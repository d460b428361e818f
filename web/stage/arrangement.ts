/**
 * An arrangement names the picture of a lab that is on the stage, and the row or word opened in it. It is kept while it shows the
 * target, so that pointing never rebuilds the stage.
 */
import type { Room, TargetRoom } from "../marks/scene.js";

export interface Arrangement {
  id: string;
  /** What the last scene had open (a row, a word). It stays open for targets in other tensors. */
  memory: readonly number[];
}

/** The text of an arrangement: a room carries it from one scene to the next. */
export function writeArrangement(id: string, memory: readonly number[] = []): string {
  return [id, ...memory].join();
}

function read(text: string): Arrangement {
  const [id = "", ...memory] = text.split(",");
  return { id, memory: memory.map(Number).filter(Number.isInteger) };
}

/** The room's arrangement; a scene is drawn by it. */
export const readArrangement = (room: Room): Arrangement => read(room.arrangement ?? "");

/**
 * The room's arrangement if it shows the target's node, else `wantedId` with the memory of the room's arrangement. `nodesOf` returns
 * the nodes that an arrangement shows.
 */
export function arrangementOf(
  room: TargetRoom,
  wantedId: string,
  nodesOf: (id: string) => readonly string[] | undefined,
): Arrangement {
  const last = read(room.arrangement ?? "");
  const target = room.cell?.node;
  const nodes = nodesOf(last.id);
  // The id may come from a link: a lab that looks it up in a plain object gets a function for "constructor".
  const showsTarget = target !== undefined && Array.isArray(nodes) && nodes.includes(target);
  return showsTarget ? last : { id: wantedId, memory: last.memory };
}
