/**
 * A frame keeps its layout: its code gives it the height it needs, and its bar stays in place from stop to
 * stop.
 */
import { expect, openPage, test } from "./open.js";

test("the code of a frame gives it its height, and Step moves no bar", async ({ page }) => {
  await openPage(page, "#v=1");
  await page.getByRole("button", { name: "Share" }).click();
  const code = await page.getByRole("textbox", { name: "Code", exact: true }).innerText();
  const source = /src="([^"]*)"/.exec(code)![1]!.replaceAll("&amp;", "&");
  const height = Number(/height="(\d+)"/.exec(code)![1]);
  await page.setViewportSize({ width: 680, height });
  await page.goto(source);
  await expect(page.locator("ap-note h2")).toHaveText("scores[0, 2]");
  const bar = async (): Promise<number> => (await page.locator("ap-lab .foot").boundingBox())!.y;
  const first = await bar();
  expect(Math.abs(first + 44 - height)).toBeLessThan(8);
  for (const stop of ["scaled", "weights", "output"]) {
    await page.getByRole("button", { name: "Step" }).click();
    await expect(page.locator("ap-note h2")).toHaveText(new RegExp(`^${stop}`));
    expect(await bar()).toBe(first);
  }
});

test("choosing a picture of one's own closes the list, and Share says that the link holds it", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=vit");
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share exactly this" });
  await expect(dialog).not.toContainText("Your picture");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Image/ }).click();
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    canvas.getContext("2d")!.fillRect(0, 0, 32, 64);
    return canvas.toDataURL("image/png").split(",")[1]!;
  });
  const file = { name: "half.png", mimeType: "image/png", buffer: Buffer.from(base64, "base64") };
  await page.locator("ap-control input[type=file]").setInputFiles(file);
  await expect(page.locator("ap-sentence [popover]")).toBeHidden();
  await expect(page).toHaveURL(/image=/);
  await page.getByRole("button", { name: "Share" }).click();
  await expect(dialog).toContainText("Your picture is in it");
});
