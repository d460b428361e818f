/**
 * A shared link shows what the reader sees: a comparison, a gradient, Play's stop, unfolded parts, a
 * paragraph; on the page, in a frame, in an element.
 */
import type { Browser, FrameLocator, Locator, Page } from "@playwright/test";
import { violations } from "./axe.js";
import { cell, expect, hosts, openPage, waitUntilIdle, still, test } from "./open.js";

const line = (page: Page | FrameLocator, name = "Comparison") =>
  page.getByRole("region", { name, exact: true });

/** The names of all cells that are drawn, with their accessible numbers. */
async function cellsOn(stage: Locator): Promise<string[]> {
  await expect(stage.locator("[role=gridcell]").first()).toBeAttached();
  return stage
    .locator("[role=gridcell]")
    .evaluateAll((cells) => cells.map((one) => one.getAttribute("aria-label") ?? ""));
}

async function visibleState(page: Page): Promise<unknown> {
  await waitUntilIdle(page);
  return {
    lines: await page.locator("ap-reading p").allInnerTexts(),
    shown: await page.locator("ap-reading label:has(:checked)").allInnerTexts(),
    cells: await cellsOn(page.locator(".stage ap-stage")),
    note: await page.locator("ap-note").locator("h2, tr").allInnerTexts(),
  };
}

/** The link and the code in the Share dialog. */
async function shared(page: Page): Promise<{ link: string; frame: string }> {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.getByRole("textbox", { name: "Link", exact: true }).innerText();
  const code = page.locator("ap-embed").getByRole("textbox", { name: "Code", exact: true });
  const frame = / src="([^"]*)"/.exec(await code.innerText())![1]!.replaceAll("&amp;", "&");
  await page.keyboard.press("Escape");
  return { link, frame };
}

async function elsewhere<T>(browser: Browser, link: string, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext();
  try {
    const other = await context.newPage();
    await other.goto(link);
    return await look(other);
  } finally {
    await context.close();
  }
}

const expectElsewhere = (browser: Browser, link: string, here: unknown): Promise<void> =>
  elsewhere(browser, link, (other) =>
    expect.poll(() => visibleState(other), { timeout: 20_000 }).toEqual(here),
  );

async function causalThenCompared(page: Page): Promise<void> {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name: /causal/ }).click();
  await page.keyboard.press("Escape");
  await still(page, "attention");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await line(page).getByRole("button", { name: "Compare with before the last change" }).click();
  await expect(line(page)).toContainText("Mask: no mask → a causal mask.");
}

test("a change made earlier can still be compared, and the link opens with the comparison", async ({
  page,
  browser,
}) => {
  await causalThenCompared(page);
  await cell(page, "weights", 0, 2).click();
  await expect(page.locator("ap-note").getByRole("row")).toHaveText([
    /now\s*0/,
    /before\s*0\.749/,
    /difference\s*−0\.749/,
  ]);
  const here = await visibleState(page);
  const { link } = await shared(page);
  expect(link).toContain("&before.mask=none");
  await expectElsewhere(browser, link, here);

  await line(page).getByText("now", { exact: true }).click();
  const now = await visibleState(page);
  const plain = await shared(page);
  expect(plain.link).toContain("&read=numbers");
  await expectElsewhere(browser, plain.link, now);

  await line(page).getByRole("button", { name: "Stop comparing" }).click();
  expect((await shared(page)).link).not.toMatch(/before|read/);
});

test("a comparison, over it a gradient, and Play's stop: on the page, in a sandboxed frame and in an element", async ({
  page,
  browser,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await causalThenCompared(page);
  await cell(page, "weights", 1, 0).click();
  await page.locator("ap-note").getByRole("button", { name: "Gradient of this number" }).click();
  await expect(line(page, "Gradient")).toContainText("Gradient of weights[1, 0]");
  // Play is at the scores: results that are computed from them are not drawn yet.
  await cell(page, "queries", 0, 0).focus();
  await page.keyboard.press("]");
  await expect(page).toHaveURL(/stop=/);
  await still(page, "attention");
  const here = (await visibleState(page)) as { cells: string[] };
  const { link, frame } = await shared(page);
  for (const part of ["before.mask=none", "gradient=weights,1,0", "stop="]) expect(link).toContain(part);
  expect(new URL(page.url()).hash).toBe(new URL(link).hash);
  await expectElsewhere(browser, link, here);

  const framed = async (other: Page) => {
    const inside = other.frameLocator("iframe");
    await expect(line(inside, "Gradient")).toContainText("Gradient of weights[1, 0]");
    await expect(inside.locator("ap-note h2")).toContainText("∂");
    const cells = await cellsOn(inside.locator(".stage ap-stage"));
    // A frame may show one stop where the page shows all.
    expect(cells.length).toBeGreaterThan(0);
    for (const one of cells) expect(here.cells).toContain(one);
    await line(inside, "Gradient").getByRole("button", { name: "Close" }).click();
    await expect(line(inside)).toContainText("Mask: no mask → a causal mask.");
  };
  const blog = `${hosts.bare}host.html?sandbox&frame=${encodeURIComponent(frame)}`;
  await elsewhere(browser, blog, framed);

  const element = encodeURIComponent(new URL(link).hash);
  const script = encodeURIComponent(`${hosts.page}attention-playground.js`);
  const post = `${new URL("/host.html", hosts.page).href}?element=${element}&script=${script}&module`;
  await elsewhere(browser, post, async (other) => {
    await expect(line(other, "Gradient")).toContainText("Gradient of weights[1, 0]");
    for (const one of await cellsOn(other.locator(".stage ap-stage"))) expect(here.cells).toContain(one);
    const back = other.getByRole("link", { name: /Attention Playground/ });
    for (const part of ["before.mask=none", "gradient=weights,1,0", "stop="])
      await expect(back).toHaveAttribute("href", new RegExp(part.replaceAll(".", "\\.")));
  });
});

test("back and forward: the comparison and the gradient are part of each address", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page).toHaveURL(/before=this/);
  await page.getByRole("link", { name: /^Next lab/ }).click();
  await still(page, "scaling");
  await expect(line(page)).toHaveCount(0);
  await page.goBack();
  await still(page, "attention");
  await expect(line(page)).toContainText("These numbers are kept.");
});

test("the unfolded part of a note: all its terms", async ({ page, browser }) => {
  await openPage(page, "#v=1&lab=multi-head&ex=ten-by-twenty-run-1&cell=output,0,0,0&pin=1");
  await still(page, "multi-head");
  const terms = (where: Page) => where.locator("ap-note td, ap-note [data-place]").count();
  const few = await terms(page);
  await page.locator("ap-note").getByRole("button", { name: /more$/ }).first().click();
  await expect(page).toHaveURL(/unfold=terms/);
  await still(page, "multi-head");
  const all = await terms(page);
  expect(all).toBeGreaterThan(few);
  await elsewhere(browser, (await shared(page)).link, (other) =>
    expect.poll(() => terms(other), { timeout: 20_000 }).toBe(all),
  );
});

test("fields that a link has and its lab does not are reported one by one, with the possible values", async ({
  page,
}) => {
  const hash =
    "#lab=attention&gradient=X,0,0&stop=later&picture=other&lesson=nowhere&before.dim=x&unfold=all";
  await openPage(page, hash);
  await still(page, "attention");
  const notices = page.locator("ap-notice");
  for (const said of [
    /gradient=X,0,0.*a cell of/s,
    /stop=later.*one of [a-z, ]*softmax/s,
    /picture=other/,
    /lesson=nowhere.*three-rows/s,
    /before\.dim=x.*a whole number from 1 to 512/s,
    /unfold=all.*terms, note/s,
  ])
    await expect(notices.filter({ hasText: said })).toHaveCount(1);
  expect(page.url()).toContain(hash);
});

test("a paragraph of the lesson has a link of its own", async ({ page, browser, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page);
  await still(page, "attention");
  const copy = page.getByRole("button", { name: "Copy a link to this paragraph" }).nth(1);
  await copy.focus();
  // The stage goes to the stop of the paragraph.
  await expect(page).toHaveURL(/stop=compare/);
  await page.keyboard.press("Enter");
  await expect(page.locator("ap-lesson [role=status]")).toHaveText("The link is copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const anchor = /&lesson=([^&]*)/.exec(link)![1]!;
  await expect(page).toHaveURL(link);
  // The header is above the numbers: the lesson is left, and the stage is at no stop of it any more.
  expect((await shared(page)).link).toContain(`lesson=${anchor}`);
  await elsewhere(browser, link, async (other) => {
    const goal = other.locator(`ap-lesson [data-anchor="${anchor}"]`);
    await expect(goal).toBeFocused();
    await expect(goal).toBeInViewport();
  });
  expect(await violations(page)).toEqual([]);
});

test.describe("on a phone, in Chinese", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: "zh-CN" });
  test("a comparison of an earlier change, and the link of a paragraph, by touch", async ({ page }) => {
    await openPage(page, "#v=1&mask=causal&before.mask=none&cell=weights,0,2");
    await still(page, "attention");
    await expect(line(page, "对比")).toContainText("掩码：不加掩码 → 加因果掩码。");
    await page.getByRole("button", { name: "复制这一段的链接" }).first().tap();
    await expect(page).toHaveURL(/lesson=/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(await violations(page)).toEqual([]);
  });
});
