/**
 * The programs of the present state: they come from the core, they run, and their numbers are those of the
 * page.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pythonWithNumpy } from "../../toolchain/numpy.mjs";
import { violations, violationsInBothThemes } from "./axe.js";
import { cell, expect, openPage, still, test } from "./open.js";

const python = await pythonWithNumpy();

/** Runs a program; returns its output. */
function run(program: string): { code: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(python, ["-"], { input: program, encoding: "utf8" });
  return { code: status, printed: stdout + stderr };
}

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("the NumPy program of an edited state, copied and saved, runs and prints the numbers of the page", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  await cell(page, "query projection", 0, 0).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await expect(page.locator("ap-sentence")).toContainText("1 number by hand.");
  await expect(cell(page, "query projection", 0, 0)).toHaveAccessibleName(/: 5, changed by hand$/);

  await page.getByRole("button", { name: "Code", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Code" });
  await expect(dialog).toContainText("prints the largest deviation from the numbers here");
  const program = dialog.getByRole("tabpanel", { name: "NumPy" });
  await expect(program).toContainText("import numpy as np");
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(await program.evaluate((element) => element.textContent?.trim())).toBe(text.trim());

  const { code, printed } = run(text);
  expect(printed).toMatch(/^output: largest deviation \S+ of numbers up to \S+$/m);
  expect(code).toBe(0);
  const wrong = run(text.replace("random.randint(0, 3, (3, 3))", "random.randint(0, 4, (3, 3))"));
  expect(wrong.code, "another draw is noticed").toBe(1);

  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save as .py" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe("attention-numpy.py");
  expect(readFileSync(await download.path(), "utf8")).toBe(text);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("tabs by keyboard: PyTorch, and back; a changed state has another program", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: "Code", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Code" });
  await dialog.getByRole("tab", { name: "NumPy" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("tab", { name: "PyTorch" })).toBeFocused();
  await expect(dialog.getByRole("tabpanel", { name: "PyTorch" })).toContainText("import torch");
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("tab", { name: "NumPy" })).toBeFocused();
  await expect(dialog.getByRole("tabpanel")).toContainText("np.sqrt(3)");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: /^Width of a key/ }).click();
  await page.getByRole("textbox", { name: "Width of a key" }).fill("5");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await expect(dialog.getByRole("tabpanel")).toContainText("np.sqrt(5)");
});

test("axe finds nothing in the dialog, in either theme", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await expect(page.getByRole("tabpanel")).toContainText("import numpy");
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test.describe("on a phone, in Chinese", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: "zh-CN" });
  test("Code is in the lab menu, and the dialog fits", async ({ page }) => {
    await openPage(page);
    await still(page, "attention");
    await page.getByRole("link", { name: /打开地图/ }).click();
    await page.getByRole("button", { name: "代码" }).click();
    const dialog = page.getByRole("dialog", { name: "代码" });
    await expect(dialog.getByRole("tabpanel")).toContainText("import numpy");
    await expect(dialog).toContainText("最大偏差");
    const box = (await dialog.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    expect(box.y + box.height).toBeLessThanOrEqual(844);
    expect(await violations(page)).toEqual([]);
  });
});
