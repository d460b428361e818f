/** The embed in a frame of another origin: sandboxed, from a host that sends no headers, with its own policy. */
import type { Words } from "../../web/i18n/words.js";
import type { Playground } from "../../web/page/playground.js";
import { expect, hosts, test } from "./open.js";

const blog = (frame: string, more = "") => `${hosts.bare}host.html?frame=${encodeURIComponent(frame)}${more}`;

for (const host of ["page", "bare"] as const) {
  test(`computes in sandbox="allow-scripts", ${host} host`, async ({ page, watched }) => {
    const address = hosts[host];
    // The blog stands on the other host, and asks for an icon of its own.
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await page.goto(blog(`${address}embed.html#v=1&cell=output,0,0`, "&sandbox"));
    const frame = page.frameLocator("iframe");
    await expect(frame.locator("ap-note")).toContainText("output[0, 0]");
    await expect(frame.locator("ap-note")).toContainText("0.985");
    const inside = page.frames()[1]!;
    expect(await inside.evaluate(() => origin)).toBe("null");
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { heights: number[] }).heights.at(-1) ?? 0))
      .toBeGreaterThan(200);
    const height = await inside.evaluate(() => document.documentElement.scrollHeight);
    expect(await page.evaluate(() => (window as unknown as { heights: number[] }).heights.at(-1))).toBe(
      height,
    );
    const own = watched.asked.filter(
      (asked) => !asked.startsWith("blob:") && !asked.includes("host.html") && !asked.includes("favicon"),
    );
    expect(own).toEqual([`${address}embed.html`]);
  });
}

test("its address is never rewritten, and the parts are those asked for", async ({ page }) => {
  await page.clock.install();
  await page.goto(`${hosts.page}embed.html#ui=formula&v=1&seed=5&lang=zh-CN&theme=dark`);
  await expect(page.locator("ap-formula")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("ap-sentence")).toHaveCount(0);
  await expect(page.locator("ap-note")).toHaveCount(0);
  await expect(page.locator("ap-transport")).toHaveCount(0);
  const target = page.locator("ap-stage .frame.ink").first();
  const before = await target.boundingBox();
  await page.locator("ap-stage [role=gridcell]").nth(3).hover();
  await expect.poll(() => target.boundingBox()).not.toEqual(before);
  await page.clock.fastForward(60_000);
  expect(page.url()).toBe(`${hosts.page}embed.html#ui=formula&v=1&seed=5&lang=zh-CN&theme=dark`);
  const link = page.getByRole("link", { name: /Attention Playground/ });
  await expect(link).toHaveAttribute("href", /\/some\/where\/#v=1.*seed=5/);
});

test("settings work inside the frame; nothing overflows at 320", async ({ page }) => {
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  await page.goto(blog(`${hosts.bare}embed.html#v=1&mask=none`, "&sandbox&width=320"));
  const frame = page.frameLocator("iframe");
  await frame.getByRole("button", { name: /^Mask/ }).click();
  await frame.getByRole("radio", { name: /causal/ }).click();
  await expect(frame.getByRole("button", { name: /^Mask/ })).toContainText("causal");
  expect(await page.frames()[1]!.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    320,
  );
});

test("a lab of the whole core is named, with the link to the page that has it, and its settings are kept", async ({
  page,
}) => {
  await page.goto(`${hosts.page}embed.html#v=1&lab=block&heads=1&lang=en`);
  await expect(page.getByRole("heading", { level: 1, name: "The block" })).toBeVisible();
  await expect(page.getByText(/whole core, which is too large for a frame/)).toBeVisible();
  await expect(page.locator("ap-lab")).toHaveCount(0);
  const link = page.getByRole("link", { name: /Attention Playground/ });
  await expect(link).toHaveAttribute("href", /\/some\/where\/#v=1.*lab=block.*heads=1/);
  expect(await page.title()).toContain("The block");
});

test("settings that need the whole core say so in a notice; what was shown stays, the link leads on", async ({
  page,
}) => {
  await page.goto(`${hosts.page}embed.html#v=1&lab=attention&seed=5&lang=en`);
  await expect(page.locator("ap-note")).toContainText("scores[");
  await expect(page.locator("ap-notice")).toHaveCount(0);
  // A frame has no control of its own for the kind of score.
  await page.locator("ap-lab").evaluate((element: Element) => {
    const { playground, words } = element as Element & { playground: Playground; words: Words };
    playground.change("score", "additive", words);
  });
  const notice = page.locator("ap-notice");
  await expect(notice).toContainText("Attention, step by step");
  await expect(notice).toContainText("whole core, which is too large for a frame");
  await expect(page.locator("ap-note")).toContainText("scores[");
  const link = page.getByRole("link", { name: /Attention Playground/ });
  await expect(link).toHaveAttribute("href", /\/some\/where\/#v=1.*score=additive/);
});
