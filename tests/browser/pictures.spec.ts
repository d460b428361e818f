/**
 * Stored pictures: the map and each lab as a reader first sees it, on a desktop in light English and on a phone in dark Chinese. The fonts are the
 * project's own. `npm test -- pictures --update` draws them again; look at each before you commit it.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expect, hosts, labIds, openPage, still, test } from "./open.js";

const pictures = [
  { size: { width: 1280, height: 800 }, theme: "light", lang: "en", phone: false },
  { size: { width: 390, height: 844 }, theme: "dark", lang: "zh-CN", phone: true },
] as const;

/** The map is complete when the numbers of all examples are computed. */
async function openMap(page: Page, fields: string): Promise<void> {
  await page.goto(`${hosts.page}#contents${fields}`);
  await expect(page.locator("ap-map ap-figure canvas").first()).toBeAttached();
  await expect(page.locator("#document-004 .matches").first()).toHaveText("99/99", { timeout: 60_000 });
}

const nameOf = (lab: string, { size, theme, lang }: (typeof pictures)[number]): string =>
  `${lab}-${size.width}-${theme}-${lang.slice(0, 2)}.png`;

for (const picture of pictures) {
  test.describe(`${picture.size.width} pixels, ${picture.theme}, ${picture.lang}`, () => {
    test.use({
      viewport: picture.size,
      hasTouch: picture.phone,
      isMobile: picture.phone,
      // A picture shows where moving dots end.
      contextOptions: { reducedMotion: "reduce" },
    });
    const compare = (page: Page, name: string): Promise<void> =>
      expect(page).toHaveScreenshot(nameOf(name, picture), {
        animations: "disabled",
        caret: "hide",
        // Edges of letters differ a little between releases of the browser; a line of text or a matrix that moved differs by more.
        threshold: 0.2,
        maxDiffPixelRatio: 0.001,
      });
    const fields = `&lang=${picture.lang}&theme=${picture.theme}`;
    test("map", async ({ page }) => {
      await openMap(page, fields);
      await compare(page, "map");
    });
    for (const lab of labIds) {
      test(lab, async ({ page }) => {
        await openPage(page, `#v=1&lab=${lab}${fields}`);
        await still(page, lab);
        await compare(page, lab);
      });
    }
  });
}

test("every stored picture is compared with something", () => {
  const wanted = pictures.flatMap((picture) => ["map", ...labIds].map((name) => nameOf(name, picture)));
  const stored = readdirSync(fileURLToPath(new URL("pictures/", import.meta.url)));
  expect(stored.filter((name) => !wanted.includes(name))).toEqual([]);
});
