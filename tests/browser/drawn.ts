/** Numbers of a tensor, all of them: as the lab holds them, and as the stage draws them. */
import type { Page } from "@playwright/test";
import type { Stage } from "../../web/elements/stage.js";
import type { Playground } from "../../web/page/playground.js";

/** All numbers of a node, as they stand in the lab. */
export const numbersOf = (page: Page, node: string): Promise<number[]> =>
  page.locator("ap-lab").evaluate((element: Element, name) => {
    const { playground } = element as Element & { playground: Playground };
    return [...playground.snapshots.get(name)!.data];
  }, node);

/** All numbers that the stage draws on the cells of a tensor. */
export const drawnOf = (page: Page, id: string): Promise<number[]> =>
  page
    .locator("ap-stage")
    .last()
    .evaluate(async (element, name) => {
      const stage = element as Stage;
      await stage.updateComplete;
      const board = stage.boards.find((other) => other.id === name)!;
      return Array.from({ length: board.rows * board.columns }, (_, at) =>
        board.valueAt(Math.floor(at / board.columns), at % board.columns)!,
      );
    }, id);
