/**
 * Changes by the reader: the sentence, a cell, the mask, Undo and Reset, and the link that holds them all.
 */
import { cell, expect, fullValue, openPage, test } from "./open.js";

test("a setting recomputes what follows, and the link opens with the same numbers", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: /^Seed/ }).click();
  await page.getByRole("textbox", { name: "Seed" }).fill("7");
  await expect(page).toHaveURL(/seed=7/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Seed/ })).toBeFocused();
  const value = await fullValue(page, "output", 1, 2);
  await page.waitForURL(/cell=output/);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(cell(page, "output", 1, 2)).toBeAttached();
  expect(await fullValue(page, "output", 1, 2)).toBe(value);
});

test("typed words in any script, Chinese and emoji, round-trip", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: /^Words:/ }).click();
  await page.getByRole("textbox", { name: "Words" }).fill("注意力 is 🐈‍⬛ naïve");
  await expect(page.getByRole("gridcell", { name: /🐈‍⬛/ }).first()).toBeAttached();
  const value = await fullValue(page, "output", 2, 0);
  await page.waitForURL(/cell=output/);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByRole("gridcell", { name: /🐈‍⬛/ }).first()).toBeAttached();
  expect(await fullValue(page, "output", 2, 0)).toBe(value);
});

test("a number out of range is refused, and the popover shows the range", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: /^Width of a key/ }).click();
  const field = page.getByRole("textbox", { name: "Width of a key" });
  await field.fill("9999");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText(/A whole number from 1 to/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Width of a key/ })).toContainText("3");
});

test("an edited cell: everything downstream, Undo, Reset to seed", async ({ page }) => {
  await openPage(page);
  const before = await fullValue(page, "output", 0, 0);
  await cell(page, "query projection", 0, 0).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await expect(page.locator("ap-sentence")).toContainText("1 number by hand.");
  const edited = await fullValue(page, "output", 0, 0);
  expect(edited).not.toBe(before);
  await expect(page).toHaveURL(/edit=W_Q,0,0,5/);
  await page.reload();
  await expect(cell(page, "output", 0, 0)).toBeAttached();
  expect(await fullValue(page, "output", 0, 0)).toBe(edited);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("ap-sentence")).not.toContainText("by hand");
  expect(await fullValue(page, "output", 0, 0)).toBe(before);
});

test("a painted mask round-trips", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /painted/ }).click();
  await page.keyboard.press("Escape");
  await cell(page, "masked", 0, 2).click();
  await expect(cell(page, "weights", 0, 2)).toHaveAccessibleName(/: 0\b/);
  await expect(page).toHaveURL(/paint=/);
  const value = await fullValue(page, "output", 0, 1);
  await page.waitForURL(/cell=output/);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  expect(await fullValue(page, "output", 0, 1)).toBe(value);
  expect(await fullValue(page, "weights", 0, 2)).toBe(0);
});

test("the focus ring of a setting covers nothing of the sentence", async ({ page }) => {
  await openPage(page, "#v=1&lab=losses");
  const words = page.locator("ap-sentence .word");
  for (const word of await words.all()) {
    await word.focus();
    await page.keyboard.press("Shift");
    const [reach, room] = await word.evaluate((button) => {
      const style = getComputedStyle(button);
      const framed = style.outlineStyle === "none" ? NaN : parseFloat(style.outlineWidth);
      return [framed + parseFloat(style.outlineOffset), parseFloat(style.marginInlineEnd)];
    });
    expect(reach).toBeLessThanOrEqual(room!);
  }
});

test("a query whose keys are all masked has a remark", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /painted/ }).click();
  await page.keyboard.press("Escape");
  for (const column of [0, 1, 2, 3]) await cell(page, "masked", 2, column).click();
  await expect(page.locator("ap-notice")).toContainText("Word 3 may look at nothing.");
  expect(await fullValue(page, "output", 2, 0)).toBe(0);
});

test("Share copies the link in the address bar and the code of a frame", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page, "#v=1&seed=9");
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share exactly this" });
  await dialog.getByRole("button", { name: "Copy the link" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.getByRole("checkbox", { name: "formula" }).check();
  await page.getByRole("button", { name: "Copy the code", exact: true }).click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toMatch(
    /^<iframe src="http[^"]*\/embed\.html#ui=full&amp;v=1[^"]*" title="[^"]*" width="680" height="\d+"/,
  );
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Share" })).toBeFocused();
});
