/** Files that are fetched only when they are needed: the labs, and the whole core. */
import type { Page } from "@playwright/test";
import { cell, expect, fullValue, grid, hosts, openPage, still, test, type Watched } from "./open.js";

const vit = /assets\/vit-[^/]*\.js$/;
const positions = /assets\/positions-[^/]*\.js$/;
const multiHead = /assets\/multi-head-[^/]*\.js$/;
const transformer = /assets\/transformer-/;

const times = (watched: Watched, file: RegExp): number =>
  watched.requests.filter((address) => file.test(address)).length;

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const go = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Holds the responses to requests until the returned function is called. */
async function delayResponses(page: Page, file: RegExp): Promise<() => void> {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  await page.route(file, async (route) => {
    await until;
    await route.continue();
  });
  return release;
}

/** Waits until a delayed file has arrived and run, and the page has drawn a frame with it. */
async function arrived(page: Page, watched: Watched, file: RegExp): Promise<void> {
  const address = watched.requests.find((one) => file.test(one))!;
  // The page requested the module first, so it gets it first.
  await page.evaluate(
    `import(${JSON.stringify(address)}).then(() => new Promise((drawn) => requestAnimationFrame(() => drawn())))`,
  );
}

test("a lab is fetched once, when it is opened", async ({ page, watched }) => {
  await openPage(page);
  for (const file of [vit, positions, multiHead, transformer]) expect(times(watched, file)).toBe(0);
  await go(page, "v=1&lab=multi-head");
  await still(page, "multi-head");
  expect([times(watched, multiHead), times(watched, positions), times(watched, vit)]).toEqual([1, 0, 0]);
  await page.getByRole("link", { name: /^Next lab/ }).click();
  await still(page, "positions");
  await expect(heading(page)).toBeFocused();
  expect([times(watched, multiHead), times(watched, positions), times(watched, vit)]).toEqual([1, 1, 0]);
  await page.goBack();
  await still(page, "multi-head");
  expect([times(watched, multiHead), times(watched, positions)]).toEqual([1, 1]);
  expect(times(watched, transformer)).toBe(0);
});

test("while a lab is fetched the last one stays, and its numbers can be explained", async ({ page }) => {
  await openPage(page);
  const release = await delayResponses(page, vit);
  await go(page, "v=1&lab=vit&lang=en");
  await expect(page.locator(".waiting[data-on]")).toBeAttached();
  await expect(heading(page)).toHaveText("Attention, step by step");
  await cell(page, "scores", 0, 2).focus();
  await expect(page.locator("ap-note")).toContainText("scores[0, 2]");
  await expect(page).toHaveURL(/lab=vit/);
  release();
  await still(page, "vit");
  await expect(heading(page)).toHaveText("An image, read as 64 words");
  await expect(page.locator(".waiting[data-on]")).toHaveCount(0);
  expect(page.url()).toContain("lab=vit");
});

test("a link opens directly, with its language and theme from the start", async ({ page }) => {
  const release = await delayResponses(page, vit);
  await page.goto(`${hosts.page}#v=1&lab=vit&lang=zh-CN&theme=dark`);
  await expect(page.locator(".waiting[data-on]")).toBeAttached();
  await expect(page.locator("ap-lab")).toHaveCount(0);
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(await page.title()).toBe("Attention Playground");
  release();
  await still(page, "vit");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
});

test("the newest link wins, in whatever order the labs arrive", async ({ page, watched }) => {
  await openPage(page);
  const release = await delayResponses(page, vit);
  await go(page, "v=1&lab=vit");
  await expect(page.locator(".waiting[data-on]")).toBeAttached();
  await go(page, "v=1&lab=positions");
  await still(page, "positions");
  release();
  await arrived(page, watched, vit);
  await expect(heading(page)).toHaveText("A pattern of waves for every position");
  expect(page.url()).toContain("lab=positions");
  // The contents are opened, and not the lab that arrives late.
  const later = await delayResponses(page, multiHead);
  await go(page, "v=1&lab=multi-head");
  await expect(page.locator(".waiting[data-on]")).toBeAttached();
  await page.getByRole("link", { name: "Examples" }).click();
  await expect(page.getByRole("heading", { name: "Examples" })).toBeFocused();
  later();
  await arrived(page, watched, multiHead);
  await expect(page.getByRole("heading", { name: "Examples" })).toBeVisible();
});

test("a lab that cannot be fetched has a notice, the last lab stays, and it can be fetched again", async ({
  page,
  watched,
}) => {
  await openPage(page);
  const before = await fullValue(page, "output", 0, 0);
  await page.route(vit, (route) => route.abort());
  await go(page, "v=1&lab=vit");
  const notice = page.locator("ap-notice");
  await expect(notice).toContainText("“An image as words” could not be opened.");
  await expect(heading(page)).toHaveText("Attention, step by step");
  expect(await fullValue(page, "output", 0, 0)).toBe(before);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toContainText("could not be opened.");
  await page.unroute(vit);
  await page.getByRole("button", { name: "Try again" }).click();
  await still(page, "vit");
  await expect(notice).toHaveCount(0);
  expect(watched.complaints.every((line) => /ERR_FAILED|Failed to load/.test(line))).toBe(true);
  watched.complaints.length = 0;
});

test("the first lab of a link that cannot be fetched has a notice too", async ({ page, watched }) => {
  await page.route(positions, (route) => route.abort());
  await page.goto(`${hosts.page}#v=1&lab=positions`);
  await expect(page.locator("ap-notice")).toContainText("could not be opened.");
  await page.getByRole("button", { name: "Share" }).click();
  await page.unroute(positions);
  await page.getByRole("button", { name: "Try again" }).click();
  await still(page, "positions");
  watched.complaints.length = 0;
});

for (const [part, file] of [
  ["the code for other pages", /assets\/show-embed-[^/]*\.js$/],
  ["what files are made with", /assets\/file-transfer-[^/]*\.js$/],
] as const)
  test(`Share says that ${part} cannot be fetched, and tries again`, async ({ page, watched }) => {
    await page.route(file, (route) => route.abort());
    await openPage(page, "#v=1&lang=en");
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share exactly this" });
    const notice = page.locator("ap-share ap-notice");
    await expect(notice).toContainText("The rest of this dialog could not be opened.");
    await expect(notice).toContainText("Check the connection and try again.");
    await expect(dialog.getByRole("button", { name: "Copy the link" })).toBeVisible();
    await notice.getByRole("button", { name: "Try again" }).click();
    await expect(notice).toContainText("could not be opened.");
    await page.unroute(file);
    await notice.getByRole("button", { name: "Try again" }).click();
    await expect(page.locator("ap-embed").getByRole("textbox", { name: "Code", exact: true })).toBeVisible();
    await expect(notice).toHaveCount(0);
    expect(watched.complaints.every((line) => /ERR_FAILED|Failed to load/.test(line))).toBe(true);
    watched.complaints.length = 0;
  });

test("a tensor's menu that cannot be fetched has a notice, and opens when tried again", async ({
  page,
  watched,
}) => {
  const file = /assets\/file-transfer-[^/]*\.js$/;
  await page.route(file, (route) => route.abort());
  await openPage(page, "#v=1&lang=en");
  await cell(page, "weights", 2, 0).focus();
  await page.keyboard.press("t");
  const notice = page
    .locator("ap-notice")
    .filter({ hasText: "What opens and saves files could not be fetched." });
  await expect(notice).toContainText("Check the connection and try again.");
  await page.unroute(file);
  await page.keyboard.press("t");
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole("dialog", { name: /^Take .* with you$/ })).toBeVisible();
  expect(watched.complaints.every((line) => /ERR_FAILED|Failed to load/.test(line))).toBe(true);
  watched.complaints.length = 0;
});

test("a comparison that cannot be fetched has a notice, keeps its link, and appears when tried again", async ({
  page,
  watched,
}) => {
  const file = /assets\/stage-readings-[^/]*\.js$/;
  await page.route(file, (route) => route.abort());
  const link = "#v=1&mask=causal&before.mask=none&lang=en";
  await openPage(page, link);
  const notice = page
    .locator("ap-notice")
    .filter({ hasText: "What compares numbers and shows gradients could not be fetched." });
  await expect(notice).toContainText("Check the connection and try again.");
  const tool = page.getByRole("button", { name: "Compare", exact: true });
  await expect(tool).toHaveAttribute("aria-pressed", "false");
  expect(new URL(page.url()).hash).toBe(link);
  await page.unroute(file);
  await page.reload();
  await expect(page.getByRole("region", { name: "Comparison" })).toContainText(
    "Mask: no mask → a causal mask.",
  );
  await expect(tool).toHaveAttribute("aria-pressed", "true");
  expect(watched.complaints.every((line) => /ERR_FAILED|Failed to load/.test(line))).toBe(true);
  watched.complaints.length = 0;
});

test("the whole core is fetched once, when it is first needed", async ({ page, watched }) => {
  await openPage(page, "#v=1&lang=en");
  await still(page, "attention");
  expect(await fullValue(page, "scores", 0, 2)).toBe(10);
  await cell(page, "output", 0, 0).focus();
  await expect(page.locator("ap-note h2")).toHaveText("output[0, 0]");
  expect(times(watched, transformer)).toBe(0);
  await page.keyboard.press("g");
  await expect(grid(page, "value projection").first()).toHaveAccessibleName(/^value projection, gradient,/);
  // weights[0, 1] + weights[0, 2], the words whose second number is 1.
  expect(await fullValue(page, "value projection", 1, 0)).toBeCloseTo(0.75652026, 8);
  await page.getByRole("button", { name: "Code", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Code" });
  await expect(dialog.getByRole("tabpanel", { name: "NumPy" })).toContainText("import numpy as np");
  await dialog.getByRole("tab", { name: "PyTorch" }).click();
  await expect(dialog.getByRole("tabpanel", { name: "PyTorch" })).toContainText("import torch");
  await page.keyboard.press("Escape");
  // The contents compute their examples beside the lab.
  await page.getByRole("link", { name: "Examples" }).click();
  await expect(page.getByRole("link", { name: /^The line y/ })).toContainText("15 numbers match its source", {
    timeout: 30_000,
  });
  expect(times(watched, /assets\/transformer-part-[^/]*\.js$/)).toBe(1);
  expect(times(watched, /assets\/transformer-[^/]*\.wasm$/)).toBe(1);
});
