/** Guessing a covered number: by a link, by the reader's choice, as a question of a lesson, and in a frame. */
import type { Page } from "@playwright/test";
import { violations } from "./axe.js";
import { cell, expect, hosts, openPage, readLesson, still, test } from "./open.js";

const field = (page: Page) => page.locator("ap-note").getByRole("textbox", { name: "Your guess" });
const verdict = (page: Page) => page.locator("ap-note .verdict");
const note = (page: Page) => page.locator("ap-note");
const cover = (page: Page) => page.locator("ap-stage .cover");

async function guess(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
}

test("a link covers a number everywhere; a near miss says what was forgotten; the right guess uncovers it", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=four-words&guess=scaled,0,2");
  await still(page, "attention");
  await expect(note(page).locator("h2")).toHaveText("scaled[0, 2]");
  await expect(cover(page)).toHaveCount(1);
  await expect(cell(page, "scaled", 0, 2)).toHaveAccessibleName("scaled, word 1, word 3: ?");
  await expect(note(page)).not.toContainText("5.774");
  // As an operand of a weight, it is covered too.
  await cell(page, "weights", 0, 0).hover();
  await expect(note(page).locator("h2")).toHaveText("weights[0, 0]");
  await expect(note(page)).not.toContainText("5.774");
  await cell(page, "scaled", 0, 2).hover();
  await guess(page, "a lot");
  await expect(verdict(page)).toContainText("“a lot” is no number");
  // The guess stays while the reader looks elsewhere, and the number is not copied.
  await cell(page, "weights", 0, 0).hover();
  await expect(note(page).locator("h2")).toHaveText("weights[0, 0]");
  await expect(page.getByRole("button", { name: "Copy the full values" })).toHaveCount(0);
  await cell(page, "scaled", 0, 2).hover();
  await expect(field(page)).toHaveValue("a lot");
  await guess(page, "10");
  await expect(verdict(page)).toHaveText("10 is the line “score”. Still missing: ÷ √3, scaled.");
  await guess(page, "-5.8");
  await expect(verdict(page)).toContainText("wrong sign");
  await guess(page, "5.8");
  await expect(verdict(page)).toContainText("5.8 is right");
  await expect(note(page)).toContainText("5.774");
  await expect(cover(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/guess=/);
});

test("the reader covers a number, changes an input and guesses what it becomes; the maximum can be forgotten", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=four-words&cell=weights,3,0");
  await still(page, "attention");
  await page.getByRole("button", { name: "Cover this number, to guess it" }).click();
  await expect(field(page)).toBeFocused();
  await expect(page).toHaveURL(/guess=weights,3,0/);
  // e to the scaled score 5.774 is 321.4: the largest of the row, 8.083, was not subtracted.
  await guess(page, "321");
  await expect(verdict(page)).toContainText("The largest of the row is subtracted first");
  await page.getByRole("button", { name: /^Scaling/ }).click();
  await page.getByRole("radio", { name: /not scaled/ }).click();
  await still(page, "attention");
  await expect(cover(page)).toHaveCount(1);
  await expect(note(page).locator("h2")).toHaveText("weights[3, 0]");
  await guess(page, "0.5");
  await expect(verdict(page)).toHaveText("The number is smaller than 0.5.");
  await page.getByRole("button", { name: "Show the next line" }).click();
  await expect(note(page)).toContainText("−4");
  await page.getByRole("button", { name: "Show the number" }).click();
  await expect(cover(page)).toHaveCount(0);
  await expect(verdict(page)).toHaveCount(0);
  await expect(note(page)).toContainText("0.018");
});

test("a question of the lesson covers its number at its stop; answered, it stays marked in this browser alone", async ({
  page,
}) => {
  await openPage(page, "#v=1");
  await still(page, "attention");
  const question = page.locator("ap-lesson [data-question='scale 0']");
  await question.click();
  await expect(field(page)).toBeFocused();
  await still(page, "attention");
  await expect(page).toHaveURL(/stop=scale/);
  await expect(page.locator("ap-transport p")).toHaveClass("question");
  // Nothing of later stops is drawn.
  await expect(page.getByRole("grid", { name: /^weights/ })).toHaveCount(0);
  await guess(page, "4.5");
  await expect(verdict(page)).toContainText("4.5 is right");
  await page.getByRole("button", { name: "To the lesson" }).click();
  await expect(question).toBeFocused();
  await expect(question.getByRole("img", { name: "guessed" })).toBeVisible();
  await page.reload();
  await expect(question.getByRole("img", { name: "guessed" })).toBeAttached();
  await expect(page.locator("ap-lesson .answered")).toHaveCount(1);
});

test("the paragraph in view sets the stop of the stage, and leaving the lesson draws everything again", async ({
  page,
}) => {
  await openPage(page, "#v=1");
  await still(page, "attention");
  const current = page.locator("ap-transport [aria-current=step]");
  await readLesson(page);
  await page.getByRole("button", { name: /^Lesson/ }).click();
  await expect(page).toHaveURL(/stop=project/);
  await page
    .locator("ap-lesson p[data-anchor='scale,0']")
    .evaluate((one) => scrollBy(0, one.getBoundingClientRect().top - 0.3 * innerHeight));
  await expect(page).toHaveURL(/stop=scale/);
  await expect(current).toHaveAccessibleName(/scale/);
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page).not.toHaveURL(/stop=/);
  await expect(page.getByRole("grid", { name: /^output/ })).toHaveCount(1);
});

test("a link to a paragraph keeps the state that it holds", async ({ page }) => {
  await openPage(page, "#v=1&ex=four-words&cell=weights,0,2&lesson=scale,0");
  await still(page, "attention");
  await expect(page.locator("ap-lesson p[data-anchor='scale,0']")).toBeInViewport();
  await expect(page).not.toHaveURL(/stop=/);
  await expect(note(page).locator("h2")).toHaveText("weights[0, 2]");
});

test("a number that is not there is named, and nothing is covered", async ({ page }) => {
  await openPage(page, "#v=1&ex=four-words&guess=weights,9,9");
  await still(page, "attention");
  await expect(page.locator(".notices")).toContainText("guess");
  await expect(cover(page)).toHaveCount(0);
});

test("a given number is not covered", async ({ page }) => {
  await openPage(page, "#v=1&ex=four-words&guess=X,0,0");
  await still(page, "attention");
  await expect(page.locator(".notices")).toContainText("guess");
  await expect(cover(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cover this number, to guess it" })).toHaveCount(0);
});

test("a frame covers and uncovers, and stores nothing", async ({ page }) => {
  await page.goto(`${hosts.page}embed.html#v=1&ex=four-words&guess=scaled,0,2`);
  await expect(cover(page)).toHaveCount(1);
  await guess(page, "5.77");
  await expect(verdict(page)).toContainText("5.77 is right");
  await expect(cover(page)).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing while a number is covered, ${theme}`, async ({ page }) => {
    await openPage(page, `#v=1&ex=four-words&guess=weights,0,2&theme=${theme}`);
    await still(page, "attention");
    await guess(page, "0.2");
    await expect(verdict(page)).toContainText("larger");
    expect(await violations(page)).toEqual([]);
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the sheet is open with the field, and the page is as wide as the window", async ({ page }) => {
    await openPage(page, "#v=1&ex=four-words&guess=weights,0,2&lang=zh-CN");
    await still(page, "attention");
    await expect(page.getByRole("textbox", { name: "你的猜测" })).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
