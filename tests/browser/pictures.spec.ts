/**
 * Stored pictures: each lab as a reader first sees it, on a desktop in light English and on a phone in dark Chinese. The fonts are the
 * project's own. `npm test -- pictures --update` draws them again; look at each before you commit it.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, labIds, openPage, still, test } from "./open.js";

const pictures = [
  { size: { width: 1280, height: 800 }, theme: "light", lang: "en", phone: false },
  { size: { width: 390, height: 844 }, theme: "dark", lang: "zh-CN", phone: true },
] as const;

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
    for (const lab of labIds) {
      test(lab, async ({ page }) => {
        await openPage(page, `#v=1&lab=${lab}&lang=${picture.lang}&theme=${picture.theme}`);
        await still(page, lab);
        await expect(page).toHaveScreenshot(nameOf(lab, picture), {
          animations: "disabled",
          caret: "hide",
          // Edges of letters differ a little between releases of the browser; a line of text or a matrix that moved differs by more.
          threshold: 0.2,
          maxDiffPixelRatio: 0.001,
        });
      });
    }
  });
}

test("every stored picture is compared with something", () => {
  const wanted = pictures.flatMap((picture) => labIds.map((lab) => nameOf(lab, picture)));
  const stored = readdirSync(fileURLToPath(new URL("pictures/", import.meta.url)));
  expect(stored.filter((name) => !wanted.includes(name))).toEqual([]);
});
