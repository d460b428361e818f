/** The lessons, by lab: how many concepts each has, and where it is fetched from. */
import type { LabId } from "../config/config.js";
import type { Lesson } from "./lesson.js";

export interface LessonEntry<L extends LabId> {
  /** Known before the lesson is: Contents counts what is done of how many. A test compares. */
  concepts: number;
  load(): Promise<Lesson<L>>;
}

export const lessons: { readonly [L in LabId]?: LessonEntry<L> } = {
  attention: { concepts: 5, load: async () => (await import("./attention/lesson.js")).lesson },
  "multi-head": { concepts: 5, load: async () => (await import("./multi-head/lesson.js")).lesson },
  positions: { concepts: 5, load: async () => (await import("./positions/lesson.js")).lesson },
  vit: { concepts: 6, load: async () => (await import("./vit/lesson.js")).lesson },
  complexity: { concepts: 5, load: async () => (await import("./complexity/lesson.js")).lesson },
  "encoder-decoder": { concepts: 5, load: async () => (await import("./encoder-decoder/lesson.js")).lesson },
  words: { concepts: 5, load: async () => (await import("./words/lesson.js")).lesson },
  optimizers: { concepts: 5, load: async () => (await import("./optimizers/lesson.js")).lesson },
  bert: { concepts: 5, load: async () => (await import("./bert/lesson.js")).lesson },
  block: { concepts: 5, load: async () => (await import("./block/lesson.js")).lesson },
  scaling: { concepts: 4, load: async () => (await import("./scaling/lesson.js")).lesson },
  losses: { concepts: 5, load: async () => (await import("./losses/lesson.js")).lesson },
};
