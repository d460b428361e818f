/** Loads the lessons of the labs. They are not part of the labs, because a frame has no lessons. */
import type { LabId } from "../config/config.js";
import type { Lesson } from "../telling/lesson.js";

const files = import.meta.glob<{ lesson: Lesson<LabId> }>("./*/lesson.ts");

/** Fetches a lab's lesson. Rejects with the browser's Error if that fails. */
export async function loadLesson<L extends LabId>(lab: L): Promise<Lesson<L>> {
  return (await files[`./${lab}/lesson.ts`]!()).lesson as unknown as Lesson<L>;
}
