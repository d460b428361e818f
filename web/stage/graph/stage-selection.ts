/** The pages and layers of a graph that are on the stage, and how an arrangement stores them. */
import type { Room } from "../../marks/scene.js";
import { readArrangement, writeArrangement } from "../arrangement.js";

/** The page of each leading axis, and for each repetition the place of its open layer. */
export class StageSelection {
  /** The number of leading axes whose page an arrangement stores. */
  static readonly pagedAxes = 3;

  constructor(
    readonly pages: readonly number[],
    readonly layers: readonly number[],
  ) {}

  static read(arrangement: string | null | undefined): StageSelection {
    const { memory } = readArrangement({ arrangement } as Room);
    return new StageSelection(
      Array.from({ length: StageSelection.pagedAxes }, (_, axis) => memory[axis] ?? 0),
      memory.slice(StageSelection.pagedAxes),
    );
  }

  get text(): string {
    return writeArrangement("graph", [...this.pages, ...this.layers]);
  }

  page(axis: number, size: number): number {
    return Math.min(this.pages[axis] ?? 0, size - 1);
  }
}
