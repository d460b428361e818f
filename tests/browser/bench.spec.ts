/** The page that times the core: a few tasks, both builds, both languages, both themes. No test checks speed. */
import type { Page } from "@playwright/test";
import { violations } from "./axe.js";
import { expect, hosts, test } from "./open.js";

const open = (page: Page, fields: string) => page.goto(`${hosts.page}bench.html#${fields}`);

/** Long enough for a busy machine. */
const longTimeout = { timeout: 50_000 };

const status = (page: Page) => expect(page.getByRole("status"));

test("times both builds, which agree, and sends no request to another host", async ({ page, watched }) => {
  await open(page, "works=matmul 64&quick&lang=en");
  await expect(page.locator("tr[data-work]")).toHaveCount(0);
  await page.getByRole("button", { name: "Time it" }).click();
  await status(page).toHaveText("Done: 1 timed.", longTimeout);
  const row = await page.locator('tr[data-work="matmul 64"] td').allTextContents();
  expect(row).toHaveLength(8);
  for (const time of [row[0], row[3]]) expect(time).toMatch(/^[\d.]+ (µs|ms)$/);
  for (const speed of [row[1], row[4]]) expect(Number(speed)).toBeGreaterThan(0);
  for (const part of [row[2], row[5]]) expect(part).toMatch(/%$/);
  expect(row[6]).toMatch(/^[\d.]+ ×$/);
  expect(row[7]).toBe("yes");
  await expect(page.locator("svg.bars rect")).toHaveCount(2);
  await expect(page.locator("svg.bars line")).toHaveCount(2);
  expect(await violations(page)).toEqual([]);
  const own = watched.requests.filter((address) => !address.startsWith("blob:"));
  expect(own.filter((address) => !address.startsWith(hosts.page))).toEqual([]);
});

// The smallest task of each kind, and those that have only one size.
for (const [works, count] of Object.entries({ L4: 3, sinusoidal: 1, patches: 1, training: 1, greedy: 1 }))
  test(`both builds give the same numbers: ${works}`, async ({ page }) => {
    await open(page, `works=${works}&quick&lang=en`);
    await page.getByRole("button", { name: "Time it" }).click();
    await status(page).toHaveText(`Done: ${count} timed.`, longTimeout);
    const agreements = await page.locator("tr[data-work] td:last-child").allTextContents();
    expect(agreements).toEqual(Array.from({ length: count }, () => "yes"));
  });

test("edits a cell of every example, and lists the slowest", async ({ page }) => {
  await open(page, "works=editing&quick&lang=en");
  await page.getByRole("button", { name: "Time it" }).click();
  const rows = page.locator("table.edits tbody tr");
  await expect(rows).toHaveCount(6, longTimeout);
  const made = await rows.locator("td:nth-of-type(1)").allTextContents();
  for (const tensors of made) expect(Number(tensors)).toBeGreaterThan(1);
});

test("responds while it measures: the language changes, and it stops on request", async ({ page }) => {
  await open(page, "lang=en");
  await page.getByRole("button", { name: "Time it" }).click();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await page.getByRole("button", { name: /中文/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("内核在您的浏览器里有多快");
  expect(new URL(page.url()).hash).toBe("#lang=zh-CN");
  await page.getByRole("button", { name: "停止" }).click();
  await status(page).toHaveText(/^已停止：测了 \d+ 项。$/);
  await expect(page.getByRole("button", { name: "重新计时" })).toBeVisible();
});

for (const theme of ["light", "dark"])
  test(`on a narrow screen nothing overflows, ${theme}`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(page, `works=layer L4&quick&lang=zh-CN&theme=${theme}`);
    await page.getByRole("button", { name: "开始计时" }).click();
    await status(page).toHaveText("完成：测了 1 项。", longTimeout);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    expect(await violations(page)).toEqual([]);
  });

test("a core that cannot be fetched has a notice, and can be fetched again", async ({ page, watched }) => {
  await page.route("**/transformer-*.wasm", (route) => route.fulfill({ status: 503 }));
  await open(page, "works=matmul 64&quick&lang=en");
  await page.getByRole("button", { name: "Time it" }).click();
  await status(page).toHaveText(/^It could not be timed: .*503/);
  watched.complaints.splice(0);
  await page.unroute("**/transformer-*.wasm");
  await page.getByRole("button", { name: "Time it again" }).click();
  await status(page).toHaveText("Done: 1 timed.", longTimeout);
});

test("results are shared as a link, which shows them elsewhere without measuring", async ({ page }) => {
  await open(page, "works=matmul 64&quick&lang=en");
  await page.getByRole("button", { name: "Time it" }).click();
  await status(page).toHaveText("Done: 1 timed.", longTimeout);
  const measured = await page.locator('tr[data-work="matmul 64"] td').allTextContents();
  await page.getByRole("textbox", { name: "This machine is" }).fill("the machine of this test");
  await page.getByRole("button", { name: "Copy the link" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto("about:blank");
  await page.goto(`${link}&lang=en`);
  await expect(
    page.getByRole("heading", { name: "Results from a link: the machine of this test" }),
  ).toBeVisible();
  const sent = await page.locator('tr[data-work="matmul 64"] td').allTextContents();
  // The link contains four significant figures of each number.
  const numbers = (row: string[]) => row.slice(0, -1).map((cell) => Number.parseFloat(cell));
  for (const [place, number] of numbers(sent).entries())
    expect(number / numbers(measured)[place]!).toBeCloseTo(1, 1);
  expect(sent.at(-1)).toBe("yes");
  expect(await violations(page)).toEqual([]);
  // The results stay after a change of language; new measurements replace them.
  await page.getByRole("button", { name: /中文/ }).click();
  await expect(page.getByRole("heading", { name: "链接中的结果：the machine of this test" })).toBeVisible();
  expect(page.url()).toContain("results=");
  await page.getByRole("button", { name: "开始计时" }).click();
  await expect(page.getByRole("heading", { name: /^链接中的结果/ })).toHaveCount(0);
  expect(page.url()).not.toContain("results=");
});

test("unreadable results are reported", async ({ page }) => {
  await open(page, "results=2026-11-23_58_56*matmul 65_1_1_1_1_1_y&lang=en");
  await expect(page.getByRole("alert")).toHaveText(
    "The results in this address cannot be read. results: expected the name of a task, found “matmul 65”.",
  );
});

test("the published runs are shown beside other libraries, each with its lowest ratio", async ({ page }) => {
  await open(page, "lang=en");
  const table = page.locator("table.published tbody tr");
  const lowest = async () => {
    const ratios = await table.locator("td:nth-of-type(1)").allTextContents();
    expect(ratios.length).toBeGreaterThan(40);
    const least = Math.min(...ratios.map((ratio) => Number.parseFloat(ratio)));
    await expect(page.getByText(`Lowest ratio: ${least.toFixed(2)} ×`)).toBeVisible();
    return ratios;
  };
  const lowestWithoutNeighbour = await lowest();
  await page.getByRole("radio", { name: /walks through 64 MB/ }).check();
  expect(await lowest()).not.toEqual(lowestWithoutNeighbour);
  await expect(page.locator("table.projected tbody tr")).toHaveCount(3);
});

test("the contents link to it, in their language and theme", async ({ page }) => {
  await page.goto(`${hosts.page}#contents&lang=zh&theme=dark`);
  await page.getByRole("link", { name: "基准测试" }).click();
  await expect(page).toHaveURL(/\/bench\.html#lang=zh-CN&theme=dark$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.getByRole("button").first()).toBeVisible();
});
