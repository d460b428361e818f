/** The encoder and decoder lab: opened from a link, changed, and compared with NumPy's numbers of fixtures/translator.py. */
import type { Page } from "@playwright/test";
import { violations, violationsInBothThemes } from "./axe.js";
import { cell, expect, fullValue, grid, openPage, still, test, waitUntilIdle } from "./open.js";
import { goToStep, stepOf } from "./run.js";

const lab = "encoder-decoder";
const expectClose = (got: number, wanted: number) =>
  expect(Math.abs(got / wanted - 1), `${got}, ${wanted}`).toBeLessThan(1e-10);

test("a link opens it, and its numbers are NumPy's before and after a change of words", async ({ page }) => {
  await openPage(page, "#v=1&ex=old-black-cat");
  await still(page, lab);
  const crossAttention = "cross attention, head 0";
  expectClose(await fullValue(page, crossAttention, 2, 3), 0.92924206047);
  expectClose(await fullValue(page, crossAttention, 4, 2), 0.995859546102);
  expectClose(await fullValue(page, "next word", 5, 27), 0.899989624219);

  await page.getByRole("button", { name: /the old black cat sleeps/ }).click();
  const input = page.locator("ap-sentence").getByRole("textbox");
  await input.fill("a white horse sings");
  await input.press("Enter");
  await expect(grid(page, crossAttention).first()).toHaveAccessibleName(/5 by 4/);
  await still(page, lab);
  expectClose(await fullValue(page, crossAttention, 2, 1), 0.893768892595);
  expectClose(await fullValue(page, "next word", 1, 22), 0.901932781893);
  await expect(page).toHaveURL(/tokens=a,white,horse,sings/);
});

// The page of a link draws only this lab, so the words can come from nowhere else.
test("Play stops at the probability of the chosen word", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPage(page, "#v=1&ex=old-black-cat");
  await still(page, lab);
  const address = page.locator("ap-note h2");
  await page.locator("ap-transport").getByRole("button", { name: "3" }).click();
  await expect(address).toHaveText("decoder.multihead_attn.weights[0, 2, 3]");
  // The key steps without scrolling the page to a button.
  await page.keyboard.press("]");
  await expect(address).toHaveText("next[2, 20]");
});

test("the cache is shown at its stop, and its numbers equal those computed without it", async ({ page }) => {
  await openPage(page, "#v=1&ex=old-black-cat&cell=kept_keys,3,0");
  await still(page, lab);
  const cachedKey = await fullValue(page, "cached keys", 3, 0);
  await expect(cell(page, "cached keys", 3, 0)).toBeAttached();
  expect(cachedKey).not.toBe(0);
  const difference = await fullValue(page, "with the cache − computed anew", 5, 27);
  expect(Math.abs(difference)).toBeLessThan(1e-12);
});

// What is written in the six rows: "→ chat".
const written = (page: Page): Promise<string[]> =>
  page.locator("ap-stage").getByText(/^→ /).allTextContents();

test("its parameters are a moment of a run that is trained here, and any moment of that run is opened in it", async ({
  page,
}) => {
  test.slow();
  await openPage(page, "#v=1&ex=old-black-cat");
  await still(page, lab);
  const translation = ["→ le", "→ vieux", "→ chat", "→ noir", "→ dort", "→ <end>"];
  expect(await written(page)).toEqual(translation);
  await openPage(page, "#v=1&ex=old-black-cat&trained=100");
  await page.getByRole("button", { name: "Train such a model here" }).click();
  await waitUntilIdle(page);
  expect(await stepOf(page)).toBe(100);
  await goToStep(page, 1000);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "See it translate, word by word" }).click();
  await still(page, lab);
  await expect(page.getByRole("button", { name: "of a run in the training lab" })).toBeVisible();
  expect(await written(page)).toEqual(translation);
  const own = await fullValue(page, "cross attention, head 0", 2, 3);
  const link = new URL(page.url()).hash;
  await page.goto("about:blank");
  await openPage(page, link);
  await still(page, lab);
  expect(await fullValue(page, "cross attention, head 0", 2, 3)).toBe(own);
});

test("a model that learned to reverse writes its answer here, from its shown layer and heads", async ({
  page,
}) => {
  test.slow();
  const run =
    "#v=1&lab=training&model=encoder-decoder&length=5&dim=16&heads=4&steps=300&beside=none&step=300";
  await openPage(page, run);
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "See it write its answer, step by step" }).click();
  await still(page, lab);
  expect(await written(page)).toEqual(["→ 5", "→ 1", "→ 4", "→ 1", "→ 3", "→ <end>"]);
  await page.getByRole("button", { name: "3 1 4 1 5" }).click();
  const input = page.locator("ap-sentence").getByRole("textbox");
  await input.fill("70289");
  await input.press("Enter");
  await still(page, lab);
  expect(await written(page)).toEqual(["→ 9", "→ 8", "→ 2", "→ 0", "→ 7", "→ <end>"]);
  await page.getByRole("button", { name: "Heads: heads 2 and 3" }).click();
  await page.locator("ap-sentence").getByRole("radio", { name: "heads 0 and 1" }).click();
  await still(page, lab);
  await expect(grid(page, "cross attention, head 1").first()).toHaveAccessibleName(/6 by 5/);
  expect(await violations(page)).toEqual([]);
});

test("on a phone nothing overflows at any stop", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [node, index] of [
    ["memory", "0,0"],
    ["decoder.self_attn.weights", "0,1,0"],
    ["decoder.multihead_attn.weights", "0,2,3"],
    ["next", "2,20"],
    ["kept_keys", "2,0"],
  ] as const) {
    await openPage(page, `#v=1&ex=cat-follows-dog&lang=zh-CN&cell=${node},${index}`);
    await still(page, lab);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([node, wide]).toEqual([node, 390]);
  }
});

test("the lesson: an exercise sets the lab up, and following a cached key to its step ticks its concept", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=old-black-cat");
  await still(page, lab);
  await page.getByRole("button", { name: "See what is kept" }).click();
  await expect(page.locator("ap-note h2")).toHaveText("kept_keys[2, 0]");
  await expect(page.locator("ap-transport p")).toContainText("Row n was made at step n");
  await cell(page, "cached keys", 2, 0).focus();
  const address = page.locator("ap-note h2");
  await page.keyboard.press("u");
  await expect(address).toHaveText("cached.step_2.decoder.layers.0.self_attn.K[0, 0]");
  await expect(
    page.locator("ap-lesson [data-concept=kept]").getByRole("img", { name: "Done" }),
  ).toBeAttached();
});

test("the three uses of attention are a table with named rows and columns", async ({ page }) => {
  await openPage(page, "#v=1&ex=old-black-cat");
  const table = page.getByRole("table", { name: "Attention in the encoder and in the decoder" });
  await expect(table.getByRole("columnheader")).toHaveText([/^Self-attention/, /^Masked/, /^Cross/]);
  await expect(table.getByRole("rowheader")).toHaveText([
    "Queries from",
    "Keys, values from",
    "Mask",
    "Goal",
  ]);
  await expect(table.getByRole("row").nth(2).getByRole("cell")).toHaveText(["source", "target", "memory"]);
});

test("axe finds nothing at a cached key, and in Chinese before any training, in either theme", async ({
  page,
}) => {
  for (const hash of ["ex=cat-follows-dog&cell=kept_keys,2,0", "ex=untrained-translator&lang=zh-CN"]) {
    await openPage(page, `#v=1&${hash}`);
    await still(page, lab);
    await expect(page.locator("html")).toHaveAttribute("lang", hash.includes("zh-CN") ? "zh-CN" : "en");
    await expect(page.locator("ap-lesson table").first()).toBeAttached();
    expect(await violationsInBothThemes(page), hash).toEqual([]);
  }
});
