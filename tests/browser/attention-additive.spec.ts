/** Additive attention in the attention lab: NumPy's numbers, the score explained by its tanh terms, and switching there and back. */
import type { Page } from "@playwright/test";
import { violationsInBothThemes } from "./axe.js";
import { boardCell, expect, hosts, openPage, waitUntilIdle, still, test, valueAt } from "./open.js";

const typed =
  "#v=1&lab=attention&tokens=a,b,c&x=1,0,0.5;0,1,-1;2,-1,0&dk=2&dv=2&draw=scaled&seed=7&score=additive";
/*
 * The numbers that NumPy 1.24 computes from `typed`:
 *
 *   r = np.random.RandomState(7)
 *   X = np.array([[1, 0, 0.5], [0, 1, -1], [2, -1, 0]])
 *   W_Q, W_K, W_V = (r.randn(3, 2) / np.sqrt(3) for _ in range(3))
 *   v = r.randn(2) / np.sqrt(2)
 *   S = np.tanh((X @ W_Q)[:, None] + (X @ W_K)[None]) @ v
 *   A = np.exp(S); A /= A.sum(1, keepdims=True)
 *   S[0, 2], (A @ (X @ W_V))[1, 1]
 *
 * and with S = np.where(np.tri(3) > 0, S, -np.inf) before the exponential, the same cell of the output.
 */
const SCORE = 1.0992403244066788;
const OUTPUT = 0.12029343188887887;
const OUTPUT_CAUSAL = -0.2916372179432012;

const value = (page: Page, board: string, row: number, column: number): Promise<number> =>
  valueAt(boardCell(page, board, row, column), `${board}[${row}, ${column}]`);

test("a score and the outputs equal NumPy's, with and without a mask", async ({ page }) => {
  await openPage(page, typed);
  await still(page, "attention");
  expect(await value(page, "scores", 0, 2)).toBeCloseTo(SCORE, 12);
  // The note explains the score by its tanh terms and v, with links to both.
  const note = page.locator("ap-note");
  await expect(note).toContainText("scores[0, 2]");
  await expect(note).toContainText("tanh of a, c");
  await expect(note).not.toContainText("score_columns");
  const terms = [await value(page, "hidden", 0, 2), await value(page, "hidden", 1, 2)];
  const weights = [await value(page, "v", 0, 0), await value(page, "v", 1, 0)];
  expect(terms[0]! * weights[0]! + terms[1]! * weights[1]!).toBeCloseTo(SCORE, 12);
  expect(await value(page, "output", 1, 1)).toBeCloseTo(OUTPUT, 12);

  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: "a causal mask" }).click();
  await page.keyboard.press("Escape");
  await still(page, "attention");
  expect(await value(page, "output", 1, 1)).toBeCloseTo(OUTPUT_CAUSAL, 12);
});

test("the pairs of the pointed query are shown above the scores", async ({ page }) => {
  await openPage(page, "#v=1&ex=additive");
  await still(page, "attention");
  const first = await value(page, "hidden", 0, 1);
  await boardCell(page, "scores", 2, 1).focus();
  await expect(page.locator("ap-note h2")).toHaveText("scores[2, 1]");
  await waitUntilIdle(page);
  expect(await value(page, "hidden", 0, 1)).not.toBe(first);
  await expect(page.locator("ap-note h2")).toHaveText("hidden[2, 1, 0]");
});

test("switching to additive and back keeps queries and keys, restores the division, and removes the setting from the link", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=four-words");
  await still(page, "attention");
  const [query, scaled] = [await value(page, "Q", 1, 2), await value(page, "scaled", 0, 2)];
  const choose = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: /^What compares/ }).click();
    await page.getByRole("radio", { name }).click();
    await page.keyboard.press("Escape");
    await still(page, "attention");
  };
  await choose("additive");
  await expect(page).toHaveURL(/score=additive/);
  await expect(page.getByRole("button", { name: /^Scaling/ })).toHaveCount(0);
  await expect(page.locator('[data-board="scaled"]')).toHaveCount(0);
  expect(await value(page, "Q", 1, 2)).toBe(query);
  await choose("dot products");
  await expect(page).toHaveURL(/ex=four-words/);
  await expect(page).not.toHaveURL(/score=/);
  expect(await value(page, "scaled", 0, 2)).toBe(scaled);
});

test("axe finds nothing in either theme", async ({ page }) => {
  await openPage(page, "#v=1&ex=additive");
  await still(page, "attention");
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("every stop fits, in both languages", async ({ page }) => {
    for (const language of ["en", "zh-CN"]) {
      await page.goto(`${hosts.page}#v=1&ex=additive&mask=causal&lang=${language}`);
      await still(page, "attention");
      for (let stop = 0; stop < 7; stop += 1) {
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width, `${language} ${stop}`).toBe(390);
        await page.keyboard.press("]");
        await still(page, "attention");
      }
    }
  });
});
