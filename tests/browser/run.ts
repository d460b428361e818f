/** A run of the training lab, on the page and in a frame. */
import type { Frame, Page } from "@playwright/test";
import { expect, waitUntilIdle } from "./open.js";

/** Where a run is shown. */
type Shown = Page | Frame;

export const slider = (shown: Shown) => shown.locator("ap-transport").getByRole("slider");

export const stepOf = async (shown: Shown): Promise<number> => Number(await slider(shown).inputValue());

/** Moves the slider of a page to a step, and waits until the run is there. */
export async function goToStep(page: Page, step: number): Promise<void> {
  await slider(page).fill(String(step));
  await waitUntilIdle(page);
  expect(await stepOf(page)).toBe(step);
}

export const button = (shown: Shown, name: string) =>
  shown.locator("ap-transport").getByRole("button", { name, exact: true });

/** Tells the document that its tab is hidden. */
export const hide = (shown: Shown): Promise<void> =>
  shown.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });

/** The tab is seen again. */
export const unhide = (shown: Shown): Promise<boolean> =>
  shown.evaluate(() => delete (document as { visibilityState?: unknown }).visibilityState);
