/**
 * The reader's own data: numbers pasted or dropped into a tensor, and text split at spaces, into characters
 * or byte pairs.
 */
import type { Page } from "@playwright/test";
import { formatNote } from "../../web/marks/numbers.js";
import { violations } from "./axe.js";
import { expectShown, numbersOf, shownOn } from "./drawn-numbers.js";
import { drop, dropOn } from "./drop.js";
import { cell, copied, expect, fullValue, grid, openPage, still, test, readLesson } from "./open.js";
import { reference } from "./reference.js";

const said = (page: Page) => page.locator("ap-lab .stage ap-stage .refused");

/** Pastes a text into a cell that has the focus. */
async function paste(page: Page, text: string, name: string, row: number, column: number): Promise<void> {
  await cell(page, name, row, column).focus();
  await page.evaluate((copy) => navigator.clipboard.writeText(copy), text);
  await page.keyboard.press("Control+V");
}

/** An array in NumPy's file format: float64, in C order. */
function npy(shape: number[], data: number[]): Uint8Array {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': (${tuple}), }`;
  const header = text.padEnd(64 * Math.ceil((text.length + 11) / 64) - 11) + "\n";
  const bytes = new Uint8Array(10 + header.length + 8 * data.length);
  bytes.set([0x93, ...Buffer.from("NUMPY"), 1, 0, header.length & 255, header.length >> 8]);
  bytes.set(Buffer.from(header), 10);
  const view = new DataView(bytes.buffer);
  data.forEach((value, at) => view.setFloat64(10 + header.length + 8 * at, value, true));
  return bytes;
}

test("typing right after the words are opened edits their text", async ({ page }) => {
  await openPage(page, "#v=1");
  await page.getByRole("button", { name: /^Words/ }).click();
  const text = page.getByRole("textbox", { name: "Words" });
  await expect(text).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("cats chase mice");
  await expect(text).toHaveValue("cats chase mice");
});

test("a block of a spreadsheet is put in from the cell on, and everything that depends on it is computed", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  const before = await numbersOf(page, "W_Q");
  await paste(page, "1.5\t\u22122\r\n0\t3e-1\r\n", "query projection", 1, 1);
  await expectShown(page, "W_Q", [...before.slice(0, 4), 1.5, -2, before[6]!, 0, 0.3]);
  await expect(page.locator("ap-sentence")).toContainText("4 numbers by hand.");
  const { expected } = reference("four_words");
  await expect(page).toHaveURL(/edit=W_Q/);
  const words = await numbersOf(page, "X");
  // Word 2 is the second row of W_Q, because it is (0, 1, 0).
  expect(words.slice(3, 6)).toEqual([0, 1, 0]);
  const queries = [expected["w_q"]!.data[3]!, 1.5, -2];
  expect((await numbersOf(page, "Q")).slice(3, 6)).toEqual(queries);
  expect((await shownOn(page, "Q")).slice(3, 6)).toEqual(queries.map(formatNote));
  await page.getByRole("button", { name: "Undo" }).click();
  await expectShown(page, "W_Q", before);
});

test("pasted numbers count for the lesson like typed ones", async ({ page }) => {
  await openPage(page, "#v=1");
  await still(page, "attention");
  await readLesson(page);
  await paste(page, "7\t8", "words", 0, 1);
  await expect(page.locator("ap-transport p")).toHaveClass("tick");
});

test("NumPy's print of a whole matrix can be pasted into any cell, and the link holds it", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  const print =
    "[[ 1.00e+00 -2.50e-01  0.00e+00]\n [ 0.00e+00  1.00e+00  5.00e-01]\n [-1.00e+00  2.00e+00  4.00e+00]]";
  const whole = [1, -0.25, 0, 0, 1, 0.5, -1, 2, 4];
  await paste(page, print, "query projection", 2, 2);
  await expectShown(page, "W_Q", whole);
  await fullValue(page, "query projection", 0, 1);
  await expect.poll(() => page.url()).toContain("W_Q");
  await page.reload();
  await still(page, "attention");
  await expectShown(page, "W_Q", whole);
});

test("own Q, K and V: a paste on a computed tensor offers them, and the output is computed from them", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  const q = [1, -0.5, 0.25, 2, 0, 1.5, -1, 0.5, 0.75, 1, 1, -2];
  const k = [0.5, 1, -1, 0.25, 2, 0, -0.5, 1, 1.5, 1, 0.5, -1];
  const v = [1, 2, 3, -1, 0.5, 4];
  const text = (data: number[], columns: number) =>
    data.map((value, at) => `${value}${(at + 1) % columns ? "\t" : "\n"}`).join("");
  const place = await cell(page, "queries", 0, 0).boundingBox();
  await paste(page, text(q, 4), "queries", 0, 0);
  await expect(page.getByText("X becomes the identity matrix")).toBeVisible();
  expect(await cell(page, "queries", 0, 0).boundingBox(), "the stage stays under the pointer").toEqual(place);
  const title = await page.getByRole("heading", { level: 1 }).boundingBox();
  const notice = await page.getByText("X becomes the identity matrix").boundingBox();
  expect(notice!.x, "what is said hangs beside the title").toBeGreaterThan(title!.x + title!.width);
  await page.getByRole("button", { name: "Start from my Q, K, V" }).click();
  await expectShown(page, "Q", q);
  await paste(page, text(k, 4), "keys", 1, 1);
  await paste(page, text(v, 2), "values", 0, 0);
  // For values of another width no other setting has to change.
  await expectShown(page, "V_above", v);
  await expect(page).toHaveURL(/wv=1,2;3,-1;0.5,4/);
  const rows = (data: number[], columns: number): number[][] =>
    data.flatMap((_, at) => (at % columns ? [] : [data.slice(at, at + columns)]));
  const weights = rows(q, 4).map((query) => {
    const scores = rows(k, 4).map((key) => query.reduce((sum, one, at) => sum + one * key[at]!, 0) / 2);
    const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
    return scores.map((score) => Math.exp(score) / sum);
  });
  const output = weights.flatMap((row) =>
    [0, 1].map((column) => row.reduce((sum, weight, at) => sum + weight * v[2 * at + column]!, 0)),
  );
  const near = (values: number[]) => values.map((value) => expect.closeTo(value, 12));
  expect(await numbersOf(page, "output")).toEqual(near(output));
  await page.reload();
  await still(page, "attention");
  expect(await numbersOf(page, "output")).toEqual(near(output));
  // A number typed into one of them is an edit of its projection, which is not drawn.
  await expect(grid(page, "query projection")).toHaveCount(0);
  await cell(page, "queries", 1, 2).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("0.125");
  await page.keyboard.press("Enter");
  await expectShown(page, "Q", q.with(6, 0.125));
  await expect(page).toHaveURL(/edit=W_Q,1,2,0.125/);
  await expect(cell(page, "queries", 1, 2)).toHaveAccessibleName(/by hand/);
  await page.keyboard.press("Control+Z");
  await expectShown(page, "Q", q);
  await paste(page, text(q, 6), "keys", 0, 0);
  await expect(page.getByText("new numbers are drawn, until you paste yours.")).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expectShown(page, "K", k);
});

test("numbers that do not fit, and texts that are not numbers, are refused at the cell, and nothing changes", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  const before = await numbersOf(page, "W_Q");
  await paste(page, "1,2,3,4", "query projection", 1, 1);
  await expect(said(page)).toHaveText("From this cell of W_Q (3×3) on: expected at most 2×2, got 1×4.");
  await paste(page, "1 two", "query projection", 1, 1);
  await expect(said(page)).toHaveText("Line 1: “two” is not a number.");
  await paste(page, "1 nan", "query projection", 0, 0);
  await expect(said(page)).toHaveText("Row 1, column 2: expected a number, got NaN.");
  expect(await violations(page)).toEqual([]);
  await paste(page, "1 2", "scores", 0, 0);
  await expect(said(page)).toHaveText("Computed: scores. Change an input to change it.");
  await cell(page, "scores", 1, 1).focus();
  await expect(said(page)).toHaveText("");
  await expectShown(page, "W_Q", before);
});

test("a .npy file dropped on an input sets its cells; another shape is refused with both shapes", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  const target = grid(page, "query projection").first();
  const values = [0.1, 2 ** -40, -3, 1e300, 5, 6, 7, 8, 9];
  await dropOn(target, { name: "w.npy", bytes: npy([3, 3], values) });
  await expectShown(page, "W_Q", values);
  expect((await copied(page, "query projection", 0, 1)).value).toBe(2 ** -40);
  await dropOn(target, {
    name: "w.npy",
    bytes: npy(
      [4, 3],
      Array.from({ length: 12 }, (_, at) => at),
    ),
  });
  await expect(said(page)).toHaveText("W_Q: expected 3×3, got 4×3.");
  await dropOn(target, { name: "cut.npy", bytes: npy([3, 3], values).subarray(0, 100) });
  await expect(page.locator("ap-notice")).toContainText("This file cannot be read.");
  await expectShown(page, "W_Q", values);
  // The notice about one file goes when another file is refused at its tensor.
  await dropOn(target, { name: "w.csv", bytes: "1,2\n3,4\n" });
  await expect(said(page)).toHaveText("W_Q: expected 3×3, got 2×2.");
  await expect(page.locator("ap-notice")).toHaveCount(0);
  await dropOn(target, { name: "w.csv", bytes: "1,2,3\n4,5,6\n7,8,9\n" });
  await expectShown(page, "W_Q", [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await expect(page.locator("ap-notice")).toHaveCount(0);
});

test("a file's name cannot reverse the direction of the notice about it", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await drop(page, { name: "a\u202Egnp.txt", bytes: "the cat sat" });
  await expect(page.locator("ap-notice")).toContainText("a\uFFFDgnp.txt");
});

test("the menu of an input puts a chosen file in; the menu of a product has no such button", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  await cell(page, "words", 0, 0).focus();
  await page.keyboard.press("t");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "From a file" }).click(),
  ]);
  const rows = Array.from({ length: 12 }, (_, at) => at - 6);
  await chooser.setFiles({ name: "x.npy", mimeType: "", buffer: Buffer.from(npy([4, 3], rows)) });
  await expectShown(page, "X", rows);
  await cell(page, "scores", 0, 0).focus();
  await page.keyboard.press("t");
  await expect(page.getByRole("dialog", { name: "Take scores with you" })).toBeVisible();
  await expect(page.getByRole("button", { name: "From a file" })).toHaveCount(0);
});

/** The words in the address. */
const tokens = (page: Page): string[] =>
  new URLSearchParams(new URL(page.url()).hash.slice(1)).get("tokens")?.split(",") ?? [];

test("own text by characters and by byte pairs: pieces the core learns, held by the link, and computed with", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: /^Words: / }).click();
  const text = page.getByRole("textbox", { name: "Words" });
  await text.fill("low lower lowest");
  await expect.poll(() => tokens(page)).toEqual(["low", "lower", "lowest"]);

  await page.getByRole("radio", { name: "characters" }).check();
  await expect.poll(() => tokens(page)).toEqual([..."low␣lower␣lowest"]);
  await expect(text).toHaveValue("low lower lowest");

  await page.getByRole("radio", { name: "byte pairs" }).check();
  // The first pairs are l o, lo w, then ␣ low, and ␣low e: of equally frequent pairs the one with the smaller ids comes first.
  const merges = page.getByRole("spinbutton", { name: "Merges" });
  await merges.fill("2");
  await expect.poll(() => tokens(page)).toEqual(["low", "␣", "low", "e", "r", "␣", "low", "e", "s", "t"]);
  await merges.fill("0");
  await expect.poll(() => tokens(page)).toEqual([..."low␣lower␣lowest"]);
  await merges.fill("100");
  await expect.poll(() => tokens(page)).toEqual(["low", "␣lowe", "r", "␣lowe", "s", "t"]);
  await expect(page.locator("ap-control")).toContainText("After 4 merges no pair occurs twice. Pieces: 6.");
  await expect(page.locator("ap-control")).not.toContainText("bytes of UTF-8");

  await text.fill("我爱你");
  await expect.poll(() => tokens(page)).toHaveLength(9);
  await expect(page.locator("ap-control")).toContainText(
    "A Chinese character is three bytes of UTF-8, and begins as three pieces like <E6>.",
  );
  await text.fill("low lower lowest");
  await expect.poll(() => tokens(page)).toHaveLength(6);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await still(page, "attention");
  await expect(page.getByRole("button", { name: /^Words: 6 pieces/ })).toBeVisible();
  expect(await shownOn(page, "weights")).toHaveLength(36);
  await expect(grid(page, "weights").first()).toHaveAccessibleName(/rows low to t/);

  const link = page.url();
  expect(link).not.toContain("merges");
  await page.goto("about:blank");
  await page.goto(link);
  await still(page, "attention");
  expect(tokens(page)).toEqual(["low", "␣lowe", "r", "␣lowe", "s", "t"]);
});

test("a text of another script: whole characters where bytes became one, their numbers where not; long texts are cut", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=multi-head&source=words&tokens=a,b");
  await still(page, "multi-head");
  await page.getByRole("button", { name: /^Words: / }).click();
  const text = page.getByRole("textbox", { name: "Words" });
  await text.fill("你好，你好");
  await page.getByRole("radio", { name: "byte pairs" }).check();
  await expect.poll(() => tokens(page)).toEqual(["你好", "<EF>", "<BC>", "<8C>", "你好"]);
  await expect(text).toHaveValue("你好，你好");
  await page.getByRole("radio", { name: "spaces" }).check();
  await expect.poll(() => tokens(page)).toEqual(["你", "好", "，", "你", "好"]);
  await page.getByRole("radio", { name: "characters" }).check();
  await text.fill("ab".repeat(50));
  await expect(grid(page, "weights").first()).toHaveAccessibleName(/^weights, 64 by 64, rows a to b/);
  await expect(page.locator("ap-control")).toContainText("Of 100 pieces the first 64 are used.");
});

test.describe("on a phone, in Chinese and dark", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: "zh-CN", colorScheme: "dark" });
  test("the settings' sheet cuts a text by byte pairs, and nothing overflows", async ({ page }) => {
    await openPage(page);
    await still(page, "attention");
    await page.getByRole("button", { name: /词.*种子/ }).click();
    const settings = page.getByRole("dialog", { name: "设置" });
    await settings.getByRole("textbox", { name: "词", exact: true }).fill("天天向上 天天");
    await settings.getByRole("radio", { name: "字节对" }).first().check();
    await expect.poll(() => tokens(page).join("|")).toContain("天天");
    expect(await violations(page)).toEqual([]);
    await settings.getByRole("button", { name: "完成" }).click();
    await still(page, "attention");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });
});
