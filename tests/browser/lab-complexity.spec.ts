/**
 * The complexity lab: opened from a link, changed, timed. Its counts are compared with sums by hand: 4 n² d + 6 H n² of attention,
 * n (4 d² + 4 d) of the recurrent layer, 2 k n d² + n d of the convolution. Of times only their order and shape are checked.
 */
import type { Page } from "@playwright/test";
import { violationsInBothThemes } from "./axe.js";
import { expect, fullValue, grid, hosts, openPage, still, test, readLesson } from "./open.js";

const lab = "complexity";
const counted = "counted, millions";

const timed = async (page: Page): Promise<void> => {
  await expect(grid(page, "GFLOP/s").first()).toBeAttached();
  await still(page, lab);
};

test("a link opens it, and its counts equal those by hand before and after a change", async ({ page }) => {
  await openPage(page, "#v=1&ex=why-self-attention");
  await still(page, lab);
  const [n, d, h, k] = [256, 64, 4, 3];
  expect(await fullValue(page, counted, 0, 0)).toBe((4 * n * n * d + 6 * h * n * n) / 1e6);
  expect(await fullValue(page, counted, 1, 0)).toBe((n * (4 * d * d + 4 * d)) / 1e6);
  expect(await fullValue(page, counted, 2, 0)).toBe((2 * k * n * d * d + n * d) / 1e6);
  expect(await fullValue(page, "in sequence", 1, 0)).toBe(n);
  for (const [row, hops] of [1, n, 6, 37].entries())
    expect(await fullValue(page, "hops from word 1 to word n", row, 0)).toBe(hops);
  expect(await fullValue(page, "thousand weights", 0, 0)).toBe((h * n * n) / 1e3);
  await expect(grid(page, "GFLOP/s")).toHaveCount(0);

  await page.getByRole("button", { name: /^n, words/ }).click();
  const input = page.locator("ap-sentence").getByRole("textbox");
  await input.fill("70");
  await input.press("Enter");
  await expect(page).toHaveURL(/length=70/);
  await still(page, lab);
  expect(await fullValue(page, counted, 0, 0)).toBe((4 * 70 * 70 * d + 6 * h * 70 * 70) / 1e6);
  expect(await fullValue(page, "in sequence", 1, 0)).toBe(70);
  await expect(page).toHaveURL(/length=70/);
});

test("times are measured on request, one for every layer, and again", async ({ page }) => {
  await openPage(page, "#v=1&ex=short-and-wide");
  await still(page, lab);
  await readLesson(page);
  await page.getByRole("button", { name: /^Time:/ }).click();
  await page.getByRole("radio", { name: "time it here" }).click();
  await timed(page);
  for (const row of [0, 1, 2, 3]) expect(await fullValue(page, "ms", row, 0)).toBeGreaterThan(0);
  await expect(page).toHaveURL(/measured=1/);
  await expect(
    page.locator("ap-lesson [data-concept=timed]").getByRole("img", { name: "Done" }),
  ).toBeAttached();

  await page.getByRole("button", { name: /^Time:/ }).click();
  await page.getByRole("radio", { name: "time it again" }).click();
  await expect(page).toHaveURL(/measured=2/);
  await timed(page);
  expect(await fullValue(page, "GFLOP/s", 0, 0)).toBeGreaterThan(0);
});

test("an exercise of the lesson leads to a number that is computed from others", async ({ page }) => {
  await openPage(page, "#v=1&ex=why-self-attention");
  await still(page, lab);
  await page.getByRole("button", { name: "Where n² d comes from" }).click();
  await expect(page.locator("ap-note h2")).toHaveText("products[0, 0]");
  await expect(page.locator("ap-note")).toContainText("4194304");
  await page.getByRole("button", { name: "Count the projections too" }).click();
  await expect(page.locator("ap-note h2")).toHaveText("ratio[0, 0]");
  await expect(page).toHaveURL(/projected=1/);
});

test("counted numbers have no gradient in the note; computed ones have", async ({ page }) => {
  const tool = page.locator("ap-note").getByRole("button", { name: "gradient" });
  await openPage(page, "#v=1&ex=why-self-attention&cell=ratio,0,0");
  await expect(page.locator("ap-note")).toContainText("ratio[0, 0]");
  await expect(tool).toHaveCount(0);
  await openPage(page, "#v=1&ex=five-on-a-bowl");
  await expect(page.locator("ap-note")).toContainText("next[0, 0]");
  await expect(tool).toHaveCount(1);
});

test("on a phone nothing overflows at any stop", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [node, index] of [
    ["work_millions", "0,0"],
    ["millions", "0,5"],
    ["path", "1,0"],
    ["weights_thousands", "0,0"],
    ["times", "1,5"],
  ] as const) {
    await openPage(page, `#v=1&ex=long-and-narrow&measured=1&lang=zh-CN&cell=${node},${index}`);
    await still(page, lab);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([node, wide]).toEqual([node, 390]);
  }
});

test("axe finds nothing, timed, in Chinese, in either theme", async ({ page }) => {
  await openPage(page, "#v=1&ex=long-and-narrow&measured=1&lang=zh-CN");
  await timed(page);
  await expect(page.locator("ap-lesson table").first()).toBeAttached();
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test("its picture in the contents is the chart: a line of its own colour for every layer", async ({
  page,
}) => {
  await page.goto(`${hosts.page}#contents`);
  const picture = page.getByRole("link", { name: /^Four layers/ }).locator("ap-thumbnail canvas");
  await expect(picture).toBeAttached({ timeout: 30_000 });
  const colours = await picture.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const { data } = (element as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, width, height);
    const found = new Map<string, number>();
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] !== 255) continue;
      const colour = data.subarray(at, at + 3).join();
      found.set(colour, (found.get(colour) ?? 0) + 1);
    }
    return [...found.values()].filter((count) => count > 40).length;
  });
  expect(colours).toBe(4);
});
