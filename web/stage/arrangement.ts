/** Which of a lab's pictures is on the stage: the last one while it holds the target, so that pointing never rebuilds the stage. */
import type { Room, TargetRoom } from "../marks/scene.js";

export interface Arrangement {
  id: string;
  /** What the last scene unfolded (a row, a word looked at), for targets that do not say. */
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

/** The room's arrangement, which decides what a scene draws. */
export const readArrangement = (room: Room): Arrangement => read(room.arrangement ?? "");

/** The room's arrangement if it is one that holds the target's node; else `wanted`, with the memory of the last one. */
export function arrangementOf(
  room: TargetRoom,
  wanted: string,
  holds: (id: string) => readonly string[] | undefined,
): Arrangement {
  const last = read(room.arrangement ?? "");
  const node = room.cell?.node;
  const held = holds(last.id);
  // The id may come from a link: a lab that looks it up in a plain object gets a function for "constructor".
  const keeps = node !== undefined && Array.isArray(held) && held.includes(node);
  return keeps ? last : { id: wanted, memory: last.memory };
}
