/**
 * Pulling a number: by mouse, keys and finger, on the page and in a sandboxed frame; what follows it, and the
 * hint of the first example.
 */
import { type FrameLocator, type Locator, type Page } from "@playwright/test";
import { cell, expect, fullValue, hosts, numbers, openPage, test, waitUntilIdle } from "./open.js";

const weight = (page: Page | FrameLocator): Locator =>
  page.locator('[data-board="W_Q"] [data-row="0"][data-column="0"]');

async function middle(place: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await place.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** Presses a number and moves it sideways, without letting go. */
async function pull(page: Page, place: Locator, by: number): Promise<{ x: number; y: number }> {
  const at = await middle(place);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + by, at.y, { steps: 7 });
  return at;
}

test("a number follows the mouse, everything after it follows too, and the drag is one step to undo", async ({
  page,
}) => {
  await openPage(page);
  await pull(page, weight(page), -84);
  await expect(weight(page)).toHaveAccessibleName(/: −0.800, changed by hand$/);
  await expect(cell(page, "scores", 0, 2)).toHaveAccessibleName(/: 4.400$/);
  await expect(page.locator("ap-stage .handle.pull")).toHaveText("2 → −0.8");
  await page.mouse.up();
  await expect(page.locator("ap-stage .handle.pull")).toHaveCount(0);
  await expect(weight(page)).toBeFocused();
  await expect(page).toHaveURL(/edit=W_Q,0,0,-0\.8/);
  await expect(page.locator("ap-sentence")).toContainText("1 number by hand.");
  // Cells compare what they were.
  await expect(page.locator("ap-note")).toContainText("was 2");
  await cell(page, "scores", 0, 2).hover();
  await expect(page.locator("ap-note")).toContainText("was 10");
  expect(await fullValue(page, "scores", 0, 2)).toBeCloseTo(4.4, 12);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(cell(page, "scores", 0, 2)).toHaveAccessibleName(/: 10$/);
  await expect(page).not.toHaveURL(/edit=/);
  await expect(page.locator("ap-note")).not.toContainText("was");
});

test("Shift pulls by hundredths, Alt by wholes, each from where the number is", async ({ page }) => {
  await openPage(page);
  const { x, y } = await pull(page, weight(page), 30);
  await expect(weight(page)).toHaveAccessibleName(/: 3, /);
  await page.keyboard.down("Shift");
  await page.mouse.move(x + 33, y);
  await page.mouse.move(x + 36, y);
  await expect(weight(page)).toHaveAccessibleName(/: 3.010, /);
  await page.keyboard.up("Shift");
  await page.keyboard.down("Alt");
  await page.mouse.move(x + 36, y + 1);
  await page.mouse.move(x + 30, y);
  await expect(weight(page)).toHaveAccessibleName(/: 1.010, /);
  await page.keyboard.up("Alt");
  await page.mouse.up();
});

test("a press without moving pins, and a computed number cannot be pulled", async ({ page }) => {
  await openPage(page);
  await weight(page).click();
  await expect(page.locator("ap-note")).toContainText("Pinned");
  await pull(page, cell(page, "scores", 1, 2), 60);
  await page.mouse.up();
  await waitUntilIdle(page);
  await expect(page).not.toHaveURL(/edit=/);
});

test("the colour scales do not shrink while a number is pulled, and settle afterwards", async ({ page }) => {
  await openPage(page);
  const legend = page.locator("ap-lab .stage ap-stage .legend", { hasText: "all scores" });
  await expect(legend).toContainText("14");
  const { x, y } = await pull(page, weight(page), 90);
  await expect(legend).not.toContainText("14");
  const grown = await legend.textContent();
  await page.mouse.move(x, y, { steps: 7 });
  await expect(cell(page, "scores", 0, 2)).toHaveAccessibleName(/: 10$/);
  await waitUntilIdle(page);
  expect(await legend.textContent()).toBe(grown);
  await page.mouse.up();
  await expect(legend).toContainText("14");
});

test("keys change the number that has the focus", async ({ page }) => {
  await openPage(page);
  await weight(page).focus();
  for (const key of ["ArrowUp", "ArrowUp", "PageDown"]) await page.keyboard.press(`Shift+${key}`);
  await expect(weight(page)).toHaveAccessibleName(/: 1.200, /);
  await waitUntilIdle(page);
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(weight(page)).toHaveAccessibleName(/: 1.190, /);
  await expect(page.locator("ap-note")).toContainText("was 1.200");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(weight(page)).toHaveAccessibleName(/: 1.200, /);
});

test.describe("with a finger", () => {
  test.use({ hasTouch: true, viewport: { width: 820, height: 700 } });
  test("a number that is held is pulled, and the page does not scroll; a short press moves nothing", async ({
    page,
  }) => {
    await openPage(page);
    const at = await middle(weight(page));
    const client = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x = at.x, y = at.y): Promise<unknown> =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: type === "touchEnd" ? [] : [{ x, y }],
      });
    await touch("touchStart");
    await expect(page.locator("ap-stage .paper.holds")).toHaveCount(1);
    for (const step of [5, 15, 30]) await touch("touchMove", at.x + step, at.y - 2 * step);
    await expect(weight(page)).toHaveAccessibleName(/: 3, /);
    await touch("touchEnd");
    await expect(page.locator("ap-stage .paper.holds")).toHaveCount(0);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expect(page).toHaveURL(/edit=W_Q,0,0,3/);
    // A finger that moves at once scrolls.
    await touch("touchStart");
    for (const step of [20, 60, 120]) await touch("touchMove", at.x, at.y - step);
    await touch("touchEnd");
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await expect(weight(page)).toHaveAccessibleName(/: 3, /);
  });
});

test("a number is pulled in a sandboxed frame", async ({ page }) => {
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  const frameAddress = encodeURIComponent(`${hosts.bare}embed.html#v=1&focus=W_Q,Q&ex=four-words&cell=Q,0,0`);
  await page.goto(`${hosts.bare}host.html?frame=${frameAddress}&sandbox`);
  const frame = page.frameLocator("iframe");
  await expect(weight(frame)).toHaveAccessibleName(/: 2$/);
  await pull(page, weight(frame), 30);
  await page.mouse.up();
  await expect(weight(frame)).toHaveAccessibleName(/: 3, /);
  await expect(frame.locator('[data-board="Q"] [data-row="0"][data-column="0"]')).toHaveAccessibleName(
    /: 3$/,
  );
  await expect(frame.locator(".pull-hint")).toHaveCount(0);
});

test("the first example says once that its numbers can be dragged", async ({ page }) => {
  await openPage(page);
  const hint = page.locator("ap-stage .pull-hint");
  await expect(hint).toHaveText("drag this 2");
  await openPage(page, "#v=1&lab=attention&seed=7");
  await expect(numbers(page)).toHaveAttribute("aria-busy", "false");
  await expect(hint).toHaveCount(0);
  await openPage(page, "#v=1&ex=four-words");
  await expect(hint).toHaveText("drag this 2");
  await pull(page, weight(page), 30);
  await page.mouse.up();
  await expect(hint).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(weight(page)).toHaveAccessibleName(/: 2$/);
  await expect(hint).toHaveCount(0);
  await expect(page).not.toHaveURL(/edit=/);
  await page.reload();
  await expect(weight(page)).toHaveAccessibleName(/: 2$/);
  await waitUntilIdle(page);
  await expect(hint).toHaveCount(0);
});

test("the hint goes with Play too", async ({ page }) => {
  await openPage(page);
  const hint = page.locator("ap-stage .pull-hint");
  await expect(hint).toHaveCount(1);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(hint).toHaveCount(0);
});
