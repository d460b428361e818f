/**
 * The reader's own image: reduced before anything is computed, stored in the link; when an image is refused,
 * the old one stays.
 */
import { writeFileSync } from "node:fs";
import { numbersOf } from "./drawn-numbers.js";
import { expect, openPage, waitUntilIdle, test } from "./open.js";
import type { Page } from "@playwright/test";

/** A picture made by the browser: a gradient of colours with a disc. */
async function picture(page: Page, type: string, width = 300, height = 200): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([kind, across, down]) => {
      const canvas = document.createElement("canvas");
      canvas.width = Number(across);
      canvas.height = Number(down);
      const context = canvas.getContext("2d")!;
      const slope = context.createLinearGradient(0, 0, canvas.width, canvas.height);
      slope.addColorStop(0, "#103080");
      slope.addColorStop(1, "#f0c020");
      context.fillStyle = slope;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.fillStyle = "#d02040";
      context.arc(canvas.width / 2, canvas.height / 2, canvas.height / 4, 0, 7);
      context.fill();
      return canvas.toDataURL(kind as string).split(",")[1]!;
    },
    [type, width, height],
  );
  return Buffer.from(base64, "base64");
}

async function choose(
  page: Page,
  file: string | { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const button = page.getByRole("button", { name: /^Image/ });
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
  await page.locator("ap-control input[type=file]").setInputFiles(file);
}

/** A digest of the colours of the image's canvas on the stage. */
async function drawnImage(page: Page): Promise<string> {
  await waitUntilIdle(page);
  return page
    .locator("ap-lab canvas[data-image]")
    .first()
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
}

for (const [name, type] of [
  ["photo.png", "image/png"],
  ["photo.jpg", "image/jpeg"],
  ["photo.webp", "image/webp"],
] as const) {
  test(`${name} is the input of the computation, and the link holds its pixels`, async ({ page }) => {
    await openPage(page, "#v=1&lab=vit");
    const sample = await drawnImage(page);
    await choose(page, { name, mimeType: type, buffer: await picture(page, type) });
    await expect.poll(async () => (await drawnImage(page)) === sample).toBe(false);
    const own = await drawnImage(page);
    await expect(page).toHaveURL(/pixels=|image=/);
    // The core received what the link holds: 16 levels of each colour.
    const pixels = await numbersOf(page, "image");
    expect(pixels.every((value) => value % 17 === 0 && value >= 0 && value <= 255)).toBe(true);
    expect(new Set(pixels).size).toBeGreaterThan(8);
    const link = page.url();
    await page.goto("about:blank");
    await page.goto(link);
    await expect(page.locator("ap-stage [role=gridcell]").first()).toBeAttached();
    expect(await drawnImage(page)).toBe(own);
    await expect(page.locator("ap-app > ap-notice")).toHaveCount(0);
  });
}

test("a file that is not an image, too large or animated is refused, and the old image stays", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=vit");
  const sample = await drawnImage(page);
  const notice = page.locator("ap-notice", { hasText: "That image cannot be used." });

  await choose(page, {
    name: "a.png",
    mimeType: "image/png",
    buffer: Buffer.from("no picture at all, only some text that is long enough"),
  });
  await expect(notice).toContainText("It is not a PNG, JPEG or WebP image.");

  const header = Buffer.alloc(64);
  header.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  header.writeUInt32BE(20_000, 16);
  header.writeUInt32BE(20_000, 20);
  await choose(page, { name: "b.png", mimeType: "image/png", buffer: header });
  await expect(notice).toContainText("It has 400 million pixels");

  const still = await picture(page, "image/png");
  const moving = Buffer.concat([
    still.subarray(0, 33),
    Buffer.from("\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0", "latin1"),
    still.subarray(33),
  ]);
  await choose(page, { name: "c.png", mimeType: "image/png", buffer: moving });
  await expect(notice).toContainText("It is animated");

  await choose(page, { name: "d.png", mimeType: "image/png", buffer: still.subarray(0, 60) });
  await expect(notice).toContainText("The browser cannot decode it.");

  const large = test.info().outputPath("e.png");
  writeFileSync(large, Buffer.alloc(21 * 2 ** 20));
  await choose(page, large);
  await expect(notice).toContainText("at most 20 MB");

  expect(await drawnImage(page)).toBe(sample);
});
