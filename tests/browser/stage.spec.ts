/** The stage alone: pointers, keys, the editor, mask strokes, accessible names and announcements. DESIGN.md, sections 4 and 8. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test, type Page } from "@playwright/test";
import type axe from "axe-core";
import { rampOf } from "../../web/marks/colour.js";
import { palette } from "../web/tokens.js";
import { fillOf, hosts } from "./open.js";

interface RecordedEvent {
  name: string;
  detail: Record<string, unknown>;
}
declare global {
  interface Window {
    recordedEvents: RecordedEvent[];
    axe: typeof axe;
  }
}

/** Waits until the stage has drawn its properties: it draws in the next frame, or the one after. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });

async function open(page: Page, query = ""): Promise<void> {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(`${hosts.page}fixtures/stage.html?${query}`);
  await expect(page.getByRole("grid").first()).toBeAttached();
  await drawn(page);
  expect(problems).toEqual([]);
}

const grid = (page: Page, name: string): ReturnType<Page["locator"]> =>
  page.locator(`[data-board="${name}"]`);
const cell = (page: Page, name: string, row: number, column: number): ReturnType<Page["locator"]> =>
  grid(page, name).locator(`[data-row="${row}"][data-column="${column}"]`);
const eventsNamed = (page: Page, name: string): Promise<Record<string, unknown>[]> =>
  page.evaluate(
    (wanted) => window.recordedEvents.filter((event) => event.name === wanted).map((event) => event.detail),
    name,
  );
const expectTarget = (page: Page, address: string): Promise<void> =>
  expect(page.locator("output")).toHaveText(address);
/** The corner of a pinned cell's frame. */
const pin = (page: Page): ReturnType<Page["locator"]> => page.locator("ap-stage .wedge");

const fill = (page: Page, name: string, row: number, column: number): Promise<number[]> =>
  fillOf(cell(page, name, row, column));

test("hovering targets a cell, and draws no canvas: fills stay as they are", async ({ page }) => {
  await open(page);
  await page.evaluate(() => {
    const put = CanvasRenderingContext2D.prototype.fillRect;
    const drawn = new Set<string>();
    Object.assign(window, { drawn });
    CanvasRenderingContext2D.prototype.fillRect = function (...rectangle) {
      drawn.add(this.canvas.dataset["tensor"] ?? "");
      put.apply(this, rectangle);
    };
  });
  await cell(page, "scores", 3, 1).hover();
  await expectTarget(page, "scores[3, 1]");
  await drawn(page);
  expect(await page.evaluate(() => [...(window as unknown as { drawn: Set<string> }).drawn])).toEqual([]);
  await page.mouse.move(4, 790);
  expect(await eventsNamed(page, "cell-leave")).toHaveLength(1);
  await expectTarget(page, "scores[3, 1]");
});

for (const query of ["", "stale", "theme=dark"]) {
  test(`a fill follows its scale, pointed at or not: ${query || "at rest"}`, async ({ page }) => {
    await open(page, query);
    const ramp = rampOf("activation", palette(query === "theme=dark" ? "dark" : "light"));
    const value = async (name: string, row: number, column: number): Promise<number> =>
      Number(/-?\d+$/.exec((await cell(page, name, row, column).getAttribute("aria-label"))!)![0]);
    for (const [name, domain, row, column] of [
      ["K_T", 4, 1, 2],
      ["K_T", 4, 2, 0],
      ["scores", 14, 2, 2],
      ["scores", 14, 0, 2],
    ] as const) {
      const share = (await value(name, row, column)) / domain;
      expect(await fill(page, name, row, column)).toEqual(ramp(share));
    }
  });
}

test("a click pins, a second unpins; hover does not move a pinned target", async ({ page }) => {
  await open(page);
  await cell(page, "weights", 0, 2).click();
  await expect(pin(page)).toHaveCount(1);
  await cell(page, "Q", 0, 0).hover();
  await expectTarget(page, "weights[0, 2]");
  await cell(page, "weights", 0, 2).click();
  await expect(pin(page)).toHaveCount(0);
});

test("keys move, pin, follow, copy and leave", async ({ page }) => {
  await open(page);
  await cell(page, "scores", 0, 2).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await drawn(page);
  await expectTarget(page, "scores[1, 3]");
  await expect(cell(page, "scores", 1, 3)).toBeFocused();
  await page.keyboard.press("PageDown");
  await drawn(page);
  await expect(cell(page, "scaled", 1, 3)).toBeFocused();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Enter");
  expect(await eventsNamed(page, "cell-pin")).toEqual([{ node: "scaled", index: [0, 0] }]);
  await page.keyboard.press("u");
  await page.keyboard.press("d");
  await page.keyboard.press("c");
  expect(await eventsNamed(page, "cell-follow")).toEqual([{ direction: "source" }, { direction: "result" }]);
  expect(await eventsNamed(page, "cell-copy")).toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(pin(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.locator(":focus")).toHaveCount(0);
});

test("one tab stop per tensor, in the order of the graph", async ({ page }) => {
  await open(page);
  await page.locator("body").focus();
  const stops: string[] = [];
  for (let at = 0; at < 15; at++) {
    await page.keyboard.press("Tab");
    await drawn(page);
    stops.push(
      await page
        .locator("ap-stage :focus")
        .evaluate(
          (active) =>
            active.closest<HTMLElement>("[data-board]")?.dataset["board"] ??
            active.textContent.replace(/\s+/g, ""),
        ),
    );
  }
  expect(stops).toEqual([
    "÷√3",
    "softmax",
    "X",
    "W_Q",
    "W_K",
    "W_V",
    "Q",
    "K",
    "V",
    "K_T",
    "scores",
    "scaled",
    "weights",
    "V above",
    "output",
  ]);
});

test("a digit edits a cell; a text that is not a number stays, with a message", async ({ page }) => {
  await open(page);
  await cell(page, "X", 1, 0).focus();
  await page.keyboard.press("-");
  const input = page.getByRole("textbox", { name: "New number for X[1, 0]" });
  await expect(input).toBeFocused();
  await input.pressSequentially("two");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("“-two” is not a number.");
  await expect(input).toHaveValue("-two");
  expect(await eventsNamed(page, "cell-edit")).toEqual([]);
  await input.fill("-2.5");
  await page.keyboard.press("Enter");
  expect(await eventsNamed(page, "cell-edit")).toEqual([{ node: "X", index: [1, 0], value: -2.5 }]);
  await expect(input).toHaveCount(0);
  await expect(cell(page, "X", 1, 0)).toBeFocused();
  await expect(page.getByText("1 by hand")).toBeAttached();
  await page.keyboard.press("F2");
  await page.keyboard.press("Escape");
  expect(await eventsNamed(page, "cell-edit")).toHaveLength(1);
  await cell(page, "W_Q", 0, 1).dblclick();
  await expect(page.getByRole("textbox", { name: "New number for W_Q[0, 1]" })).toHaveValue("0");
  await cell(page, "scores", 0, 1).dblclick();
  await expect(page.getByRole("textbox", { name: /scores/ })).toHaveCount(0);
});

test("dragging paints a mask without holes and without pinning", async ({ page }) => {
  await open(page, "scene=states&cell=masked,0,0");
  const from = (await cell(page, "masked", 0, 1).boundingBox())!;
  const to = (await cell(page, "masked", 3, 1).boundingBox())!;
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10);
  await page.mouse.up();
  const strokes = await eventsNamed(page, "mask-paint");
  expect(strokes).toEqual([
    ...[0, 1, 2, 3].map((row) => ({ row, column: 1, allowed: true, done: false })),
    { row: 3, column: 1, allowed: true, done: true },
  ]);
  expect(await eventsNamed(page, "cell-pin")).toEqual([]);
  await cell(page, "masked", 1, 1).focus();
  await page.keyboard.press("Space");
  expect((await eventsNamed(page, "mask-paint")).at(-1)).toEqual({
    row: 1,
    column: 1,
    allowed: false,
    done: true,
  });
});

test("a map of many cells has a loupe, and a grid of one row at a time", async ({ page }) => {
  await open(page, "scene=states&cell=PE,4,20");
  const box = (await grid(page, "PE").boundingBox())!;
  await page.mouse.move(box.x + 300 * 1.5 + 0.7, box.y + 7 * 6 + 3);
  await expect(page.locator("canvas.loupe")).toBeVisible();
  await expectTarget(page, "PE[7, 300]");
  await drawn(page);
  await expect(grid(page, "PE").getByRole("gridcell")).toHaveCount(512);
  await expect(grid(page, "PE")).toHaveAttribute("aria-rowcount", "50");
  await expect(grid(page, "PE").getByRole("row")).toHaveAttribute("aria-rowindex", "8");
  await cell(page, "PE", 7, 300).focus();
  // Events dispatched in one task arrive faster than frames are drawn.
  await page.locator("ap-stage :focus").evaluate((active) => {
    for (let at = 0; at < 3; at++) {
      active.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, composed: true }));
    }
  });
  await drawn(page);
  await expect(cell(page, "PE", 10, 300)).toBeFocused();
  await expect(page.locator("canvas.loupe")).toBeVisible();
});

test("dots of a curve and patches of an image are cells too", async ({ page }) => {
  await open(page, "scene=states&cell=PE,4,20");
  const paper = (await page.locator(".paper").boundingBox())!;
  const dot = (await page.locator("ap-stage .dot").nth(10).boundingBox())!;
  await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
  await expectTarget(page, "PE[10, 20]");
  await page.mouse.move(paper.x + 60 + 5 * 40 + 10, paper.y + 620 + 2 * 40 + 10);
  await expectTarget(page, "looks[60, 21]");
});

test("the names of grids and cells", async ({ page }) => {
  await open(page);
  await expect(grid(page, "X")).toHaveAttribute("aria-label", "words, 4 by 3, rows word 1 to word 4");
  await expect(cell(page, "X", 2, 1)).toHaveAttribute("aria-label", "words, word 3, column 1: 1");
  await expect(cell(page, "K_T", 1, 2)).toHaveAttribute("aria-label", "K^T, row 1, word 3: 4");
  await expect(cell(page, "weights", 2, 1)).toHaveAttribute(
    "aria-label",
    "weights, row 2, column 1: 7.44e\u22124",
  );
  await expect(page.getByRole("button", { name: "softmax", exact: true })).toBeVisible();
  await open(page, "scene=states&cell=masked,0,0");
  await expect(cell(page, "masked", 0, 1)).toHaveAttribute(
    "aria-label",
    "masked, word 1, column 1: \u2212∞, masked",
  );
  await expect(cell(page, "W", 0, 2)).toHaveAttribute(
    "aria-label",
    "W, row 0, column 2: 4e\u22125, changed by hand",
  );
});

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing, ${theme}`, async ({ page }) => {
    await open(page, `theme=${theme}`);
    // By the browser's debugger, which the page's security policy does not bind.
    const session = await page.context().newCDPSession(page);
    const script = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    await session.send("Runtime.evaluate", { expression: readFileSync(script, "utf8") });
    const violations = await page.evaluate(async () =>
      (await window.axe.run("ap-stage")).violations.map((item) => item.id),
    );
    expect(violations).toEqual([]);
  });
}

test.describe("with a finger", () => {
  test.use({ hasTouch: true });
  test("a tap targets, near a cell too; a long press pins", async ({ page }) => {
    await open(page);
    const box = (await cell(page, "scores", 3, 2).boundingBox())!;
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height + 18);
    await expectTarget(page, "scores[3, 2]");
    expect(await eventsNamed(page, "cell-pin")).toEqual([]);
    const client = await page.context().newCDPSession(page);
    const point = { x: box.x + 5, y: box.y - 30 };
    await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
    await expect.poll(() => eventsNamed(page, "cell-pin")).toEqual([{ node: "scores", index: [2, 2] }]);
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  });
});

test("a stage wider than its box scrolls inside it, and the words stay", async ({ page }) => {
  await page.setViewportSize({ width: 600, height: 700 });
  await open(page, "width=900");
  await page.locator(".box").evaluate((box) => box.scrollTo(200, 0));
  const names = (await page.locator(".names").boundingBox())!;
  expect(names.x).toBe((await page.locator(".box").boundingBox())!.x);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(600);
});

test("Play draws only what is computed so far", async ({ page }) => {
  await open(page, "step=2&swept=scores&sweep=3&cell=scores,0,1");
  const paper = [252, 251, 248];
  expect(await fill(page, "scores", 0, 2)).not.toEqual(paper);
  expect(await fill(page, "scores", 0, 3)).toEqual(paper);
  await expect(cell(page, "scores", 0, 3)).toHaveAttribute("aria-label", "not computed yet");
  await cell(page, "scores", 0, 3).hover();
  await expectTarget(page, "scores[0, 1]");
  // Nothing of a later step is drawn: no cells, no brackets, no caption.
  await expect(page.locator('canvas[data-tensor="scaled"], [data-board="scaled"]')).toHaveCount(0);
  await expect(page.locator(".caption .name", { hasText: "scaled" })).toHaveCount(0);
});
