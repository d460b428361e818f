/** A frame in WordPress, which embeds it by oEmbed: sandboxed, with a secret in its address, and with the height it reports. */
import type { Page } from "@playwright/test";
import { expect, hosts, test } from "./open.js";

const secret = "vZ3kQ9xT1a";
const link = "ui=minimal&v=1&cell=scores,0,2";

/** Opens a post of another origin around a frame, and waits for the lab. */
async function openPost(page: Page, hash: string): Promise<void> {
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  const frame = encodeURIComponent(`${hosts.page}embed.html#${hash}`);
  await page.goto(`${hosts.bare}host.html?frame=${frame}&sandbox`);
  await expect(page.frameLocator("iframe").locator("ap-note h2")).toHaveText("scores[0, 2]");
}

test("the secret is not in the frame's link; the height is sent with it, and again when the post asks", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const told: unknown[] = [];
    Object.assign(window, { told });
    addEventListener("message", ({ data }) => told.push(data));
  });
  await openPost(page, `${link}#?secret=${secret}`);
  await expect(page.frameLocator("iframe").locator("ap-notice")).toHaveCount(0);
  const heights = () =>
    page.evaluate(() =>
      (window as unknown as { told: { message?: string; value: number; secret: string }[] }).told.filter(
        ({ message }) => message === "height",
      ),
    );
  await expect.poll(async () => (await heights()).at(-1)?.value ?? 0).toBeGreaterThan(200);
  const all = await heights();
  const last = all.at(-1)!;
  expect(all.every((told) => told.secret === secret)).toBe(true);
  // Messages other than WordPress's request are ignored: only the last one is answered.
  const otherMessages = [null, 1, "ready", { message: "ready" }, { message: "ready", secret: "other" }];
  await page.evaluate(
    (questions) => {
      (window as unknown as { told: unknown[] }).told.length = 0;
      for (const question of questions)
        document.querySelector("iframe")!.contentWindow!.postMessage(question, "*");
    },
    [...otherMessages, { message: "ready", secret }],
  );
  await expect.poll(heights).toEqual([last]);
});
