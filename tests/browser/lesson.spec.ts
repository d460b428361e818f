/** The lesson: its exercises set the lab up, and the concepts that the reader completes are ticked and stored. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { boardCell, cell, expect, grid, hosts, openPage, still, test, readLesson } from "./open.js";
import { violationsInBothThemes } from "./axe.js";
import { siteFolder } from "./versions.js";

const concept = (page: Page, id: string) => page.locator(`ap-lesson [data-concept="${id}"]`);
const ticked = (page: Page, id: string) => concept(page, id).getByRole("img", { name: "Done" });
const bar = (page: Page) => page.locator("ap-transport p");

/** Opens the lesson of the first lab and switches its scaling off, which ticks a concept. */
async function tickUnscaled(page: Page): Promise<void> {
  await openPage(page, "#v=1");
  await readLesson(page);
  await expect(concept(page, "unscaled")).toBeAttached();
  await page.getByRole("button", { name: /^Scaling/ }).click();
  await page.getByRole("radio", { name: /not scaled/ }).click();
  await expect(ticked(page, "unscaled")).toBeAttached();
}

test("doing what a card asks ticks it; it stays ticked after a reload, until the reader starts over", async ({
  page,
}) => {
  await openPage(page);
  await readLesson(page);
  await expect(concept(page, "causal").getByRole("img", { name: "To do" })).toBeAttached();
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /causal/ }).click();
  await page.keyboard.press("Escape");
  await expect(bar(page)).toContainText("Word 1 sees only itself now");
  await expect(ticked(page, "causal")).toBeAttached();
  await expect(page.locator("ap-lesson .count")).toHaveText("1 of 5 done");
  await expect(page.getByRole("button", { name: "Lesson 1/5" })).toBeVisible();

  await page.reload();
  await expect(ticked(page, "causal")).toBeAttached();
  await expect(page.locator("ap-lesson .ticked")).toHaveCount(1);
  await page.goto(`${hosts.page}#contents`);
  await expect(page.getByRole("link", { name: /Attention, step by step.*1 of 5 done/ })).toBeVisible();
  await expect(page.getByText(/of \d done/)).toHaveCount(1);

  await page.goBack();
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(page.locator("ap-lesson .ticked")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Start over" })).toHaveCount(0);
  await page.reload();
  await expect(concept(page, "causal")).toBeAttached();
  await expect(page.locator("ap-lesson .ticked")).toHaveCount(0);
});

test("what is done before the lesson is read ticks nothing", async ({ page }) => {
  await openPage(page);
  await expect(concept(page, "causal")).toBeAttached();
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /causal/ }).click();
  await page.keyboard.press("Escape");
  await still(page, "attention");
  await expect(page.locator("ap-lesson .ticked")).toHaveCount(0);
  await readLesson(page);
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /no mask/ }).click();
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /causal/ }).click();
  await expect(ticked(page, "causal")).toBeAttached();
});

test("its end leads to the next lab, and the last lesson to the first lab", async ({ page }) => {
  const next = page.locator("ap-lesson .next a");
  await openPage(page, "#v=1&ex=four-words");
  await expect(next).toHaveText("Next: Why divide by √dₖ");
  await next.click();
  await still(page, "scaling");
  await expect(page.locator("ap-lab h1")).toBeInViewport();
  await openPage(page, "#v=1&lab=training&lang=zh-CN");
  await expect(next).toHaveText("接着看：从词到向量");
});

test("from an output back to the words by keyboard alone, and an edit", async ({ page }) => {
  await openPage(page, "#v=1");
  await still(page, "attention");
  await readLesson(page);
  await expect(concept(page, "back-to-the-words")).toBeAttached();
  await cell(page, "output", 0, 0).focus();
  const address = page.locator("ap-note h2");
  for (const node of ["output", "weights", "scaled", "scores", "Q"]) {
    await expect(address).toHaveText(new RegExp(`^${node}\\[`));
    await page.keyboard.press("u");
  }
  await expect(address).toHaveText(/^X\[/);
  await expect(ticked(page, "back-to-the-words")).toBeAttached();
  await page.keyboard.press("F2");
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await expect(ticked(page, "one-number")).toBeAttached();
});

test("an exercise sets the lab up and ticks nothing; a link leads back to the text, and Back to the settings before", async ({
  page,
}) => {
  await openPage(page, "#v=1");
  await page.getByRole("button", { name: /^Lesson/ }).click();
  const link = page.getByRole("button", { name: "Leave the division out" });
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Scaling/ })).toContainText("not scaled");
  await expect(page.locator("ap-note h2")).toHaveText("weights[0, 2]");
  await expect(grid(page, "weights").first()).toBeInViewport();
  await expect(page.getByRole("region", { name: "The numbers" })).toBeFocused();
  await expect(page.locator("ap-lesson .ticked")).toHaveCount(0);
  await page.getByRole("button", { name: "To the lesson" }).click();
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport();
  await page.goBack();
  await expect(page.getByRole("button", { name: /^Scaling/ })).toContainText("√d");
});

test("heads: a number followed through the split, and another number of heads", async ({ page }) => {
  await openPage(page, "#ex=two-heads");
  await still(page, "multi-head");
  await readLesson(page);
  await expect(concept(page, "no-arithmetic")).toBeAttached();
  await page
    .getByRole("grid", { name: /^queries by head/ })
    .nth(1)
    .locator("[data-row='0'][data-column='2']")
    .focus();
  await expect(page.locator("ap-note h2")).toHaveText(/^Q_heads\[/);
  await page.keyboard.press("u");
  await expect(page.locator("ap-note h2")).toHaveText(/^Q\[/);
  await expect(ticked(page, "no-arithmetic")).toBeAttached();
  await page.getByRole("button", { name: /^Heads/ }).click();
  await page.getByRole("textbox", { name: "Heads" }).fill("4");
  await page.keyboard.press("Enter");
  await expect(ticked(page, "other-count")).toBeAttached();
  await expect(page.locator("ap-lesson .count")).toHaveText("2 of 5 done");
});

test("patches: CLS first, by an exercise and by hand", async ({ page }) => {
  await openPage(page, "#ex=harbour");
  await page.getByRole("button", { name: /^Lesson/ }).click();
  await page.getByRole("button", { name: "Put CLS first" }).click();
  await still(page, "vit");
  await expect(page.locator("ap-note h2")).toHaveText("sequence[0, 0]");
  await expect(page.locator("ap-lesson .ticked")).toHaveCount(0);
  for (const name of ["nothing added", "a class token and positions"]) {
    await page.getByRole("button", { name: /^Class token/ }).click();
    await page.getByRole("radio", { name }).click();
  }
  await expect(ticked(page, "class-token")).toBeAttached();
});

test("without storage the lesson works as long as the page is open", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await tickUnscaled(page);
});

test("the line about an edit ends when the edit is undone", async ({ page }) => {
  await openPage(page, "#v=1");
  await still(page, "attention");
  await readLesson(page);
  await expect(concept(page, "causal")).toBeAttached();
  const announcement = page.locator("ap-transport p");
  const stop = await announcement.innerText();
  const edited = boardCell(page, "X", 0, 1);
  await edited.focus();
  await page.keyboard.press("7");
  await page.keyboard.press("Enter");
  await expect(announcement).toHaveClass("tick");
  await page.locator("ap-sentence").getByRole("button", { name: "Undo" }).click();
  await expect(announcement).not.toHaveClass("tick");
  await expect(announcement).not.toHaveText("");
  expect(stop).not.toBe("");
});

test("a frame has no lesson and stores nothing", async ({ page }) => {
  await page.goto(`${hosts.page}embed.html#v=1`);
  await expect(page.locator("ap-stage [role=gridcell]").first()).toBeAttached();
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /causal/ }).click();
  await expect(cell(page, "weights", 0, 0)).toHaveAccessibleName(/: 1$/);
  await expect(page.locator("ap-lesson, .lesson")).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test("a lesson that cannot be fetched has a notice, and is fetched again", async ({ page, watched }) => {
  const chunks = JSON.parse(readFileSync(join(siteFolder(), "chunks.json"), "utf8"));
  const file = `**/${chunks["labs/attention/lesson.ts"].file}`;
  await page.route(file, (route) => route.abort());
  await openPage(page, "#v=1");
  await expect(page.getByText("The lesson could not be fetched.")).toBeAttached();
  await page.unroute(file);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(concept(page, "causal")).toBeAttached();
  watched.complaints.length = 0;
});

test("axe finds nothing in a lesson with ticks, in either theme", async ({ page }) => {
  await tickUnscaled(page);
  await page.keyboard.press("Escape");
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the sheet makes room for the lesson, and returns with the numbers", async ({ page }) => {
    await openPage(page, "#v=1");
    await expect(page.locator("ap-note")).toBeVisible();
    await page.getByRole("button", { name: /^Lesson/ }).tap();
    await expect(page.getByRole("heading", { name: "A word becomes three rows" })).toBeInViewport();
    await expect(page.locator("ap-note")).toBeHidden();
    await page.getByRole("button", { name: "Let word 1 ask word 3" }).tap();
    await expect(page.locator("ap-note")).toBeVisible();
    await expect(page.locator(".strip p.line")).toContainText("Move along the row");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
