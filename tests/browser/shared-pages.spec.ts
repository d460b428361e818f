/** npm run share-pages: the pages of one example as they are published. */
import { mkdtempSync, readFileSync, cpSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answers, listen } from "../../toolchain/serve.mjs";
import { sharePages } from "../../toolchain/share-pages.mjs";
import { expect, test } from "./open.js";

let folder = "";
let server: Server;
test.beforeAll(async ({ browser }) => {
  folder = mkdtempSync(join(tmpdir(), "shared-"));
  cpSync(process.env.SITE_FOLDER!, folder, { recursive: true });
  await sharePages(browser, folder, {
    site: "https://host.example/",
    wanted: ({ name }) => name === "four-words",
  });
  server = (await listen(answers(folder), 0, "127.0.0.1")) as Server;
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
const address = (path: string): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;

test("the picture is 1200 by 630, and not too large for previews", () => {
  for (const language of ["en", "zh"]) {
    const png = readFileSync(join(folder, `share/${language}/four-words.png`));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(png.length).toBeLessThan(300 * 1024);
    // A picture of an empty frame is a tenth of this size.
    expect(png.length).toBeGreaterThan(30_000);
  }
});

test("without JavaScript the page has its words, its picture and its link", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(address("share/zh/four-words.html"));
  await expect(page.getByRole("heading")).toHaveText("四个词");
  const picture = page.getByRole("img");
  expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1200);
  await expect(page.getByRole("link", { name: "在 Attention Playground 里打开" })).toBeVisible();
  await context.close();
});

test("with JavaScript the state opens at once, or the state after the page's own #", async ({ page }) => {
  await page.goto(address("share/en/four-words.html"));
  await expect(page.locator("ap-note h2")).toHaveText("scores[0, 2]");
  expect(new URL(page.url()).pathname).toBe("/");
  await page.goto(address("share/en/four-words.html#v=1&cell=output,0,0"));
  await expect(page.locator("ap-note h2")).toHaveText("output[0, 0]");
});

test("Share offers the page of a state if the site has it, and nothing otherwise", async ({ page }) => {
  const share = page.getByRole("button", { name: /^(Share|分享)$/ });
  const link = page.getByRole("textbox", { name: /^(Link with a preview|带预览的链接)$/ });
  for (const [language, place] of [
    ["en", "share/en/four-words.html"],
    ["zh-CN", "share/zh/four-words.html"],
  ]) {
    await page.goto(address(`#v=1&ex=four-words&cell=output,0,0&lang=${language}`));
    await expect(page.locator("ap-note h2")).toHaveText("output[0, 0]");
    await share.click();
    await expect(link).toContainText(`${address(place!)}#v=1`);
    const shown = (await link.innerText()).trim();
    await page.goto("about:blank");
    await page.goto(shown);
    await expect(page.locator("ap-note h2")).toHaveText("output[0, 0]");
  }
  // Its numbers are no longer the example's, and no page of the lab was made.
  for (const state of ["#v=1&ex=four-words&seed=7&lang=en", "#v=1&lab=optimizers&lang=en"]) {
    const requested = page.waitForResponse(/share\/pages\.json$/);
    await page.goto("about:blank");
    await page.goto(address(state));
    await share.click();
    await (await requested).finished();
    await expect(page.getByRole("button", { name: "Download picture (PNG)" })).toBeVisible();
    await expect(link).toHaveCount(0);
  }
});
