/**
 * The optimizers lab. Its numbers are compared with those of document 004, section on optimizers (to ten decimals by its formulas
 * run in NumPy), and to the same formulas written out here.
 */
import type { Page } from "@playwright/test";
import { cell, expect, fullValue, openPage, still, targetFrame, test, readLesson } from "./open.js";
import { violations } from "./axe.js";

const line = "#v=1&ex=line-of-document-004";
const slider = (page: Page) => page.locator("ap-transport").getByRole("slider");
const stepNow = (page: Page) => page.locator("ap-transport output");

/** Document 004: x = 0 … 4, y = 2x + 1, w = b = 0. */
const xs = [0, 1, 2, 3, 4];
const gradientAt = ([w, b]: readonly [number, number]): [number, number] => {
  const twice = xs.map((x) => 2 * (w * x + b - (2 * x + 1)));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / xs.length;
  return [mean(twice.map((r, at) => r * xs[at]!)), mean(twice)];
};

test("the line of document 004: its first gradient, its printed steps, and a rate that is too large", async ({
  page,
}) => {
  await openPage(page, line);
  expect(await fullValue(page, "gradient", 0, 0)).toBeCloseTo(-28, 12);
  expect(await fullValue(page, "gradient", 0, 1)).toBeCloseTo(-10, 12);
  for (const [step, w, b] of [
    [0, 0.28, 0.1],
    [20, 1.9802601606, 0.7298945538],
    [40, 2.0671945449, 0.7900875216],
    [60, 2.0643760454, 0.8154456753],
    [80, 2.057379608, 0.8363652431],
    [99, 2.0512254142, 0.8539637891],
  ] as const) {
    await slider(page).fill(String(step));
    await expect(stepNow(page)).toHaveText(`${step} (0–99)`);
    expect(await fullValue(page, "new parameters", 0, 0)).toBeCloseTo(w, 10);
    expect(await fullValue(page, "new parameters", 0, 1)).toBeCloseTo(b, 10);
  }
  await slider(page).fill("0");
  await page.getByRole("button", { name: /^Learning rate/ }).click();
  await page.getByRole("textbox", { name: "Learning rate" }).fill("0.2");
  await page.keyboard.press("Enter");
  expect(await fullValue(page, "new parameters", 0, 0)).toBeCloseTo(5.6, 12);
  await slider(page).fill("99");
  expect(Math.abs(await fullValue(page, "new parameters", 0, 0))).toBeGreaterThan(1e20);
});

test("every optimizer takes the steps of its formula", async ({ page }) => {
  await openPage(page, `${line}&step=6`);
  const lr = 0.01;
  const eps = 1e-8;
  type Memory = Record<string, number>;
  const updates: Record<string, (g: number, m: Memory, t: number) => number> = {
    SGD: (g) => lr * g,
    Momentum: (g, m) => lr * (m["v"] = 0.9 * (m["v"] ?? 0) + g),
    AdaGrad: (g, m) => (lr * g) / (Math.sqrt((m["G"] = (m["G"] ?? 0) + g * g)) + eps),
    RMSProp: (g, m) => (lr * g) / (Math.sqrt((m["v"] = 0.9 * (m["v"] ?? 0) + 0.1 * g * g)) + eps),
    Adam: (g, m, t) => {
      m["m"] = 0.9 * (m["m"] ?? 0) + 0.1 * g;
      m["v"] = 0.999 * (m["v"] ?? 0) + 0.001 * g * g;
      return (lr * (m["m"] / (1 - 0.9 ** t))) / (Math.sqrt(m["v"] / (1 - 0.999 ** t)) + eps);
    },
  };
  for (const [name, update] of Object.entries(updates)) {
    let place: [number, number] = [0, 0];
    const memory: Memory[] = [{}, {}];
    for (let t = 1; t <= 7; t++) {
      const gradient = gradientAt(place);
      place = place.map((value, at) => value - update(gradient[at]!, memory[at]!, t)) as [number, number];
    }
    await page.getByRole("button", { name: /^Optimizer/ }).click();
    await page.getByRole("radio", { name, exact: true }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: /^Optimizer/ })).toContainText(name);
    for (const at of [0, 1])
      expect(await fullValue(page, "new parameters", 0, at), name).toBeCloseTo(place[at]!, 10);
  }
});

test("a surface: its numbers, and the five paths on it from one start", async ({ page }) => {
  await openPage(page, "#v=1&ex=five-on-a-bowl&step=0");
  // f = (x² + 10 y²) / 2 at (-4, 2.4), and one step of Momentum at rate 0.03.
  expect(await fullValue(page, "new parameters", 0, 0)).toBeCloseTo(-4 + 0.03 * 4, 12);
  expect(await fullValue(page, "new parameters", 0, 1)).toBeCloseTo(2.4 - 0.03 * 24, 12);
  const names = page.locator("ap-stage").getByText(/^(SGD|Momentum|AdaGrad|RMSProp|Adam)$/);
  await expect(names).toHaveCount(10);
  await page.getByRole("button", { name: /^The others/ }).click();
  await page.getByRole("radio", { name: "alone" }).click();
  await page.keyboard.press("Escape");
  await expect(names).toHaveCount(0);
  await page.getByRole("button", { name: /^Learning rate/ }).click();
  await page.getByRole("textbox", { name: "Learning rate" }).fill("0.5");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Momentum leaves the map.")).toBeVisible();
});

test("the paper's learning rate: d^-0.5 min(t^-0.5, t w^-1.5)", async ({ page }) => {
  await openPage(page, "#v=1&ex=noam-4000");
  const steps = [1, 1000, 2000, 4000, 8000, 16000, 20000];
  for (const [at, t] of steps.entries()) {
    const wanted = 512 ** -0.5 * Math.min(t ** -0.5, t * 4000 ** -1.5);
    expect((await fullValue(page, "learning rate", at, 0)) / wanted).toBeCloseTo(1, 12);
  }
  await page.getByRole("button", { name: /^Warm-up/ }).click();
  await page.getByRole("textbox", { name: "Warm-up" }).fill("1000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("gridcell", { name: /step 250/ }).first()).toBeAttached();
  expect((await fullValue(page, "learning rate", 3, 0)) / (512 * 1000) ** -0.5).toBeCloseTo(1, 12);
});

test("Play goes to the last step and stops when a key is pressed; the slider ticks the lesson", async ({
  page,
}) => {
  await openPage(page, line);
  await readLesson(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(stepNow(page)).toHaveText("99 (0–99)", { timeout: 20_000 });
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await slider(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(stepNow(page)).toHaveText("98 (0–99)");
  await page.keyboard.press("End");
  await expect(page).toHaveURL(/step=99/);
  await expect(
    page.locator(`ap-lesson [data-concept="last-step"]`).getByRole("img", { name: "Done" }),
  ).toBeAttached();
});

for (const theme of ["light", "dark"]) {
  test(`axe-core finds nothing, ${theme}`, async ({ page }) => {
    for (const example of ["line-of-document-004", "five-on-a-bowl", "rosenbrock-valley", "noam-4000"]) {
      await openPage(page, `#v=1&ex=${example}&theme=${theme}`);
      await still(page, "optimizers");
      expect(await violations(page), example).toEqual([]);
    }
  });
}

test.describe("on a phone on its side", () => {
  test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });

  test("a step scrolls its target into view, above the bar", async ({ page }) => {
    await openPage(page, "#v=1&lab=optimizers&lang=en");
    await still(page, "optimizers");
    const target = page.locator(targetFrame).first();
    await expect(target).not.toBeInViewport();
    // Without touch, because the driver scrolls to the bar although it is visible.
    await page.getByRole("button", { name: "Step", exact: true }).dispatchEvent("click");
    await expect(slider(page)).toHaveValue("1");
    await expect(target).toBeInViewport({ ratio: 1 });
    const bar = (await page.locator("ap-transport").boundingBox())!;
    const { y, height } = (await target.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(bar.y);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("nothing overflows in any of the three, and a tap explains", async ({ page }) => {
    for (const example of ["line-of-document-004", "five-on-a-bowl", "rosenbrock-valley", "noam-4000"]) {
      await openPage(page, `#v=1&ex=${example}&lang=zh-CN`);
      await still(page, "optimizers");
      expect(await page.evaluate(() => document.documentElement.scrollWidth), example).toBeLessThanOrEqual(
        390,
      );
    }
    await openPage(page, `${line}&step=3`);
    await still(page, "optimizers");
    await cell(page, "predictions", 2, 0).tap();
    await expect(page.locator("ap-note h2")).toContainText("prediction[2, 0]");
  });

  test("a formula that is too long fades out until it is scrolled to its end", async ({ page }) => {
    await openPage(page, "#v=1&ex=five-on-a-bowl&optimizer=adam");
    await still(page, "optimizers");
    const formula = page.locator("ap-lab ap-formula");
    await expect(formula).toHaveCSS("mask-image", /gradient/);
    await formula.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
    await expect(formula).toHaveCSS("mask-image", "none");
  });
});
