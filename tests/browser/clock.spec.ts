/**
 * Behaviour that depends on how long the reader stays: time passes only as these tests let it. A window whose
 * clock Playwright has held is not reused by other tests, because what it leaves behind causes console errors
 * there.
 */
import type { Page } from "@playwright/test";
import { cell, expect, openPage, still, test, readLesson } from "./open.js";

test.use({ reuseContext: false, contextOptions: { reducedMotion: "reduce" } });

const task = (page: Page) => page.locator('ap-lesson [data-concept="largest-weight"]');
const ticked = (page: Page) => task(page).getByRole("img", { name: "Done" });

test("a number the reader passes over is not counted as found; one the reader stays at is", async ({
  page,
}) => {
  await page.clock.install();
  await openPage(page, "#v=1");
  await still(page, "attention");
  await readLesson(page);
  await expect(task(page)).toBeAttached();
  // The stage shows what the lesson was about until it is drawn again.
  await still(page, "attention");
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  // Points across the largest weight without stopping there.
  await cell(page, "weights", 3, 2).hover();
  await page.clock.runFor(300);
  await cell(page, "weights", 3, 3).hover();
  await page.clock.runFor(300);
  await expect(page.locator("ap-note h2")).toHaveText("weights[3, 3]");
  await page.clock.runFor(5000);
  await expect(ticked(page)).toHaveCount(0);
  await cell(page, "weights", 3, 2).hover();
  await page.clock.runFor(1000);
  await expect(ticked(page)).toBeAttached();
});

test("a step is announced once its target has stayed for 300 ms, and not when it is passed over", async ({
  page,
}) => {
  await page.clock.install();
  await openPage(page);
  await still(page, "attention");
  const announcement = page.locator("ap-note [aria-live=polite]");
  const target = page.locator("ap-note h2");
  const stop = page.locator("ap-transport p");
  await expect(announcement).not.toBeEmpty();
  const before = await announcement.textContent();
  // From here on time passes only as the test lets it.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await page.keyboard.press("]");
  await expect(target).toHaveText(/^scaled/);
  await page.clock.runFor(299);
  await expect(announcement).toHaveText(before!);
  // A step that is passed over is not announced.
  await page.keyboard.press("]");
  await expect(target).toHaveText(/^weights/);
  await page.clock.runFor(299);
  await expect(announcement).toHaveText(before!);
  await page.clock.runFor(1);
  await expect(announcement).toContainText((await stop.textContent())!.trim());
  await expect(announcement).toContainText("0.749 = softmax of row word 1 at word 3");
  await page.keyboard.press("]");
  await expect(target).toHaveText(/^output/);
  await page.clock.runFor(300);
  await expect(announcement).toContainText((await stop.textContent())!.trim());
  await expect(announcement).toContainText(/\d\.\d+ = /);
});
