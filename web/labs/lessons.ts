/** The lessons, by lab. Apart from the labs: a frame has none. */
import type { LabId } from "../config/config.js";
import type { Lesson } from "../telling/lesson.js";

const files = import.meta.glob<{ lesson: Lesson<LabId> }>("./*/lesson.ts");

/** A lab's lesson, fetched. Rejects with the browser's Error when it cannot be had. */
export async function loadLesson<L extends LabId>(lab: L): Promise<Lesson<L>> {
  return (await files[`./${lab}/lesson.ts`]!()).lesson as unknown as Lesson<L>;
}
