/** The page on every size of screen: drawn larger on large ones, its stage in sight beside the lesson, the note a sheet on tablets, all of it on paper. */
import type { Page } from "@playwright/test";
import { boardCell, expect, labIds, openPage, settled, still, test } from "./open.js";

/** Opens a lab in a window of this size. */
async function openAt(
  page: Page,
  lab: (typeof labIds)[number],
  width: number,
  height: number,
): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto("about:blank");
  await openPage(page, `#v=1&lab=${lab}&lang=en`);
  await still(page, lab);
}

test("on a large screen the stage fills it, sharp, and what is pointed at is explained", async ({ page }) => {
  for (const lab of labIds) {
    await openAt(page, lab, 2560, 1440);
    const drawn = await page.locator("ap-lab .stage canvas[data-tensor]").evaluateAll((canvases) =>
      (canvases as HTMLCanvasElement[]).map((canvas) => {
        const { right, width } = canvas.getBoundingClientRect();
        return { right, sharp: Math.abs(canvas.width - width * devicePixelRatio) < 1 };
      }),
    );
    expect(
      drawn.filter(({ sharp }) => !sharp),
      lab,
    ).toEqual([]);
    const note = (await page.locator("ap-note").boundingBox())!;
    const right = Math.max(note.x + note.width, ...drawn.map((one) => one.right));
    expect(right, lab).toBeGreaterThan(0.9 * 2560);
    expect(right, lab).toBeLessThanOrEqual(2560);
    expect(note.y + note.height, lab).toBeLessThanOrEqual(1440 - 56);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), lab).toBe(2560);
  }
  await openAt(page, "attention", 2560, 1440);
  const at = (await boardCell(page, "weights", 3, 2).boundingBox())!;
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await settled(page);
  await expect(page.locator("ap-note h2")).toHaveText("weights[3, 2]");
});
