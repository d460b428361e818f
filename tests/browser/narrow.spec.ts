/** The page on a phone: nothing overflows, the settings in a sheet, the note at the foot. */
import { expect, hosts, labIds, openPage, still, test } from "./open.js";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

for (const lang of ["en", "zh-CN"]) {
  test(`nothing overflows at 390 pixels, ${lang}`, async ({ page }) => {
    const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
    for (const lab of labIds) {
      await page.goto(`${hosts.page}#v=1&lab=${lab}&lang=${lang}`);
      await still(page, lab);
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
      expect(await width(), lab).toBe(390);
    }
    await page.goto(`${hosts.page}#contents&lang=${lang}`);
    await expect(page.locator("ap-contents").getByRole("link").first()).toBeVisible();
    expect(await width(), "contents").toBe(390);
  });
}

test("the line of settings opens a sheet with all of them", async ({ page }) => {
  await openPage(page);
  await page.locator("ap-sentence .line").tap();
  const sheet = page.getByRole("dialog", { name: "Settings" });
  await sheet.getByRole("radio", { name: /causal/ }).click();
  await sheet.getByRole("button", { name: "Done" }).tap();
  await expect(page.locator("ap-sentence .line")).toContainText("causal");
  await expect(page).toHaveURL(/mask=causal/);
});

test("controls are large enough for a finger", async ({ page }) => {
  await openPage(page);
  for (const control of await page
    .locator("ap-header a:visible, ap-header button:visible, ap-transport button:visible")
    .all()) {
    const box = await control.boundingBox();
    expect(Math.min(box!.width, box!.height), await control.innerText()).toBeGreaterThanOrEqual(40);
  }
});
