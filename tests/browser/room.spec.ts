/** Room for the numbers: below notices, on low and narrow screens, in the contents, on the phone's strip. */
import { cell, expect, hosts, labIds, openPage, waitUntilIdle, still, test } from "./open.js";

test("notices take no room from the stage", async ({ page }) => {
  const height = async (): Promise<number> =>
    (await page.locator("ap-stage [role=grid]").first().boundingBox())!.height;
  await openPage(page, "#v=1");
  const free = await height();
  await openPage(page, "#v=1&nothing=1&none=2");
  await expect(page.locator("ap-notice")).toHaveCount(2);
  await expect.poll(height).toBe(free);
});

for (const [width, height] of [
  [1440, 900],
  [1280, 800],
  [820, 1180],
  [390, 844],
] as const)
  test(`an edit moves nothing at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const stage = page.locator("ap-lab .stage ap-stage").first();
    const sentence = page.locator("ap-sentence");
    await openPage(page, "#v=1&lab=attention");
    await expect(page.locator("ap-note h2")).not.toBeEmpty();
    const free = (await stage.boundingBox())!.y;
    await openPage(page, "#v=1&lab=attention&edit=W_Q,0,1,3;W_Q,0,2,4");
    const editCount = sentence.getByText(/^2 (numbers )?by hand/);
    await expect(editCount).toBeInViewport({ ratio: 1 });
    await expect.poll(async () => (await stage.boundingBox())!.y).toBe(free);
    // The line covers no word of the sentence.
    const hand = (await editCount.boundingBox())!;
    for (const word of await sentence.getByRole("button", { name: /^(?!Undo|Reset)/ }).all()) {
      const box = (await word.boundingBox())!;
      const beside = box.x + box.width <= hand.x || hand.x + hand.width <= box.x;
      expect(beside || box.y + box.height <= hand.y || hand.y + hand.height <= box.y).toBe(true);
    }
  });

test("a lab opens at its top on a low screen; moving the target scrolls the number and its arithmetic into view", async ({
  page,
}) => {
  // A window of 1440 x 900 at 200 %.
  await page.setViewportSize({ width: 720, height: 450 });
  for (const lab of labIds) {
    await page.goto("about:blank");
    await openPage(page, `#v=1&lab=${lab}&lang=en`);
    await still(page, lab);
    expect(await page.evaluate(() => scrollY), lab).toBe(0);
    await expect(page.locator("ap-lab .head"), lab).toBeInViewport({ ratio: 1 });
  }
  await page.goto("about:blank");
  await openPage(page, "#v=1");
  await still(page, "attention");
  await page.keyboard.press("]");
  const note = page.locator("ap-note");
  await expect(note.locator("h2")).toHaveText("scaled[0, 2]");
  await expect(note).toBeInViewport({ ratio: 1 });
  const target = cell(page, "scaled", 0, 2);
  await expect(target).toBeInViewport({ ratio: 1 });
  const { x, width } = (await target.boundingBox())!;
  expect(x + width).toBeLessThan((await note.boundingBox())!.x);
});

test("more words than fit are scrolled sideways: names and note stay, the page does not move", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const tokens = Array.from({ length: 38 }, (_, place) => `w${place}`);
  await openPage(page, `#v=1&lab=attention&tokens=${tokens.join()}&dim=8`);
  const note = page.locator("ap-note");
  await expect(note).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  await page.locator("ap-stage .box").evaluate((box) => (box.scrollLeft = 500));
  await page.mouse.wheel(0, 420);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(420);
  await expect(note).toBeInViewport({ ratio: 1 });
  // The name of a row is above the cells that scroll under it, and those cannot be pointed at there.
  const name = page.locator("ap-stage .names text").filter({ hasText: /^w2$/ });
  const { x, y, width, height } = (await name.boundingBox())!;
  await name.hover({ trial: true });
  const heading = await note.locator("h2").innerText();
  await page.mouse.move(x + width / 2, y + height / 2);
  await expect(note.locator("h2")).toHaveText(heading);
});

test("the Share dialog fits into the window, and scrolls inside", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 520 });
  await openPage(page, "#v=1");
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share exactly this" });
  const last = page.locator("ap-take-files").getByText("Open a saved file");
  await expect(last).toBeVisible();
  const { y, height } = (await dialog.boundingBox())!;
  expect(y).toBeGreaterThan(0);
  expect(y + height).toBeLessThan(520);
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("RoPE on large matrices: both are drawn alike, the note's headings in one line, nothing beyond the edge", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openPage(page, "#v=1&lab=positions&encoding=rotary&length=50&dim=512");
  await expect(page.locator("ap-note h2")).toHaveText("rotated[4, 0]");
  const heads = page.locator("ap-note :is(thead th, tbody th)");
  for (const head of await heads.all()) expect((await head.boundingBox())!.height).toBeLessThan(30);
  const edge = (await page.locator("ap-lab .stage").boundingBox())!;
  for (const label of await page.locator("ap-stage .label").all()) {
    const box = (await label.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(edge.x + edge.width);
  }
  const drawn = page.locator(
    'ap-stage canvas:is([data-tensor="rows"], [data-tensor="X"], [data-tensor="rotated"])',
  );
  const inkAmounts = await drawn.evaluateAll((canvases) =>
    (canvases as HTMLCanvasElement[]).map((canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0;
      for (let at = 0; at < data.length; at += 4) sum += Math.abs(data[at]! - data[at + 2]!);
      return sum / canvas.width / canvas.height;
    }),
  );
  expect(inkAmounts).toHaveLength(2);
  // Neither is paler than the other.
  expect(inkAmounts[0]! / inkAmounts[1]!).toBeGreaterThan(0.8);
});

test("the contents fit a tablet", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto(`${hosts.page}#contents`);
  await expect(page.locator("ap-thumbnail").last()).toBeAttached();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768);
});

test("at 768 pixels the cells are large enough for their numbers", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await openPage(page, "#v=1");
  await waitUntilIdle(page);
  const inkAmounts = await page.locator("ap-stage canvas[data-tensor]").evaluateAll((canvases) =>
    (canvases as HTMLCanvasElement[]).map((canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let ink = 0;
      for (let at = 0; at < data.length; at += 4)
        if (Math.max(data[at]!, data[at + 1]!, data[at + 2]!) < 60) ink++;
      return ink;
    }),
  );
  expect(inkAmounts.length).toBeGreaterThan(8);
  expect(Math.min(...inkAmounts)).toBeGreaterThan(0);
});

test("the headings of a softmax's columns break into two lines at most", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openPage(page, "#v=1&lab=vit&cell=weights,60,56");
  await expect(page.locator("ap-note h2")).toHaveText("weights[60, 56]");
  const head = page.locator("ap-note thead tr");
  expect((await head.boundingBox())!.height).toBeLessThan(45);
  await expect(head).toContainText("÷");
});

test.describe("with a finger", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a thumbnail of the strip leads to its tensor and paints nothing", async ({ page }) => {
    await openPage(page, "#v=1");
    await page.locator("ap-sentence .line").tap();
    await page.getByRole("radio", { name: /painted/ }).click();
    await page.getByRole("button", { name: "Done" }).tap();
    await expect(page).toHaveURL(/paint=/);
    const painted = (): string | null => new URLSearchParams(new URL(page.url()).hash.slice(1)).get("paint");
    const before = painted();
    const masked = page.locator(".strip ap-stage").getByRole("button", { name: /mask/ });
    await masked.tap();
    await expect(page.locator("ap-note h2")).toHaveText(/^masked/);
    // The address gets the new target and the mask in one change.
    await expect(page).toHaveURL(/cell=masked/);
    expect(painted()).toBe(before);
  });
});
