/**
 * The switches of the multi-head lab, set by their controls: W_O, biases, other words, dropout, padding, and the reader's own matrix. The
 * numbers are NumPy's: tests/web/multi-head-switches.json, whose making tests/web/labs-multi-head.test.ts describes.
 */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { formatNote } from "../../web/marks/numbers.js";
import { violations } from "./axe.js";
import { expectShown, numbersOf, shownOn } from "./drawn-numbers.js";
import { cell, expect, grid, openPage, still, test } from "./open.js";

interface Case {
  name: string;
  expected: Record<string, { shape: number[]; data: number[] }>;
}
const cases = JSON.parse(
  readFileSync(new URL("../web/multi-head-switches.json", import.meta.url), "utf8"),
) as Case[];
const expectedOf = (name: string): Case["expected"] => cases.find((one) => one.name === name)!.expected;

/** The page's numbers are those of a case, and the stage shows the output of its first word. */
async function expectCase(page: Page, name: string): Promise<void> {
  await still(page, "multi-head");
  const expected = expectedOf(name);
  for (const [node, { data }] of Object.entries(expected))
    expect(await numbersOf(page, node), node).toEqual(data.map((value) => expect.closeTo(value, 12)));
  const { shape, data } = expected["output"]!;
  expect(await shownOn(page, "output")).toEqual(data.slice(0, shape.at(-1)).map(formatNote));
}

const control = (page: Page, title: string) => page.getByRole("button", { name: new RegExp(`^${title}`) });

async function choose(page: Page, title: string, option: RegExp | string): Promise<void> {
  await control(page, title).click();
  await page.getByRole("radio", { name: option }).click();
  await page.keyboard.press("Escape");
  await still(page, "multi-head");
}

async function type(page: Page, title: string, text: string): Promise<void> {
  await control(page, title).click();
  await page.locator("ap-control").getByRole("textbox").fill(text);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await still(page, "multi-head");
}

const draws = "How the projections are drawn";
const projections = "The projections";

test("W_O and biases are options of the draws, and have a control of their own once they are set", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=two-heads");
  await still(page, "multi-head");
  await expect(control(page, projections)).toHaveCount(0);
  await choose(page, draws, /^without W_?O$/);
  await expect(page).toHaveURL(/output=0/);
  await expectCase(page, "without W_O");
  await choose(page, projections, /^with biases, without W_?O$/);
  await expect(page).toHaveURL(/output=0&biases=1/);
  await expectCase(page, "biases without W_O");
  await choose(page, projections, /^with W_?O, without biases$/);
  await expect(page).not.toHaveURL(/output|biases/);
  await expect(control(page, projections)).toHaveCount(0);
});

test("biases stand under their weights, and are counted with them", async ({ page }) => {
  await openPage(page, "#v=1&ex=two-heads");
  await still(page, "multi-head");
  await choose(page, draws, "with biases");
  await expect(page).toHaveURL(/biases=1/);
  await expectCase(page, "biases");
  await openPage(page, "#v=1&ex=two-heads&biases=1&cell=W_Q,0,0");
  await still(page, "multi-head");
  await expect(grid(page, "bias of the queries")).toBeAttached();
  await expect(page.locator("ap-stage").first()).toContainText(/W_?Q 64, .*W_?O 64, b_?Q 8, .*b_?O 8/);
});

test("keys and values of other words", async ({ page }) => {
  await openPage(page, "#v=1&ex=two-heads");
  await still(page, "multi-head");
  await type(page, "Where keys and values come from", "a dog ran home");
  await expect(page).toHaveURL(/memory=a,dog,ran,home/);
  await expectCase(page, "another sequence for keys and values");
  await expect(grid(page, "weights").first()).toHaveAccessibleName(/^weights, 6 by 4, .* columns a to home/);
});

test("links to tensors that the open state does not have open without an error", async ({ page }) => {
  await openPage(page, "#v=1&ex=two-heads");
  await still(page, "multi-head");
  for (const hash of [
    "#v=1&ex=two-heads&dropout=0.5&cell=dropped,0,0,0,2",
    "#v=1&ex=two-heads&cell=Q,0,0,1",
  ]) {
    await page.evaluate((next) => (location.hash = next), hash);
    await still(page, "multi-head");
    await expect(page.locator("ap-note h2")).toHaveText(
      hash.includes("dropped") ? "dropped[0, 0, 0, 2]" : "Q[0, 0, 1]",
    );
  }
});

test("dropout is an option beside the masks, then a number of its own", async ({ page }) => {
  await openPage(page, "#v=1&ex=two-heads");
  await still(page, "multi-head");
  await choose(page, "Mask", "dropout of the weights");
  await expect(page).toHaveURL(/dropout=0\.1/);
  await expect(page.getByText("After dropout the rows do not add up to 1.")).toBeVisible();
  await type(page, "Dropout of the weights", "0.3");
  await expect(page).toHaveURL(/dropout=0\.3/);
  await expectCase(page, "dropout of the weights");
  await type(page, "Dropout of the weights", "0");
  await expect(page).not.toHaveURL(/dropout/);
});

test("padding is an option of the mask, with the real words of each sample", async ({ page }) => {
  await openPage(page, "#v=1&lab=multi-head&length=4&batch=3&dim=6&heads=2&seed=5&draw=scaled&run=1");
  await still(page, "multi-head");
  await choose(page, "Mask", "padding hidden");
  await expect(page).toHaveURL(/lengths=3,2,1/);
  await type(page, "Real words of each sample", "4 2 1");
  await expect(page).toHaveURL(/lengths=4,2,1/);
  await expectCase(page, "padding of each sample");
});

const rows = (height: number, width: number): number[][] =>
  Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => ((3 * row + 5 * column) % 11) / 4 - 1),
  );

async function paste(page: Page, matrix: number[][], name: string): Promise<void> {
  await cell(page, name, 0, 0).focus();
  const text = matrix.map((row) => row.join("\t")).join("\n");
  await page.evaluate((copy) => navigator.clipboard.writeText(copy), text);
  await page.keyboard.press("Control+V");
}

test("a pasted matrix of another size gives the heads its width; one that they cannot share is refused", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=two-heads&cell=W_Q,0,0");
  await still(page, "multi-head");
  const before = await numbersOf(page, "W_V");
  await paste(page, rows(8, 12), "query projection");
  const notice = page.locator("ap-notice");
  await expect(notice).toContainText("6 words of 8 numbers, 2 heads with keys 6 and values 4 wide");
  await expect(notice).toContainText("New numbers are drawn for W_K.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Use my numbers" }).click();
  await expectShown(page, "W_Q-above", rows(8, 12).flat());
  await expect(page).toHaveURL(/dk=6.*wq=/);
  await expect(page.locator("ap-stage").first()).toContainText(/W_?Q 96, W_?K 96, W_?V 64/);
  expect(await numbersOf(page, "W_V"), "of the same size as before").toEqual(before);
  await page.reload();
  await still(page, "multi-head");
  await expectShown(page, "W_Q-above", rows(8, 12).flat());
  await paste(page, rows(8, 13), "query projection");
  await expect(page.locator("ap-lab .stage ap-stage .refused")).toHaveText(
    "W_Q: the 2 heads share the columns evenly; expected a multiple of 2 columns, got 8×13.",
  );
  // A pasted matrix of the same size becomes edits, as in every lab.
  await paste(page, rows(8, 12).reverse(), "query projection");
  await expectShown(page, "W_Q-above", rows(8, 12).reverse().flat());
  await expect(page).toHaveURL(/&edit=/);
});

test.describe("on a phone, in Chinese and dark", () => {
  test.use({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: "zh-CN",
    colorScheme: "dark",
  });

  test("words of another number and width come from a file", async ({ page }) => {
    await openPage(page, "#v=1&ex=two-heads&cell=x,0,0");
    await still(page, "multi-head");
    await cell(page, "词", 0, 0).focus();
    await page.keyboard.press("t");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "从文件读取" }).click(),
    ]);
    const text = rows(3, 10)
      .map((row) => row.join(","))
      .join("\n");
    await chooser.setFiles({ name: "x.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await expect(page.locator("ap-notice")).toContainText("3 个词，每词 10 维");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "用我的数" }).click();
    await expect(page).toHaveURL(/tokens=the,cat,sat.*x=/);
    await still(page, "multi-head");
    expect(await numbersOf(page, "x")).toEqual(rows(3, 10).flat());
  });
});
