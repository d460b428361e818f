/** Acts of the reader: undo and redo, the texts about editing and painting, unpinning. */
import { cell, expect, openPage, test } from "./open.js";

test("Ctrl+Z undoes an edit and a reset, with Shift it redoes them", async ({ page }) => {
  await openPage(page, "#v=1");
  const sentence = page.locator("ap-sentence");
  await cell(page, "query projection", 0, 0).focus();
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await expect(sentence).toContainText("1 number by hand.");
  await page.getByRole("button", { name: "Reset to seed" }).click();
  await expect(sentence).toContainText("Numbers replaced.");
  await expect(cell(page, "query projection", 0, 0)).toHaveAccessibleName(/2$/);
  await page.keyboard.press("Control+z");
  await expect(sentence).toContainText("1 number by hand.");
  await page.keyboard.press("Control+z");
  await expect(sentence).not.toContainText("by hand");
  await expect(sentence).not.toContainText("seed.");
  await page.keyboard.press("Control+Shift+z");
  await expect(sentence).toContainText("1 number by hand.");
  await expect(cell(page, "query projection", 0, 0)).toHaveAccessibleName(/5, changed by hand$/);
  await page.keyboard.press("Control+Shift+Z");
  await expect(sentence).toContainText("Numbers replaced.");
});

test("the note says how to change an input, and a computed cell says that it is computed", async ({
  page,
}) => {
  await openPage(page, "#v=1");
  await cell(page, "query projection", 0, 0).hover();
  await expect(page.locator("ap-note")).toContainText("Change it: drag it, double-click or F2.");
  await cell(page, "scores", 1, 1).focus();
  await expect(page.locator("ap-note h2")).toHaveText("scores[1, 1]");
  await expect(page.locator("ap-note")).not.toContainText("Double-click");
  await page.keyboard.press("F2");
  const refused = page.locator(".stage ap-stage .refused");
  await expect(refused).toHaveText("scores[1, 1] is computed. Change an input to change it.");
  await page.keyboard.press("ArrowRight");
  await expect(refused).toHaveText("");
});

test("a number that was not edited is given", async ({ page }) => {
  await openPage(page, "#v=1");
  await cell(page, "words", 0, 0).hover();
  await expect(page.locator("ap-note h2")).toHaveText("X[0, 0]");
  await expect(page.locator("ap-note th")).toHaveText("given");
  await cell(page, "words", 0, 0).focus();
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await expect(page.locator("ap-note th")).toHaveText("typed in");
});

test("a pinned note says how to unpin it", async ({ page }) => {
  await openPage(page, "#v=1");
  await cell(page, "scores", 1, 1).click();
  await expect(page.locator("ap-note")).toContainText("Pinned: press Esc or the pin");
  await page.keyboard.press("Escape");
  await expect(page.locator("ap-note")).not.toContainText("Pinned");
});

test("choosing a painted mask closes the list and says how to paint, and where", async ({ page }) => {
  await openPage(page, "#v=1");
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /painted/ }).click();
  await expect(page.locator("ap-sentence [popover]")).toBeHidden();
  await expect(page.locator("ap-lab .painting")).toContainText("Click or drag over the cells of S+M");
  await expect(page.locator(".stage ap-stage .pen")).toHaveCount(1);
  await page.locator("ap-lab .painting button").click();
  await expect(page.locator("ap-note h2")).toHaveText("masked[0, 0]");
});

test("the shortcuts are one press away", async ({ page }) => {
  await openPage(page, "#v=1");
  await page.getByRole("button", { name: "Keyboard" }).click();
  await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("Undo and redo");
});

test("the first source is at the same index where possible", async ({ page }) => {
  await openPage(page, "#v=1");
  await cell(page, "weights", 1, 2).focus();
  await expect(page.locator("ap-note h2")).toHaveText("weights[1, 2]");
  await page.keyboard.press("u");
  await expect(page.locator("ap-note h2")).toHaveText("scaled[1, 2]");
});

test("the omitted terms of a long row can be shown", async ({ page }) => {
  await openPage(page, "#v=1&lab=multi-head");
  const note = page.locator("ap-note");
  await note.getByRole("button", { name: "17 more" }).click();
  await expect.poll(() => note.locator("tbody tr").count()).toBeGreaterThanOrEqual(20);
});

test("leaving Positions for the next lab leaves no words of its cells behind", async ({ page }) => {
  await openPage(page, "#v=1&ex=fifty-positions&lab=positions");
  await expect(page.locator("ap-note h2")).toBeVisible();
  await page.getByRole("link", { name: /^Next lab/ }).click();
  await expect(page.locator("ap-lab h1")).not.toHaveText("A pattern of waves for every position");
  await expect(page.locator("ap-lab h1")).toBeVisible();
  await expect(page.locator("ap-note h2")).toBeVisible();
});

test("a menu of a number takes typed digits at once and ignores Space", async ({ page }) => {
  await openPage(page, "#v=1");
  await page.getByRole("button", { name: /^Numbers per word/ }).click();
  const field = page.getByRole("textbox", { name: "Numbers per word" });
  await expect(field).toBeFocused();
  await page.keyboard.type("16");
  await expect(page).toHaveURL(/dim=16/);
  await page.keyboard.press(" ");
  await expect(field).toHaveValue("16 ");
});

test("a number clicked while a menu is open gets the focus", async ({ page }) => {
  await openPage(page, "#v=1");
  await page.getByRole("button", { name: /^Mask/ }).click();
  await expect(page.getByRole("radio", { name: /causal/ })).toBeVisible();
  await cell(page, "scores", 1, 1).click();
  await expect(page.getByRole("radio", { name: /causal/ })).toBeHidden();
  await expect(cell(page, "scores", 1, 1)).toBeFocused();
  await page.keyboard.press("g");
  await expect(page.getByRole("region", { name: "Gradient" })).toBeVisible();
});

test("Esc ends what is in front: first a menu or dialog, then the gradient", async ({ page }) => {
  await openPage(page, "#v=1");
  const gradient = page.getByRole("region", { name: "Gradient" });
  await cell(page, "scores", 1, 1).focus();
  await page.keyboard.press("g");
  await expect(gradient).toBeVisible();
  await page.getByRole("button", { name: /^Mask/ }).click();
  await expect(page.getByRole("radio", { name: /causal/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("radio", { name: /causal/ })).toBeHidden();
  await expect(gradient).toBeVisible();
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share exactly this" });
  // Clicking text moves the focus to the page behind.
  await dialog.getByRole("heading", { level: 2 }).click();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(gradient).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(gradient).toBeHidden();
});

test("the lab that is left accepts no clicks while the next one is fetched", async ({ page }) => {
  await openPage(page, "#v=1");
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/bert-/, async (route) => {
    await held;
    await route.continue();
  });
  const setting = page.getByRole("button", { name: /^Numbers per word/ });
  const { x, y } = (await setting.boundingBox())!;
  await page.evaluate(() => (location.hash = "#v=1&lab=bert"));
  await expect(page.getByRole("status").filter({ hasText: "Computing" })).toBeAttached();
  await page.mouse.click(x + 4, y + 4);
  await page.keyboard.press("g");
  await expect(page.getByRole("textbox", { name: "Numbers per word" })).toHaveCount(0);
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/BERT/);
});
