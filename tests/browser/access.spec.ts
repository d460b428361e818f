/** Without a mouse and without sight: landmarks, names, keys, contrast by axe-core. */
import { createRequire } from "node:module";
import { cell, expect, openPage, test } from "./open.js";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: unknown }[] }[];
}

for (const theme of ["light", "dark"]) {
  for (const place of ["#v=1", "#contents"]) {
    test(`axe finds nothing: ${place} ${theme}`, async ({ page }) => {
      await openPage(page, `#v=1&theme=${theme}`);
      if (place === "#contents") {
        await page.evaluate((to) => (location.hash = to), `#contents&theme=${theme}`);
        await expect(page.getByRole("heading", { name: "Examples" })).toBeVisible();
      }
      // Injected by the browser's debugger, which the page's security policy does not bind.
      const session = await page.context().newCDPSession(page);
      const { readFileSync } = await import("node:fs");
      await session.send("Runtime.evaluate", { expression: readFileSync(axe, "utf8") });
      const results = (await page.evaluate(() =>
        (window as unknown as { axe: { run(): Promise<unknown> } }).axe.run(),
      )) as AxeResults;
      expect(
        results.violations.map(({ id, help, nodes }) => ({
          id,
          help,
          where: nodes.map(({ target }) => target),
        })),
      ).toEqual([]);
    });
  }
}

test("keys alone: skip link, sentence, popover, numbers, help", async ({ page }) => {
  await openPage(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the numbers" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.locator("ap-stage").last().locator(":focus")).toHaveCount(1);

  await page.getByRole("button", { name: /^Mask/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "no mask" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /causal/ })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Mask/ })).toBeFocused();

  await cell(page, "scores", 0, 0).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(page.locator("ap-note")).toContainText("scores[1, 1]");

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeHidden();
});

test("Play walks the stops and stops at the reader's input", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Stop 2 of/ })).toHaveAttribute("aria-current", "step", {
    timeout: 10_000,
  });
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await page.keyboard.press("]");
  await expect(page.getByRole("button", { name: /^Stop 3 of/ })).toHaveAttribute("aria-current", "step");
});

test("reduced motion steps without sweeping", async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await openPage(page);
  await page.keyboard.press("]");
  await expect(page.locator("ap-note")).toBeVisible();
  const sweep = await page
    .locator("ap-stage")
    .evaluate((stage) => (stage as unknown as { play: { sweep: number | null } | null }).play?.sweep ?? null);
  expect(sweep).toBeNull();
  await context.close();
});
