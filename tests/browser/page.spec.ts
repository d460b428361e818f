/** The page as a newcomer opens it: the first example, its numbers, language, theme, history. */
import type { Page } from "@playwright/test";
import { cell, expect, fullValue, hosts, openPage, test } from "./open.js";
import { reference } from "./reference.js";

const four = reference("four_words").expected;

test("opens with the four words, computed", async ({ page, watched }) => {
  await openPage(page);
  await expect(page).toHaveTitle("Attention, step by step · Attention Playground");
  const row = [0.98522025, 1.74174051, 0.75652026];
  for (const [column, printed] of row.entries()) {
    expect((await fullValue(page, "output", 0, column)).toFixed(8)).toBe(printed.toFixed(8));
  }
  expect(
    watched.requests.every((address) => address.startsWith(hosts.page) || address.startsWith("blob:")),
  ).toBe(true);
});

test("pointing at a cell shows its arithmetic", async ({ page }) => {
  await openPage(page);
  await cell(page, "scores", 2, 1).hover();
  const note = page.locator("ap-note");
  await expect(note).toContainText("scores[2, 1]");
  await expect(note).toContainText("word 3 asks word 2");
  const row = (name: string): Promise<number[]> =>
    note
      .getByRole("row", { name })
      .locator(".number, .result")
      .allInnerTexts()
      .then((texts) => texts.map((text) => Number(text.replace("\u2212", "-"))));
  const [q, k, scores] = [four.q!, four.k!, four.scores!].map(({ data }) => data);
  const query = q!.slice(2 * 3, 3 * 3);
  const key = k!.slice(1 * 3, 2 * 3);
  expect(await row("query of word 3")).toEqual(query);
  expect(await row("key of word 2")).toEqual(key);
  expect(await row("products")).toEqual([...query.map((value, at) => value * key[at]!), scores![2 * 4 + 1]]);
});

test("the words on the page reach the output without scrolling at 1280 by 800", async ({ page }) => {
  for (const lang of ["en", "zh-CN"]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openPage(page, `#v=1&lang=${lang}`);
    const transport = await page.locator("ap-transport").boundingBox();
    for (const board of await page.locator("ap-lab [role=grid]").all()) {
      const box = await board.boundingBox();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(1280);
      expect(box!.y + box!.height).toBeLessThanOrEqual(transport!.y);
    }
  }
});

test("no line of the settings begins with punctuation that belongs to the word before it", async ({
  page,
}) => {
  for (const width of [768, 820, 900, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const hash of ["lab=attention", "lab=words", "lab=vit&ex=harbour-encoder", "lab=optimizers"]) {
      await openPage(page, `#v=1&${hash}&lang=zh-CN`);
      const alone = await page.locator("ap-sentence p").evaluate((said) => {
        const texts = document.createTreeWalker(said, NodeFilter.SHOW_TEXT);
        const first: string[] = [];
        const range = document.createRange();
        let before: DOMRect | null = null;
        for (let text = texts.nextNode(); text; text = texts.nextNode())
          for (let at = 0; at < text.textContent!.length; at += 1) {
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            const box = range.getBoundingClientRect();
            if (!box.width || !text.textContent![at]!.trim()) continue;
            const mark = /[，。、；：）]/.test(text.textContent![at]!);
            if (mark && before && box.top >= before.bottom) first.push(text.textContent!);
            before = box;
          }
        return first;
      });
      expect([width, hash, alone]).toEqual([width, hash, []]);
    }
  }
});

test("language and theme: the browser's, then the reader's choice, kept in the link", async ({ page }) => {
  await openPage(page);
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.getByRole("button", { name: /中文/ }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("一步一步看注意力");
  await page.getByRole("button", { name: "深色" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page).toHaveURL(/lang=zh-CN/);
  await expect(page).toHaveURL(/theme=dark/);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("一步一步看注意力");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "浅色" }).click();
  // The choice equals the system's light theme, so the link contains none any more.
  await expect(page.locator("html")).not.toHaveAttribute("data-theme");
});

test("a Chinese browser gets Chinese", async ({ browser }) => {
  const context = await browser.newContext({ locale: "zh-CN" });
  const page = await context.newPage();
  await openPage(page);
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(cell(page, "输出", 0, 0)).toBeAttached();
  await context.close();
});

test("examples and labs are history entries, changes are not", async ({ browser }) => {
  // In a separate window: one used by other tests may have as many history entries as an engine keeps.
  const context = await browser.newContext();
  const page = await context.newPage();
  await openPage(page);
  const before = await page.evaluate(() => history.length);
  await cell(page, "scores", 3, 3).focus();
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /causal/ }).click();
  await expect(page).toHaveURL(/mask=causal/);
  expect(await page.evaluate(() => history.length)).toBe(before);

  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Examples" }).click();
  await expect(page).toHaveURL(/#contents/);
  await expect(page.getByRole("heading", { name: "Examples" })).toBeFocused();
  await page.getByRole("link", { name: /Three tokens/ }).click();
  await expect(page).toHaveURL(/ex=three-tokens/);
  expect(await page.evaluate(() => history.length)).toBe(before + 2);

  await page.goBack();
  await expect(page.getByRole("heading", { name: "Examples" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/mask=causal/);
  await expect(page.getByRole("button", { name: /^Mask/ })).toContainText("causal");
  await page.goForward();
  await expect(page.getByRole("heading", { name: "Examples" })).toBeVisible();
  await context.close();
});

test("the contents compute their examples", async ({ page }) => {
  await page.goto(`${hosts.page}#contents`);
  await expect(page.getByRole("link", { name: /Four words/ })).toContainText("12 numbers match its source");
  await expect(
    page
      .getByRole("link", { name: /Four words/ })
      .locator("canvas")
      .first(),
  ).toBeVisible();
  // Every example has a picture once it is computed.
  await expect(page.locator(".examples li").filter({ hasNot: page.locator("ap-thumbnail") })).toHaveCount(0, {
    timeout: 30_000,
  });
  await expect(page.getByText(/Not computed/)).toHaveCount(0);
  await expect(page.getByText(/ of \d+ numbers match its source/)).toHaveCount(0);
});

test.describe("to a reader of Chinese", () => {
  test.use({ locale: "zh-CN" });

  /** The words in the settings of a lab. */
  async function wordsAre(page: Page, control: RegExp, text: string): Promise<void> {
    await page.getByRole("button", { name: control }).click();
    await expect(page.getByRole("textbox")).toHaveValue(text);
    await page.keyboard.press("Escape");
  }

  test("a lab entered from the contents has Chinese words, which its address holds", async ({ page }) => {
    await page.goto(`${hosts.page}#contents`);
    await page.getByRole("link", { name: "4 多头注意力", exact: true }).click();
    await wordsAre(page, /^词：/, "小 猫 跳 上 小 垫子");
    await expect(page).toHaveURL(/&tokens=%E5%B0%8F,%E7%8C%AB,/);
    // The same words in another language, because they are now the reader's own.
    await page.getByRole("button", { name: /英文/ }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page).toHaveURL(/&tokens=%E5%B0%8F,%E7%8C%AB,/);
    await wordsAre(page, /^Words/, "小 猫 跳 上 小 垫子");
  });

  test("a link keeps the words it was written with", async ({ page }) => {
    await openPage(page, "#v=1&ex=two-heads");
    await wordsAre(page, /^词：/, "the cat sat on the mat");
  });

  test("an example with a Chinese title opens with Chinese words, and so do the lesson's exercises", async ({
    page,
  }) => {
    await page.goto(`${hosts.page}#contents`);
    await page.getByRole("link", { name: /^狗咬人/ }).click();
    await expect(page.getByRole("button", { name: /“狗 咬 人”/ })).toBeVisible();
    await page.getByRole("button", { name: "换成猫来咬" }).click();
    await expect(page).toHaveURL(/other=%E4%BA%BA,%E5%92%AC,%E7%8C%AB/);
  });
});
