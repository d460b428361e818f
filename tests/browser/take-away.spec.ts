/** Saving and opening: files of a tensor and of the stage contain the link, and such a file restores its state. */
import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import jsQR from "jsqr";
import { recognizeFile } from "../../web/files/saved-link.js";
import { readNumbers } from "../../web/files/numbers-text.js";
import { violations } from "./axe.js";
import { expectShown, numbersOf, shownOn } from "./drawn-numbers.js";
import { drag, drop } from "./drop.js";
import { cell, expect, labIds, openPage, still, test } from "./open.js";
import { reference } from "./reference.js";

const menu = (page: Page) => page.getByRole("dialog", { name: /^Take .* with you$/ });

/** The file that a button saves. */
async function saved(page: Page, name: RegExp): Promise<{ file: string; bytes: Buffer }> {
  const [download]: [Download, void] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name }).click(),
  ]);
  return { file: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** The first bytes of NumPy's files. */
const magic = Uint8Array.from([0x93, ...Buffer.from("NUMPY")]);

const hash = (page: Page): string => new URL(page.url()).hash.slice(1);

test("saving a tensor's numbers by keys alone: CSV, JSON and .npy hold every bit, and the link", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=attention&ex=four-words&mask=causal");
  await still(page, "attention");
  await cell(page, "weights", 2, 0).focus();
  await page.keyboard.press("t");
  await expect(menu(page)).toBeVisible();
  await expect(menu(page).getByRole("heading", { level: 2 })).toContainText("4×4");
  await expect(page.getByRole("button", { name: "Save weights as .csv" })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  const numbers = await numbersOf(page, "weights");
  expect(numbers.slice(0, 4)).toEqual([1, 0, 0, 0]);
  const link = page.url();

  const csv = await saved(page, /as \.csv$/);
  expect(csv.file).toBe("attention-weights.csv");
  await expect(menu(page)).toContainText("Saved as attention-weights.csv.");
  const text = csv.bytes.toString();
  const [first, second] = text.split("\n");
  expect([first, second]).toEqual([`# ${link}`, "# weights (4, 4)"]);
  expect(readNumbers(text)).toEqual({ shape: [4, 4], data: Float64Array.from(numbers) });

  const json = await saved(page, /as JSON$/);
  expect(JSON.parse(json.bytes.toString())).toEqual({
    name: "weights",
    shape: [4, 4],
    dtype: "float64",
    data: numbers,
    link,
  });

  const npy = await saved(page, /as \.npy$/);
  expect(npy.file).toBe("attention-weights.npy");
  expect(npy.bytes.subarray(0, 6).toString("latin1")).toBe("\x93NUMPY");
  const header = 10 + npy.bytes.readUInt16LE(8);
  expect(npy.bytes.subarray(10, header).toString()).toMatch(
    /'descr': '<f8', 'fortran_order': False, 'shape': \(4, 4\)/,
  );
  const { buffer, byteOffset, length } = Buffer.from(npy.bytes.subarray(header));
  const copied = buffer.slice(byteOffset, byteOffset + length);
  expect([...new Float64Array(copied)]).toEqual(numbers);

  await page.keyboard.press("Escape");
  await expect(menu(page)).toBeHidden();
  await expect(cell(page, "weights", 2, 0)).toBeFocused();
});

/** A page outside the site, because the playground's own policy forbids parsing and drawing foreign files. */
async function elsewhere<Result>(page: Page, look: (blank: Page) => Promise<Result>): Promise<Result> {
  const blank = await page.context().newPage();
  try {
    return await look(blank);
  } finally {
    await blank.close();
  }
}

/** The fraction of pixels in which two pictures differ, and the fraction of the second that is not background. */
const compared = (
  page: Page,
  svg: Buffer,
  png: Buffer,
): Promise<{ apart: number; drawn: number; size: number[] }> =>
  elsewhere(page, (blank) =>
    blank.evaluate(
      async (addresses) => {
        const [vector, raster] = await Promise.all(
          addresses.map(async (address) => {
            const image = new Image();
            image.src = address;
            await image.decode();
            return image;
          }),
        );
        const [width, height] = [raster!.naturalWidth, raster!.naturalHeight];
        const side = 14;
        const [across, down] = [Math.floor(width / side), Math.floor(height / side)];
        /** Averages over squares, so that letters shifted by a fraction of a pixel are equal, and missing letters are not. */
        const blocks = (image: HTMLImageElement): Float64Array => {
          const context = new OffscreenCanvas(width, height).getContext("2d")!;
          context.drawImage(image, 0, 0, width, height);
          const { data } = context.getImageData(0, 0, width, height);
          const sums = new Float64Array(3 * across * down);
          for (let y = 0; y < side * down; y++) {
            for (let x = 0; x < side * across; x++) {
              const block = 3 * (Math.floor(y / side) * across + Math.floor(x / side));
              for (let part = 0; part < 3; part++)
                sums[block + part]! += data[4 * (y * width + x) + part]! / side ** 2;
            }
          }
          return sums;
        };
        const [one, other] = [blocks(vector!), blocks(raster!)];
        let [apart, drawn] = [0, 0];
        for (let at = 0; at < one.length; at += 3) {
          const far = (from: Float64Array, place: number): number =>
            Math.max(...[0, 1, 2].map((part) => Math.abs(other[at + part]! - from[place + part]!)));
          if (far(one, at) > 24) apart++;
          if (far(other, 0) > 8) drawn++;
        }
        return { apart: (3 * apart) / one.length, drawn: (3 * drawn) / one.length, size: [width, height] };
      },
      [
        `data:image/svg+xml;base64,${svg.toString("base64")}`,
        `data:image/png;base64,${png.toString("base64")}`,
      ],
    ),
  );

interface ReadSvg {
  broken: string | null;
  size: number[];
  texts: string[];
  paper: string | null;
}

const readSvg = (page: Page, svg: Buffer): Promise<ReadSvg> =>
  elsewhere(page, (blank) =>
    blank.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
      const root = parsed.documentElement;
      return {
        broken: parsed.querySelector("parsererror")?.textContent ?? null,
        size: ["width", "height"].map((side) => Number(root.getAttribute(side))),
        texts: [...parsed.querySelectorAll("text")].map((text) => text.textContent),
        paper: parsed.querySelector("rect")!.getAttribute("fill"),
      };
    }, svg.toString()),
  );

test("a picture of one tensor, from the note: text in the SVG, twice the resolution in the PNG, equal looks, the link in both", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  await cell(page, "weights", 0, 2).focus();
  await expect(page.locator("ap-note h2")).toHaveText("weights[0, 2]");
  await page.locator("ap-note").getByRole("button", { name: "Take this tensor with you" }).click();

  const svg = await saved(page, /as SVG$/);
  expect(svg.file).toBe("attention-weights.svg");
  await expect.poll(() => ({ kind: "state", hash: hash(page) })).toEqual(recognizeFile(svg.bytes));
  const { broken, size, texts, paper } = await readSvg(page, svg.bytes);
  expect(broken).toBeNull();
  expect(paper).toBe("rgb(252, 251, 248)");
  const wanted = reference("four_words").expected["weights"]!.data;
  for (const number of wanted.filter((value) => value > 0.05)) expect(texts).toContain(number.toFixed(3));
  expect(texts).toContain("word 4");

  const png = await saved(page, /as PNG$/);
  expect(recognizeFile(png.bytes)).toEqual(recognizeFile(svg.bytes));
  const alike = await compared(page, svg.bytes, png.bytes);
  expect(alike.size).toEqual(size.map((side) => 2 * side));
  expect(alike.drawn).toBeGreaterThan(0.2);
  expect(alike.apart).toBeLessThan(0.005);
});

for (const lab of labIds) {
  test(`a picture of the stage of ${lab}, in the dark theme: both formats show the same`, async ({
    page,
  }) => {
    await openPage(page, `#v=1&lab=${lab}&theme=dark`);
    await still(page, lab);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const svg = await saved(page, /picture of the stage as SVG$/);
    expect(svg.file).toMatch(new RegExp(`^${lab}-\\w{4}\\.svg$`));
    const { broken, size, paper } = await readSvg(page, svg.bytes);
    expect(broken).toBeNull();
    expect(paper).toBe("rgb(19, 21, 24)");
    const png = await saved(page, /picture of the stage as PNG$/);
    const alike = await compared(page, svg.bytes, png.bytes);
    expect(alike.size).toEqual(size.map((side) => 2 * side));
    expect(alike.drawn).toBeGreaterThan(0.05);
    expect(alike.apart).toBeLessThan(0.01);
    expect(recognizeFile(png.bytes)).toEqual({ kind: "state", hash: hash(page) });
  });
}

test("the Share dialog gives the numbers of any tensor, and opens a saved file", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("combobox", { name: "Numbers of" }).selectOption({ label: "Q, queries · 4×3" });
  const json = await saved(page, /^Save queries as JSON$/);
  expect(json.file).toBe("attention-Q.json");
  await expect(page.getByText("Saved as attention-Q.json.")).toBeVisible();
  const read = JSON.parse(json.bytes.toString()) as { data: number[]; shape: number[] };
  expect(read.data).toEqual(reference("four_words").expected["q"]!.data);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");

  await openPage(page, "#v=1&lab=multi-head");
  await still(page, "multi-head");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Open a saved file" }).click(),
  ]);
  await chooser.setFiles({ name: "q.json", mimeType: "application/json", buffer: json.bytes });
  await still(page, "attention");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expectShown(page, "Q", read.data);
});

/** The pixels in the lower right corner of a PNG: red, green, blue, opacity. */
async function cornerOf(page: Page, png: Buffer, side: number): Promise<Uint8ClampedArray> {
  const text = await page.evaluate(
    async ([encoded, width]) => {
      const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(width, width).getContext("2d")!;
      context.drawImage(image, width - image.width, width - image.height);
      const { data } = context.getImageData(0, 0, width, width);
      return Array.from(data, (level) => String.fromCharCode(level)).join("");
    },
    [png.toString("base64"), side] as const,
  );
  return Uint8ClampedArray.from(text, (letter) => letter.charCodeAt(0));
}

test("a picture of the stage has a QR code of its link if the reader chose it", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openPage(page, "#v=1&lab=attention&ex=four-words&mask=causal");
  await still(page, "attention");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).innerText();
  await page.getByRole("checkbox", { name: "with a QR code" }).check();
  const png = await saved(page, /^Save a picture of the stage as PNG$/);
  const side = 700;
  expect(jsQR(await cornerOf(page, png.bytes, side), side, side)?.data).toBe(link);
  const svg = await saved(page, /^Save a picture of the stage as SVG$/);
  expect(svg.bytes.toString()).toContain("Attention, step by step</text>");
});

/** The first cell of the query weights. */
const firstWeight = async (page: Page): Promise<string> => (await shownOn(page, "W_Q"))[0]!;

test("a saved picture dropped on another page restores its state: edits, mask, cell", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await cell(page, "query projection", 0, 0).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await expect.poll(() => firstWeight(page)).toBe("5");
  await still(page, "attention");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const png = await saved(page, /picture of the stage as PNG$/);
  const svg = await saved(page, /picture of the stage as SVG$/);
  await page.keyboard.press("Escape");
  const edited = await shownOn(page, "output");

  await openPage(page, "#v=1&lab=vit");
  await still(page, "vit");
  await drop(page, { name: "attention.png", bytes: png.bytes });
  await still(page, "attention");
  expect(await shownOn(page, "output")).toEqual(edited);
  await expect(page.locator("ap-notice")).toHaveCount(0);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => firstWeight(page)).not.toBe("5");
  await drop(page, { name: "renamed.txt", bytes: svg.bytes });
  await expect.poll(() => firstWeight(page)).toBe("5");
  await page.goBack();
  await expect.poll(() => firstWeight(page)).not.toBe("5");
});

test("files without a state have a notice, nothing changes, and a picture can be opened in the image lab", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  const before = page.url();
  const notice = page.locator("ap-notice");

  await drop(page, { name: "notes.txt", bytes: "hello" });
  await expect(notice).toContainText("This file holds no link.");
  await drop(page, { name: "broken.npy", bytes: magic });
  await expect(notice).toContainText("broken.npy");
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toHaveCount(0);
  expect(page.url()).toBe(before);

  const photo = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 80;
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#c02040";
    context.fillRect(0, 0, 80, 80);
    return canvas.toDataURL("image/png").split(",")[1]!;
  });
  const file = { name: "photo.png", bytes: Buffer.from(photo, "base64") };
  await drop(page, file);
  await expect(notice).toContainText("This picture holds no link.");
  expect(await violations(page)).toEqual([]);
  await notice.getByRole("button", { name: "Use it in the image lab" }).click();
  await still(page, "vit");
  // A link holds fewer shades than a picture.
  await expect(page).toHaveURL(/(image|pixels)=/);
  expect(Math.abs((await numbersOf(page, "image"))[0]! - 0xc0)).toBeLessThan(8);
  await expect(notice).toHaveCount(0);
});

test("while a file is dragged over the page, a sentence says where it would go", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  const veil = page.locator("ap-drop-veil").getByRole("status");
  const at = (await cell(page, "query projection", 1, 1).boundingBox())!;
  const npy = { name: "w.npy", bytes: magic };
  await drag(page, npy, at.x + 4, at.y + 4, false);
  await expect(veil).toBeVisible();
  await expect(veil).toHaveText("Drop to put the numbers into W_Q, 3×3.");
  await drag(page, npy, 12, 100, false);
  await expect(veil).toHaveText(/^Drop a saved picture or table to open it\./);
  await drag(page, { ...npy, name: "a.png" }, at.x + 4, at.y + 4, false);
  await expect(veil).toHaveText(/^Drop a saved picture or table to open it\./);
  await drag(page, { name: "notes.txt", bytes: "hello" }, 12, 100);
  await expect(veil).toBeHidden();
});

test.describe("on a phone, in Chinese", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: "zh-CN" });
  test("the note's menu and the Share dialog save, and nothing overflows", async ({ page }) => {
    await openPage(page);
    await still(page, "attention");
    await page.locator("ap-note").getByRole("button", { name: "展开计算过程" }).tap();
    await page.locator("ap-note").getByRole("button", { name: "导出这个张量" }).click();
    const box = (await page.getByRole("dialog", { name: /^导出/ }).boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    const svg = await saved(page, /存为 SVG$/);
    expect((await readSvg(page, svg.bytes)).texts).toContain("词 1");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "分享" }).click();
    const png = await saved(page, /^把整个画面存为 PNG$/);
    expect(recognizeFile(png.bytes)).toEqual({ kind: "state", hash: hash(page) });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });
});

test("Share, opened before the numbers of another lab are there, saves the lab that is still drawn", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=four-words");
  await still(page, "attention");
  await page.evaluate(() => {
    // The first message asks for the numbers of the other lab: it waits until `release` is called.
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...message: unknown[]) {
      Worker.prototype.postMessage = send;
      Object.assign(globalThis, { release: () => send.apply(this, message as never) });
    };
    location.hash = "v=1&ex=two-heads";
  });
  await page.waitForFunction(() => "release" in globalThis);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const { bytes } = await saved(page, /as \.csv$/);
  expect(bytes.toString()).toContain("&ex=four-words");
  await page.evaluate(() => (globalThis as unknown as { release: () => void }).release());
  await still(page, "multi-head");
});
