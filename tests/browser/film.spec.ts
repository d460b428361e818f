/** A film of Play: the same file every time, small, readable by the browser, and with the link of its state. */
import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import type { LabId } from "../../web/config/config.js";
import { recognizeFile } from "../../web/files/saved-link.js";
import { violations } from "./axe.js";
import { shownOn } from "./drawn-numbers.js";
import { drop } from "./drop.js";
import { expect, openPage, still, test } from "./open.js";

const make = (page: Page) => page.getByRole("button", { name: "Save Play as an animated GIF" });
const MOST_BYTES = 3e6;

async function saved(page: Page): Promise<{ file: string; bytes: Buffer }> {
  const [download]: [Download, void] = await Promise.all([
    page.waitForEvent("download", { timeout: 45_000 }),
    make(page).click(),
  ]);
  return { file: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

async function openShare(page: Page, hash: string, lab: LabId): Promise<void> {
  await openPage(page, hash);
  await still(page, lab);
  await page.getByRole("button", { name: "Share", exact: true }).click();
}

interface Decoded {
  frames: number;
  milliseconds: number;
  sizes: number[][];
  /** The shares of pixels that are not background, in the first and the last frame. */
  drawn: number[];
}

/** What the browser's own decoder makes of a file. */
const decoded = (page: Page, gif: Buffer): Promise<Decoded> =>
  page.evaluate(async (encoded) => {
    const data = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: "image/gif" });
    await Promise.all([decoder.completed, decoder.tracks.ready]);
    const frames = decoder.tracks.selectedTrack!.frameCount;
    const found: Decoded = { frames, milliseconds: 0, sizes: [], drawn: [] };
    for (let frameIndex = 0; frameIndex < frames; frameIndex++) {
      const { image } = await decoder.decode({ frameIndex });
      found.milliseconds += image.duration! / 1000;
      if (frameIndex === 0 || frameIndex === frames - 1) {
        const [width, height] = [image.displayWidth, image.displayHeight];
        const context = new OffscreenCanvas(width, height).getContext("2d")!;
        context.drawImage(image, 0, 0);
        const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
        found.sizes.push([width, height]);
        found.drawn.push(pixels.filter((pixel) => pixel !== pixels[0]).length / pixels.length);
      }
      image.close();
    }
    return found;
  }, gif.toString("base64"));

test("the film of the first example is the same file twice, small, and decodes; dropping it opens the state", async ({
  page,
}) => {
  await openShare(page, "#v=1&lab=attention&ex=four-words&mask=causal", "attention");
  const link = await page.getByRole("textbox", { name: "Link" }).innerText();
  const film = await saved(page);
  expect(film.file).toMatch(/^attention-\w{4}\.gif$/);
  await expect(page.getByText(`Saved as ${film.file}.`)).toBeVisible();
  expect(film.bytes.length).toBeLessThan(MOST_BYTES);
  expect(recognizeFile(film.bytes)).toEqual({ kind: "state", hash: link.split("#")[1] });
  expect(await violations(page)).toEqual([]);
  const weights = await shownOn(page, "weights");

  // Another window and another moment of the page make the same file.
  await page.setViewportSize({ width: 900, height: 700 });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const again = await saved(page);
  expect(again.bytes.equals(film.bytes)).toBe(true);

  const { frames, milliseconds, sizes, drawn } = await decoded(page, film.bytes);
  expect(frames).toBeGreaterThan(40);
  expect(milliseconds).toBe(10_000);
  expect(sizes[0]).toEqual(sizes[1]);
  expect(sizes[0]![0]).toBe(960);
  expect(drawn[1]! - drawn[0]!).toBeGreaterThan(0.1);

  await page.keyboard.press("Escape");
  await openPage(page, "#v=1&lab=losses");
  await still(page, "losses");
  await drop(page, { name: "renamed.gif", bytes: film.bytes });
  await still(page, "attention");
  expect(await shownOn(page, "weights")).toEqual(weights);
  await expect(page.locator("ap-notice")).toHaveCount(0);
});

test("a film of learning, in the dark theme, is small and lasts ten seconds", async ({ page }) => {
  await openShare(page, "#v=1&lab=optimizers&ex=five-on-a-bowl&theme=dark", "optimizers");
  const { bytes } = await saved(page);
  expect(bytes.length).toBeLessThan(MOST_BYTES);
  expect(await decoded(page, bytes)).toMatchObject({ frames: 60, milliseconds: 10_000 });
});

/** Begins a film, which is only made after `go`, and collects what is downloaded. */
async function beginFilm(page: Page): Promise<{ go: () => void; downloads: readonly Download[] }> {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/assets\/film-/, async (route) => {
    await held;
    await route.continue();
  });
  const downloads: Download[] = [];
  page.on("download", (download) => downloads.push(download));
  await openShare(page, "#v=1&lab=attention&ex=four-words", "attention");
  await make(page).click();
  return { go, downloads };
}

test("making a film can be cancelled, and begun again", async ({ page }) => {
  const { go, downloads } = await beginFilm(page);
  await expect(page.getByRole("status").filter({ hasText: "The film is being made: 0 %." })).toBeVisible();
  await page.getByRole("button", { name: "Cancel the film" }).click();
  go();
  await expect(make(page)).toBeFocused();
  await expect(page.getByText("The film is being made")).toHaveCount(0);
  await expect(page.locator("ap-notice")).toHaveCount(0);
  const { bytes } = await saved(page);
  expect(recognizeFile(bytes).kind).toBe("state");
  expect(downloads).toHaveLength(1);
});

test("closing the dialog cancels the film", async ({ page }) => {
  const { go, downloads } = await beginFilm(page);
  await expect(page.getByRole("button", { name: "Cancel the film" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  go();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(make(page)).toBeVisible();
  const { bytes } = await saved(page);
  expect(recognizeFile(bytes).kind).toBe("state");
  expect(downloads).toHaveLength(1);
});

test("a browser that cannot draw says so", async ({ page }) => {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
      const [, options] = given as [string, CanvasRenderingContext2DSettings | undefined];
      return options?.willReadFrequently ? null : original.apply(this, given);
    } as typeof HTMLCanvasElement.prototype.getContext;
  });
  await openShare(page, "#v=1&lab=attention&ex=four-words", "attention");
  await make(page).click();
  await expect(page.locator("ap-notice", { hasText: "no 2d canvas" })).toHaveCount(1);
  await expect(make(page)).toBeVisible();
});

test("while a comparison is shown there is no film, and a sentence says why", async ({ page }) => {
  await openPage(page, "#v=1&lab=attention&ex=four-words");
  await still(page, "attention");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(make(page)).toBeDisabled();
  await expect(page.getByText("end the comparison or the gradient first")).toBeVisible();
});
