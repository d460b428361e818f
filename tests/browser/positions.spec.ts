/** The positions lab: words that change places, without an encoding and with each. */
import type { Page } from "@playwright/test";
import { violations } from "./axe.js";
import { cell, expect, fullValue, openPage, still, test, readLesson } from "./open.js";

const named = (page: Page, name: RegExp) => page.getByRole("button", { name });

/** A row of a matrix, in full precision. */
async function row(page: Page, name: string, at: number, width: number): Promise<number[]> {
  const values: number[] = [];
  for (let column = 0; column < width; column += 1) values.push(await fullValue(page, name, at, column));
  return values;
}

test("without an encoding the rows of two words change places, and nothing else changes", async ({
  page,
}) => {
  await openPage(page, "#ex=two-orders");
  await still(page, "positions");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Without positions, order is nothing");
  const man = await row(page, "output", 4, 8);
  expect(await row(page, "output, second order", 1, 8)).toEqual(
    man.map((value) => expect.closeTo(value, 12)),
  );
  expect(await fullValue(page, "difference", 0, 2)).toBe(-2.220446049250313e-16);
  await expect(page.locator("ap-note")).toContainText("0 within rounding");
  await named(page, /^Second word/).click();
  await page.getByRole("radio", { name: "bites" }).click();
  await expect(page.getByText("“dog” and “bites” have changed places").first()).toBeAttached();
  expect(await row(page, "output, second order", 4, 8)).toEqual(
    man.map((value) => expect.closeTo(value, 12)),
  );
  expect(Math.abs(await fullValue(page, "difference", 1, 0))).toBeLessThan(1e-14);
  expect(page.url()).toContain("swap=1,2");
});

test("side by side: with the index every word attends to the last one, and only the first column keeps its output", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=positions&encoding=none");
  await named(page, /^Encoding/).click();
  await page.getByRole("radio", { name: "All, side by side" }).click();
  await still(page, "positions");
  // Computed with NumPy, from vectors drawn as RandomState(crc32(word)).randn(8).
  expect(await fullValue(page, "none: weights", 1, 1)).toBeCloseTo(0.5207845322039476, 12);
  expect(await fullValue(page, "index: weights", 2, 4)).toBeCloseTo(0.9991283560814085, 12);
  expect(Math.abs(await fullValue(page, "none: difference", 1, 0))).toBeLessThan(1e-14);
  expect(await fullValue(page, "sinusoidal: difference", 1, 0)).toBeCloseTo(1.03649455791868, 12);
  await page.keyboard.press("u");
  await expect(page.locator("ap-note h2")).toHaveText(/^sinusoidal\.swapped\.output/);
  await expect(cell(page, "sinusoidal: output, second order", 1, 0)).toBeVisible();
});

test("the similarity of two positions depends only on their distance", async ({ page }) => {
  await openPage(page, "#ex=fifty-positions&dim=16&length=12");
  await still(page, "positions");
  await readLesson(page);
  await page.getByRole("button", { name: /^Stop 2 of 2/ }).click();
  await expect(page.locator("ap-note h2")).toHaveText(/^similarity\[/);
  // The sum of cos(5 / 10000^(2 i / 16)) for i from 0 to 7, computed with NumPy.
  for (const [p, q] of [
    [4, 9],
    [11, 6],
  ] as const)
    expect(await fullValue(page, "similarity", p, q)).toBeCloseTo(6.1370399614487665, 12);
  await expect(
    page.locator('ap-lesson [data-concept="same-distance"]').getByRole("img", { name: "Done" }),
  ).toBeAttached();
});

test("axe finds nothing without an encoding and in the comparison", async ({ page }) => {
  for (const encoding of ["none", "compare"]) {
    await openPage(page, `#v=1&lab=positions&encoding=${encoding}`);
    await still(page, "positions");
    expect(await violations(page), encoding).toEqual([]);
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  test("every stop without an encoding and of the comparison fits", async ({ page }) => {
    for (const encoding of ["none", "compare"]) {
      await openPage(page, `#v=1&lab=positions&encoding=${encoding}&lang=zh`);
      await still(page, "positions");
      for (let stop = 0; stop < 4; stop += 1) {
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${encoding} ${stop}`).toBe(
          390,
        );
        await page.keyboard.press("]");
        await still(page, "positions");
      }
    }
  });
});
