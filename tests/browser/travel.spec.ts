/**
 * Numbers travel at a stop: the copies are the real numbers, the note hides what is not computed yet, any input
 * ends it, and with reduced motion there is none. The test steps the clock of the page. As in clock.spec.ts, a window whose clock
 * Playwright has held is not reused by other tests.
 */
import { type Page } from "@playwright/test";
import { boardCell, cell, expect, openPage, still, test } from "./open.js";

test.use({ reuseContext: false });

const copies = (page: Page): Promise<string[]> =>
  page.locator("ap-flight .copy text").evaluateAll((texts) => texts.map((text) => text.textContent));

const step = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Step", exact: true }).click({ noWaitAfter: true });

/** Opens a link with a clock that stands still, and goes to the next stop. */
async function stepped(page: Page, hash: string): Promise<void> {
  await page.clock.install();
  await openPage(page, hash);
  await still(page, "attention");
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await step(page);
}

/** The same, until numbers travel. */
async function travel(page: Page, hash: string): Promise<void> {
  await stepped(page, hash);
  const frame = async (): Promise<number> => {
    await page.clock.runFor(17);
    return page.locator("ap-flight svg").count();
  };
  await expect.poll(frame, { intervals: [10] }).toBe(1);
}

test("three queries and three keys fly into the note, are multiplied there, and the sum goes to its cell", async ({
  page,
}) => {
  await travel(page, "#v=1&ex=four-words&stop=project");
  expect(await copies(page)).toEqual(["2", "0", "2", "2", "4", "3"]);
  const note = page.locator("ap-note");
  const row = (label: string) => note.getByRole("row", { name: label, includeHidden: true });
  await expect(row("query of word 1").locator("td").first()).toBeHidden();
  await expect(cell(page, "scores", 0, 2)).toHaveAccessibleName("not computed yet");
  await page.clock.runFor(620);
  expect(await copies(page)).toEqual(["2", "0", "2", "2", "4", "3"]);
  await expect(row("query of word 1").locator("td").first()).toBeVisible();
  await page.clock.runFor(120);
  expect(await copies(page)).toEqual([]);
  await expect(row("products").locator("td").first()).toBeVisible();
  await expect(note.locator("td.result")).toBeHidden();
  await page.clock.runFor(150);
  expect(await copies(page)).toEqual(["10"]);
  await expect(note.locator("td.result")).toBeVisible();
  await page.clock.runFor(1000);
  await expect(page.locator("ap-flight svg")).toHaveCount(0);
  await expect(cell(page, "scores", 0, 2)).toHaveAccessibleName(/: 10$/);
});

test("a softmax raises bars in the empty cells of its row, and divides them", async ({ page }) => {
  await travel(page, "#v=1&ex=four-words&stop=scale");
  expect(await copies(page)).toEqual(["4.619", "1.155", "5.774", "1.155"]);
  const heights = (): Promise<number[]> =>
    page
      .locator("ap-flight .bar")
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute("height"))));
  const { height } = (await boardCell(page, "weights", 0, 2).boundingBox())!;
  await page.clock.runFor(960);
  const [first, , largest] = await heights();
  expect(largest).toBeCloseTo(height, 0);
  expect(first! / largest!).toBeCloseTo(0.315, 2);
  await page.clock.runFor(250);
  expect((await heights()).reduce((sum, one) => sum + one, 0)).toBeCloseTo(height, 0);
  expect(await copies(page)).toEqual(["0.749"]);
});

test("pointing at another number ends it at once", async ({ page }) => {
  await travel(page, "#v=1&ex=four-words&stop=project");
  await page.clock.runFor(200);
  await boardCell(page, "Q", 1, 0).hover();
  await page.clock.runFor(40);
  await expect(page.locator("ap-flight svg")).toHaveCount(0);
  await expect(page.locator("ap-note [data-waits]")).toHaveCount(0);
});

test.describe("with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });
  test("nothing travels", async ({ page }) => {
    await stepped(page, "#v=1&ex=four-words&stop=project");
    const scores = cell(page, "scores", 0, 2);
    const frame = async (): Promise<string | null> => {
      await page.clock.runFor(17);
      await expect(page.locator("ap-flight svg")).toHaveCount(0);
      return scores.getAttribute("aria-label");
    };
    await expect.poll(frame, { intervals: [10] }).toMatch(/: 10$/);
    await expect(page.locator("ap-note")).toContainText("scores[0, 2]");
  });
});
