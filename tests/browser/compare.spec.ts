/**
 * Comparison: one state is stored, and what changes after it is shown cell by cell, with differences computed
 * in the core.
 */
import type { Page } from "@playwright/test";
import { violations, violationsInBothThemes } from "./axe.js";
import { formatNote } from "../../web/marks/numbers.js";
import { numbersOf, shownOn } from "./drawn-numbers.js";
import { cell, expect, grid, openPage, still, test } from "./open.js";
import { reference } from "./reference.js";

const line = (page: Page) => page.getByRole("region", { name: "Comparison" });

async function causal(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /causal/ }).click();
  await page.keyboard.press("Escape");
  await expect(line(page).getByRole("radio", { name: "difference" })).toBeChecked();
}

test("a causal mask: the difference of every cell, the note's sum, and the end", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  const before = await numbersOf(page, "weights");
  const { near } = reference("four_words");
  before.forEach((value, at) => {
    const { wanted, allowed } = near("weights", at, value);
    expect(Math.abs(value - wanted)).toBeLessThanOrEqual(allowed);
  });

  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.getByRole("button", { name: "Compare", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(line(page)).toContainText("These numbers are kept.");
  await expect(line(page).getByRole("radio")).toHaveCount(0);
  await causal(page);
  await expect(line(page)).toContainText("Mask: no mask → a causal mask.");

  await expect(page).toHaveURL(/mask=causal/);
  const now = await numbersOf(page, "weights");
  expect(await shownOn(page, "weights")).toEqual(now.map((value, at) => formatNote(value - before[at]!)));
  expect((await shownOn(page, "Q")).every((value) => value === "0")).toBe(true);
  await expect(grid(page, "weights").first()).toHaveAccessibleName(/^weights, difference,/);
  await expect(page.locator("ap-stage").last()).toContainText("new");

  await cell(page, "weights", 0, 2).focus();
  const note = page.locator("ap-note");
  await expect(note.getByRole("heading")).toHaveText("weights[0, 2]");
  await expect(note.getByRole("row")).toHaveText([/now\s*0/, /before\s*0\.749/, /difference\s*−0\.749/]);

  await line(page).getByText("now", { exact: true }).click();
  expect(await shownOn(page, "weights")).toEqual(now.map(formatNote));
  await expect(cell(page, "weights", 0, 2)).toHaveAccessibleName(/changed by −0\.749$/);
  await expect(note).toContainText("largest");

  await line(page).getByRole("button", { name: "Stop comparing" }).click();
  await expect(line(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Compare", exact: true })).toHaveAttribute(
    "aria-pressed",
    "false",
  );
  await expect(cell(page, "weights", 0, 2)).not.toHaveAccessibleName(/changed/);
});

test("an edit is compared too, by keyboard alone; tensors of another shape have a remark; another lab ends the comparison", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: "Compare", exact: true }).focus();
  await page.keyboard.press("Enter");
  await cell(page, "query projection", 0, 0).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await expect(line(page)).toContainText("1 number by hand.");
  expect(await shownOn(page, "W_Q")).toEqual(["3", ...Array<string>(8).fill("0")]);
  // The editor shows the number itself, not the difference.
  await page.keyboard.press("F2");
  await expect(page.getByRole("textbox", { name: /W_Q\[0, 0\]/ })).toHaveValue("5");
  await page.keyboard.press("Escape");
  await line(page).getByRole("radio", { name: "difference" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(line(page).getByRole("radio", { name: "now" })).toBeChecked();
  expect((await shownOn(page, "W_Q"))[0]).toBe("5");
  await page.keyboard.press("ArrowRight");

  await page.getByRole("button", { name: /^Width of a key/ }).click();
  await page.getByRole("textbox", { name: "Width of a key" }).fill("2");
  await page.keyboard.press("Enter");
  await expect(page.locator("ap-stage").last()).toContainText("was 4×3");
  await expect(page).toHaveURL(/dk=2/);
  expect(await shownOn(page, "Q")).toEqual((await numbersOf(page, "Q")).map(formatNote));

  await page.getByRole("link", { name: /^Next lab/ }).click();
  await still(page, "scaling");
  await expect(line(page)).toHaveCount(0);
  expect(page.url(), "two states are not in one link").not.toContain("compare");
});

test("equal numbers have a message, and a mask's numbers that were −∞ before have no difference", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=attention&mask=causal");
  await still(page, "attention");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await cell(page, "words", 0, 0).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await expect(line(page)).toContainText("1 number by hand.");
  await cell(page, "masked", 0, 2).focus();
  await expect(page.locator("ap-note")).toContainText("both the same");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(line(page)).toContainText("These numbers are kept.");
});

test("axe finds nothing in a comparison of the first lab, in either theme", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await causal(page);
  await still(page, "attention");
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test.describe("on a phone, in Chinese", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: "zh-CN" });
  test("Compare is in the lab menu, and nothing overflows", async ({ page }) => {
    await openPage(page);
    await still(page, "attention");
    await page.getByRole("link", { name: /打开地图/ }).click();
    await page.getByRole("button", { name: "对比" }).click();
    await still(page, "attention");
    const region = page.getByRole("region", { name: "对比" });
    await expect(region).toContainText("已记住这些数。");
    await page.getByRole("button", { name: /词.*种子/ }).click();
    const settings = page.getByRole("dialog", { name: "设置" });
    await settings.getByRole("radio", { name: /不缩放/ }).check();
    await settings.getByRole("button", { name: "完成" }).click();
    await expect(region.getByRole("radio", { name: "差" })).toBeChecked();
    await still(page, "attention");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(await violations(page)).toEqual([]);
  });
});
