/** All numbers of a tensor: as the stage shows them, and in full precision, computed from the page's link. */
import { expect, type Page } from "@playwright/test";
import { formatNote, parseNumber } from "../../web/marks/numbers.js";
import type { AttentionPlayground } from "../../web/page/attention-playground.js";
import { numberIn } from "./cell-name.js";
import { hosts, waitUntilIdle } from "./open.js";

/** The numbers of a board of at most 200 cells, from the names of its cells, with the digits of the note. */
export async function shownOn(page: Page, board: string): Promise<string[]> {
  await waitUntilIdle(page);
  const names = await page
    .locator(`ap-stage [data-board="${board}"]`)
    .last()
    .locator("[role=gridcell]")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label") ?? ""));
  expect(names.length, `cells of ${board}`).toBeGreaterThan(0);
  return names.map((name) => numberIn(name) ?? name);
}

/** Waits until the page shows these numbers on the cells of a board. */
export const expectShown = (page: Page, board: string, wanted: readonly number[]): Promise<void> =>
  expect.poll(() => shownOn(page, board), { message: board }).toEqual(wanted.map(formatNote));

/** The same as numbers, rounded as they are shown. */
export const readOn = async (page: Page, board: string): Promise<number[]> =>
  (await shownOn(page, board)).map((text) => parseNumber(text) ?? NaN);

/** The numbers of a node of the page's state in full precision: an element on another page computes its link again. */
export async function numbersOf(page: Page, node: string): Promise<number[]> {
  const element = encodeURIComponent(new URL(page.url()).hash || "#v=1&ex=four-words");
  const script = encodeURIComponent(`${hosts.page}attention-playground.js`);
  const beside = await page.context().newPage();
  try {
    await beside.goto(`${new URL("/host.html", hosts.page).href}?element=${element}&script=${script}&module`);
    return await beside.evaluate(async (name) => {
      await customElements.whenDefined("attention-playground");
      const tensors = await document.querySelector<AttentionPlayground>("attention-playground")!.tensors();
      return [...tensors[name]!.data];
    }, node);
  } finally {
    await beside.close();
  }
}
