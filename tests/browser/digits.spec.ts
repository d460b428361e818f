/** No digit on a stage is condensed: each has the width of its font. DESIGN.md, section 2. */
import type { Page } from "@playwright/test";
import { expect, labIds, openPage, waitUntilIdle, still, test } from "./open.js";

interface Drawn {
  /** The number of drawn texts with digits. */
  texts: number;
  /** The condensed texts, with their widths. */
  squeezed: string[];
}

/** Records all text that canvases draw from now on. */
async function recordDrawnText(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn: Drawn = { texts: 0, squeezed: [] };
    Object.assign(globalThis, { drawn });
    for (const type of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D])
      for (const name of ["fillText", "strokeText"] as const) {
        const draw = type.prototype[name];
        type.prototype[name] = function (
          this: CanvasRenderingContext2D & OffscreenCanvasRenderingContext2D,
          text: string,
          ...rest: number[]
        ) {
          if (/\d/.test(text)) {
            drawn.texts += 1;
            const { a, b, c, d } = this.getTransform();
            const how = [
              rest.length > 2 ? "has a largest width" : "",
              a === d && b === 0 && c === 0 ? "" : `is scaled by ${a}, ${b}, ${c}, ${d}`,
              parseFloat(this.letterSpacing) === 0 ? "" : `has letters ${this.letterSpacing} apart`,
              this.fontStretch === "normal" ? "" : `is ${this.fontStretch}`,
              /condensed|narrow|%/i.test(this.font) ? `is set in ${this.font}` : "",
            ].filter((one) => one !== "");
            if (how.length) drawn.squeezed.push(`“${text}” ${how.join(", ")}`);
          }
          Reflect.apply(draw, this, [text, ...rest]);
        };
      }
  });
}

/** What was recorded since it was last taken. */
const takeDrawnText = (page: Page): Promise<Drawn> =>
  page.evaluate(() => {
    const { drawn } = globalThis as unknown as { drawn: Drawn };
    const taken = { ...drawn };
    Object.assign(drawn, { texts: 0, squeezed: [] });
    return taken;
  });

/** Canvases of the stage whose displayed shape differs from the drawn one by more than rounding to whole pixels. */
const stretchedCanvases = (page: Page): Promise<string[]> =>
  page.locator("ap-stage canvas").evaluateAll((canvases) =>
    (canvases as HTMLCanvasElement[]).flatMap((canvas) => {
      const { width, height } = canvas.getBoundingClientRect();
      const ratio = canvas.height / height;
      return Math.abs(canvas.width - ratio * width) <= 1 + canvas.width / canvas.height
        ? []
        : [`${canvas.dataset["tensor"]}: ${canvas.width}×${canvas.height} on ${width}×${height}`];
    }),
  );

/** The axes, shapes and names on the stage that contain digits. */
const lettersOf = (page: Page): Promise<Drawn> =>
  page.locator("ap-stage :is(svg text, .label, .caption)").evaluateAll((elements) => {
    const found: Drawn = { texts: 0, squeezed: [] };
    for (const element of elements) {
      const text = element.textContent ?? "";
      if (!/\d/.test(text)) continue;
      found.texts += 1;
      const { fontStretch, letterSpacing } = getComputedStyle(element);
      const matrix = element instanceof SVGGraphicsElement ? element.getCTM() : null;
      const lengths = Math.hypot(matrix?.a ?? 1, matrix?.b ?? 0) / Math.hypot(matrix?.c ?? 0, matrix?.d ?? 1);
      const how = [
        element.hasAttribute("textLength") || element.querySelector("[textLength]") ? "has a length" : "",
        fontStretch === "100%" || fontStretch === "normal" ? "" : `is ${fontStretch}`,
        letterSpacing === "normal" || parseFloat(letterSpacing) >= 0 ? "" : `has ${letterSpacing} less`,
        Math.abs(lengths - 1) < 1e-6 ? "" : `is ${lengths} as wide as high`,
      ].filter((one) => one !== "");
      if (how.length) found.squeezed.push(`“${text}” ${how.join(", ")}`);
    }
    return found;
  });

/** The labs in three groups, each for one page: to load the page takes longer than to open another lab on it. */
const groups = [labIds.slice(0, 4), labIds.slice(4, 9), labIds.slice(9)];

for (const [width, height] of [
  [1920, 1200],
  [1280, 800],
  [390, 844],
] as const)
  for (const labs of groups)
    test(`digits have the width of their font at ${width} × ${height}: ${labs.join(", ")}`, async ({
      page,
    }) => {
      await recordDrawnText(page);
      await page.setViewportSize({ width, height });
      for (const lab of labs) {
        await openPage(page, `#v=1&lab=${lab}&lang=en`);
        await still(page, lab);
        const stops = page.getByRole("button", { name: /^Stop \d+ of \d+/ });
        let texts = 0;
        // Without the mouse, because the driver scrolls to the bar although it is visible.
        for (let stop = -1; stop < (await stops.count()); stop++) {
          if (stop >= 0) await stops.nth(stop).dispatchEvent("click");
          await waitUntilIdle(page);
          const letters = await lettersOf(page);
          const cells = await takeDrawnText(page);
          texts += letters.texts + cells.texts;
          expect(
            [...letters.squeezed, ...cells.squeezed, ...(await stretchedCanvases(page))],
            `${lab}, stop ${stop + 1}`,
          ).toEqual([]);
        }
        expect(texts, lab).toBeGreaterThan(0);
      }
    });
