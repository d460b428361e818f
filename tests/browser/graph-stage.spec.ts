/** The stage of any graph, on its own page: mouse, keyboard, moving through layers and pages, axe-core. */
import type { Page } from "@playwright/test";
import type { GraphName } from "../graphs/graphs.js";
import { violations } from "./axe.js";
import { expect, hosts, test } from "./open.js";

async function open(page: Page, graph: GraphName, query = ""): Promise<void> {
  await page.goto(`${hosts.page}graphs/index.html?graph=${graph}${query}`);
  await expect(page.getByRole("gridcell").first()).toBeAttached();
}

/** A cell of a tensor by the id of its place on the stage, which is the name of its node. */
const cell = (page: Page, node: string, row: number, column: number) =>
  page.locator(
    `ap-stage:not([thumbnails]) [data-board="${node}"] [data-row="${row}"][data-column="${column}"]`,
  );
const note = (page: Page) => page.locator("ap-note section");

test("a product: mouse and arrow keys reach every number, and the note says how it was computed", async ({
  page,
}) => {
  await open(page, "product");
  await cell(page, "C", 1, 0).hover({ force: true });
  await expect(note(page)).toContainText("C[1, 0]");
  await expect(note(page)).toContainText("43");
  await cell(page, "C", 1, 0).focus();
  await page.keyboard.press("ArrowRight");
  await expect(note(page)).toContainText("C[1, 1]");
  await expect(note(page)).toContainText("50");
  expect(await violations(page)).toEqual([]);
});

test("a Transformer: Play's stops, another layer, and back along the sources of a number", async ({
  page,
}) => {
  await open(page, "transformer", "&stop=7");
  await expect(note(page)).toContainText("encoder.layers.0.self_attn.weights");
  await page.getByRole("combobox", { name: "encoder.layers" }).selectOption("4 / 6");
  await expect(note(page)).toContainText("encoder.layers.3.self_attn.weights");
  await cell(page, "encoder.layers.3.self_attn.weights", 2, 1).hover({ force: true });
  await expect(note(page)).toContainText("[0, 2, 1]");
  await page.getByRole("combobox", { name: "[·]" }).selectOption("1");
  await expect(note(page)).toContainText("encoder.layers.3.self_attn.weights[1, 0");
  await page.getByRole("button", { name: "Step" }).click();
  await expect(note(page)).toContainText("encoder.layers.3.self_attn.concat");
  await page.keyboard.press("Escape");
  await note(page).getByRole("button", { name: /heads/ }).first().click();
  await expect(note(page)).toContainText("encoder.layers.3.self_attn.heads[");
  expect(await violations(page)).toEqual([]);
});

test("BERT: a map of 300 columns has a loupe and can be read by keys", async ({ page }) => {
  await open(page, "bert", "&stop=14");
  const table = page.locator(
    'ap-stage [data-board="embeddings.word_embeddings.weight-above-logits"] [role="gridcell"][tabindex="0"]',
  );
  await table.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(note(page)).toContainText("embeddings.word_embeddings.weight[1, 1]");
  await expect(page.locator("ap-stage canvas.loupe")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("cells too small for numbers have a loupe, on a phone above the cell", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "vit", "&stop=1");
  const patches = page.locator('ap-stage:not([thumbnails]) canvas[data-tensor="embedding.patches"]');
  const loupe = page.locator("ap-stage canvas.loupe");
  await patches.hover({ position: { x: 100, y: 150 }, force: true });
  await expect(loupe).toBeVisible();
  const [box, under] = [(await loupe.boundingBox())!, (await patches.boundingBox())!];
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  expect(box.y + box.height).toBeLessThan(under.y + 150);
  const image = page.locator('ap-stage:not([thumbnails]) canvas[data-tensor^="image "]');
  await image.hover({ position: { x: 60, y: 60 }, force: true });
  await expect(loupe).toBeHidden();
});

test("2,000 nodes: the steps of the recurrence are folded, and any of them opens", async ({ page }) => {
  await open(page, "long", "&stop=2&theme=dark");
  await expect(note(page)).toContainText("hidden_0[");
  await page.getByRole("combobox", { name: "hidden" }).selectOption("301 / 498");
  await expect(note(page)).toContainText("hidden_300[");
  expect(await violations(page)).toEqual([]);
});

for (const graph of ["vit", "word2vec"] as const) {
  test(`${graph} on a phone: the strip leads to its stops, and nothing is wider than the page`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, graph, "&stop=1&lang=zh-CN");
    const buttons = page.locator("ap-stage[thumbnails] button");
    await buttons.last().click();
    await expect(page.locator("ap-stage:not([thumbnails])").getByRole("gridcell").first()).toBeAttached();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violations(page)).toEqual([]);
  });
}
