/** The map of the model: it opens labs by pointer and by keys, shows numbers of the translation, and is fetched when it is opened. */
import type { Locator, Page } from "@playwright/test";
import { violations, violationsInBothThemes } from "./axe.js";
import { expect, hosts, openPage, test, waitUntilIdle } from "./open.js";

const block = (page: Page, id: string): Locator => page.locator(`ap-map a[data-block="${id}"]`);
const note = (page: Page): Locator => page.locator("ap-block-note");

/** Opens the map and waits for its numbers. */
async function openMap(page: Page, fields = ""): Promise<void> {
  await page.goto(`${hosts.page}#contents${fields}`);
  await expect(page.locator("ap-map ap-figure canvas").first()).toBeAttached();
}

/** The middle of a cell of one head of an attention. */
async function middleOf(
  page: Page,
  board: string,
  [row, column]: [number, number],
  [rows, columns]: [number, number],
) {
  const box = (await page.locator(`ap-map canvas[data-tensor="${board}"]`).boundingBox())!;
  return { x: box.x + ((column + 0.5) * box.width) / columns, y: box.y + ((row + 0.5) * box.height) / rows };
}

test("the note shows the cell under the pointer, and a click opens the lab there", async ({ page }) => {
  await openMap(page);
  await expect(note(page)).toContainText("decoder.multihead_attn.weights[0, 2, 3]");
  await expect(note(page)).toContainText("head 0: “vieux” looks at “cat”");
  const { x, y } = await middleOf(page, "decoder.cross-1", [3, 2], [6, 5]);
  await page.mouse.move(x, y);
  await expect(note(page)).toContainText("decoder.multihead_attn.weights[1, 3, 2]");
  await expect(note(page)).toContainText("head 1: “chat” looks at “black”");
  const shown = await note(page).locator("output").textContent();
  // The words of its row and its column are bold and framed where their staves begin.
  await expect(page.locator("ap-map .row-name.on")).toHaveText(["black", "chat"]);
  await expect(page.locator("ap-map .frame:not(.ink)")).toHaveCount(2);
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(/ex=old-black-cat.*cell=decoder\.multihead_attn\.weights,1,3,2/);
  await expect(page.locator("ap-note h2")).toHaveText("decoder.multihead_attn.weights[1, 3, 2]");
  await expect(page.locator("ap-note")).toContainText(shown!.trim());
});

test("a block of another lab opens that lab, where it can on the same words", async ({ page }) => {
  await openMap(page);
  await block(page, "encoder.network").click();
  await expect(page).toHaveURL(/lab=block.*tokens=the,old,black,cat,sleeps/);
  await expect(page.locator("ap-stage .row-name", { hasText: "sleeps" }).first()).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The whole Transformer, live");
  await page.getByRole("link", { name: "11 Optimizers", exact: true }).click();
  await expect(page).toHaveURL(/ex=five-on-a-bowl/);
});

test("keys: Tab follows the flow, arrows go to neighbours, Enter opens", async ({ page }) => {
  await openMap(page);
  await block(page, "encoder.words").focus();
  await page.keyboard.press("ArrowRight");
  await expect(block(page, "encoder.places")).toBeFocused();
  await expect(note(page)).toContainText("source.positional_encoding[2, ");
  await page.keyboard.press("ArrowDown");
  await expect(block(page, "decoder.places")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowUp");
  await expect(block(page, "encoder.words")).toBeFocused();
  const order: string[] = [];
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press("Tab");
    const focused = page.locator("ap-map a.block:focus");
    const id = (await focused.count()) ? await focused.getAttribute("data-block") : null;
    if (id) order.push(id);
  }
  expect(order.slice(0, 9)).toEqual([
    "encoder.places",
    "encoder.input",
    "encoder.self",
    "encoder.sum1",
    "encoder.network",
    "encoder.sum2",
    "encoder.memory",
    "decoder.words",
    "decoder.places",
  ]);
  await block(page, "decoder.next").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/lab=losses|ex=label-smoothing/);
});

test("a lab whose lesson is done has a tick", async ({ page }) => {
  await page.addInitScript(() =>
    localStorage.setItem("attention-playground:done", JSON.stringify({ scaling: ["a", "b", "c", "d"] })),
  );
  await openMap(page);
  await expect(page.locator('ap-map a[data-lab="scaling"] svg')).toHaveCount(1);
  await expect(page.locator("ap-map a.lab svg")).toHaveCount(1);
});

test("the header says where in the map a lab is", async ({ page }) => {
  await openPage(page);
  await expect(page.locator("ap-header .glyph")).toHaveCount(1);
  await page.goto(`${hosts.page}#contents`);
  await expect(page.locator(".labs .glyph")).toHaveCount(13);
});

test("each document lists its examples, and how many of its printed numbers match", async ({ page }) => {
  await openMap(page);
  const document = page.locator("#document-000");
  await expect(document.locator(".matches").first()).toHaveText("40/40", { timeout: 30_000 });
  await expect(page.locator("#document-003 .matches").first()).toHaveText("prints nothing");
  await document.locator("summary").click();
  await document
    .getByRole("link", { name: /second run/ })
    .first()
    .click();
  await expect(page).toHaveURL(/ex=ten-by-twenty-run-2/);
});

test("the claims about training are listed with their verdicts, and open their runs", async ({ page }) => {
  await openMap(page);
  const claims = page.locator("#claims");
  await claims.locator("summary").click();
  await expect(claims.getByRole("link")).toHaveCount(16);
  const positions = claims.getByRole("listitem").filter({ hasText: "order cannot be learned" });
  await expect(positions).toContainText("Held before: 5 seeds of 5");
  await expect(claims.getByRole("listitem").filter({ hasText: "warm-up" })).toContainText("Holds in part");
  expect(await violations(page)).toEqual([]);
  await positions.getByRole("link").click();
  await expect(page).toHaveURL(/lab=training&seed=11/);
  await waitUntilIdle(page, 30_000);
  await expect(page.locator("ap-stage").getByText("Held before: 5 seeds of 5")).toBeVisible();
});

test("what cannot be fetched is said, and is fetched on request", async ({ page, watched }) => {
  await openPage(page);
  await page.route(/assets\/map-[^/]*\.js$/, (route) => route.abort());
  await page.getByRole("link", { name: "Examples" }).click();
  await expect(page.locator("ap-notice")).toContainText("The map could not be fetched.");
  await page.unrouteAll({ behavior: "wait" });
  watched.complaints.length = 0;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("ap-map a.block").first()).toBeAttached();
  await expect(page.locator("ap-notice")).toHaveCount(0);
  watched.complaints.length = 0;
});

const searchBox = (page: Page): Locator => page.getByRole("combobox");

test.describe("the search", () => {
  test("is begun from a lab, by a slash and by the header", async ({ page }) => {
    await openPage(page, "#v=1&lab=scaling");
    await page.keyboard.press("/");
    await expect(page).toHaveURL(/#contents/);
    await expect(searchBox(page)).toBeFocused();
    await expect(searchBox(page)).toHaveValue("");
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("link", { name: "Search" }).click();
    await expect(searchBox(page)).toBeFocused();
    await page.keyboard.type("without residual");
    await page.getByRole("option").filter({ hasText: "gradient of the first layer" }).click();
    await expect(page).toHaveURL(/beside=no-residual/);
    // Three models of twelve layers are made and tried on the held-out examples first.
    await waitUntilIdle(page, 30_000);
    await expect(page.locator("ap-stage").getByText("Holds in part")).toBeVisible();
  });

  test("is begun by a slash, finds what a term is called, and opens it by keys", async ({ page }) => {
    await openMap(page);
    await page.keyboard.press("/");
    await expect(searchBox(page)).toBeFocused();
    await page.keyboard.type("mask");
    const options = page.getByRole("option");
    await expect(options.filter({ hasText: "padding mask" })).toBeVisible();
    await expect(options.first()).toHaveAttribute("aria-selected", "true");
    await expect(options.first().locator("mark")).toHaveText("mask");
    await expect(options.filter({ hasText: "padding mask" })).toContainText("填充掩码");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
    await expect(options.nth(1)).toHaveText(/mask/);
    await page.keyboard.press("Enter");
    // A part of the lesson of lab 2.
    await expect(page).toHaveURL(/lesson=mask/);
    await expect(page.getByRole("heading", { name: "What a word may not see" })).toBeInViewport();
  });

  test("finds Chinese, and opens an example by the pointer", async ({ page }) => {
    await openMap(page, "&lang=zh-CN");
    await searchBox(page).fill("掩码");
    await page.getByRole("option", { name: /填充掩码/ }).click();
    await expect(page).toHaveURL(/ex=padded-samples/);
  });

  test("of what is not there it names the nearest; Escape closes it", async ({ page }) => {
    await openMap(page);
    await searchBox(page).fill("softmx");
    await expect(page.getByText(/Nothing under “softmx”\. Nearest:/)).toBeVisible();
    await expect(page.getByRole("button", { name: "softmax" })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByText(/Nothing under/)).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(searchBox(page)).toHaveValue("");
    await searchBox(page).fill("softmx");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/lesson=softmax/);
  });

  test("leads to a document", async ({ page }) => {
    await openMap(page);
    await searchBox(page).fill("scipy");
    await page.getByRole("option", { name: /General attention with NumPy and SciPy/ }).click();
    await expect(page.locator("#document-002")).toHaveAttribute("open");
    await expect(page.locator("#document-002 summary")).toBeFocused();
  });

  test("fetches lessons and terms only when it begins", async ({ page, watched }) => {
    await openMap(page);
    await expect(page.locator("#document-000 .matches").first()).toHaveText("40/40", { timeout: 30_000 });
    const fetched = (): string[] =>
      watched.requests.filter((address) => /assets\/(terms|lesson)-/.test(address));
    expect(fetched()).toEqual([]);
    await searchBox(page).fill("warm");
    await expect(page.getByRole("option", { name: /warm-up/ }).first()).toBeVisible();
    expect(fetched().length).toBeGreaterThan(12);
  });

  test("without them it finds labs and examples, and says so", async ({ page, watched }) => {
    await openMap(page);
    await page.route(/assets\/terms-[^/]*\.js$/, (route) => route.abort());
    await searchBox(page).fill("mask");
    await expect(page.getByText("Lessons and terms could not be fetched")).toBeVisible();
    await expect(page.getByRole("option", { name: /One mask/ })).toBeVisible();
    watched.complaints.length = 0;
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("tabs lead to the list, the documents and the examples", async ({ page }) => {
    await openMap(page);
    for (const [tab, heading] of [
      ["List", "Labs"],
      ["Documents", "By document"],
      ["Examples", "Examples"],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await expect(page.getByRole("heading", { name: heading })).toBeVisible();
      await expect(page.locator("ap-map")).toBeHidden();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    }
    await page.getByRole("tab", { name: "Examples" }).press("ArrowRight");
    await expect(page.getByRole("tab", { name: "Map" })).toBeFocused();
    await expect(page.locator("ap-map")).toBeVisible();
  });

  test("a tap shows a block in the sheet, which opens its lab", async ({ page }) => {
    await openMap(page);
    await block(page, "encoder.network").tap();
    await expect(note(page)).toContainText("encoder.activation[");
    await expect(page).toHaveURL(/#contents/);
    await note(page).getByRole("link", { name: "Open The block" }).tap();
    await expect(page).toHaveURL(/lab=block/);
  });

  test("axe finds nothing in either theme", async ({ page }) => {
    await openMap(page, "&lang=zh-CN");
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.getByRole("tab", { name: "列表" }).click();
    expect(await violationsInBothThemes(page)).toEqual([]);
  });
});
