/** Which pages and layers of a graph are on the stage, and how an arrangement says that. */
import type { Room } from "../../marks/scene.js";
import { readArrangement, writeArrangement } from "../arrangement.js";

/** Pages by axis, then the place of the open layer in each repetition. */
export class Shown {
  /** Axes before the last two of which an arrangement says the page. */
  static readonly paged = 3;

  constructor(
    readonly pages: readonly number[],
    readonly layers: readonly number[],
  ) {}

  static read(arrangement: string | null | undefined): Shown {
    const { memory } = readArrangement({ arrangement } as Room);
    return new Shown(
      Array.from({ length: Shown.paged }, (_, axis) => memory[axis] ?? 0),
      memory.slice(Shown.paged),
    );
  }

  get text(): string {
    return writeArrangement("graph", [...this.pages, ...this.layers]);
  }

  page(axis: number, size: number): number {
    return Math.min(this.pages[axis] ?? 0, size - 1);
  }
}
