/** Pointing on the page: redrawing, the note with little room, copying and printing. */
import type { Page } from "@playwright/test";
import { cell, expect, openPage, still, targetFrame, test } from "./open.js";

const heads = "#v=1&lab=multi-head";

/** Waits until the note explains a cell. */
const explained = (page: Page, address: string): Promise<void> =>
  expect(page.locator("ap-note h2")).toHaveText(address);

test("pointing at another cell of a row restyles nothing on the page and renames no cell", async ({
  page,
}) => {
  await openPage(page, "#v=1");
  await cell(page, "scores", 1, 0).hover();
  await explained(page, "scores[1, 0]");
  await page.locator("ap-stage [role=grid]").evaluateAll((grids) => {
    const mutations: string[] = [];
    const watch = new MutationObserver((records) => {
      for (const { target, attributeName, type } of records) {
        if (attributeName !== "tabindex")
          mutations.push(`${(target as Element).localName} ${type} ${attributeName}`);
      }
    });
    watch.observe(document.documentElement, { attributes: true });
    for (const grid of grids) watch.observe(grid, { attributes: true, childList: true, subtree: true });
    Object.assign(window, { seen: mutations });
  });
  await cell(page, "scores", 1, 3).hover();
  await explained(page, "scores[1, 3]");
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
});

test("the grid of a large matrix contains the cells of one row, that of the target", async ({ page }) => {
  await openPage(page, heads);
  const map = page.locator("ap-stage [role=grid][aria-rowcount]").first();
  await expect(map.getByRole("row")).toHaveCount(1);
  const box = (await map.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.52);
  await expect(map.getByRole("row")).toHaveAttribute("aria-rowindex", "11");
  await expect(map.locator("[tabindex='0']")).toHaveCount(1);
});

/** The smallest space between two numbers of one row of the note, and whether anything is cut off. */
async function spacing(page: Page): Promise<{ least: number; overflows: boolean }> {
  const note = page.locator("ap-note");
  const least = await note.locator("tr").evaluateAll((rows) => {
    const gaps = rows.flatMap((row) => {
      const texts = [...row.querySelectorAll("td.number, td.result")].flatMap((place) => {
        const text = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        while (text.nextNode()) {
          if (!text.currentNode.textContent?.trim()) continue;
          range.selectNodeContents(text.currentNode);
          return [range.getBoundingClientRect()];
        }
        return [];
      });
      return texts.slice(1).map((box, at) => box.left - texts[at]!.right);
    });
    return Math.min(...gaps);
  });
  const overflows = await note
    .locator(":is(.body, .terms)")
    .evaluateAll((scrollers) => scrollers.some((one) => one.scrollWidth > one.clientWidth));
  return { least, overflows };
}

test("numbers of a note are at least 8 pixels apart in windows of 1280 to 360 pixels", async ({ page }) => {
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
    [390, 844],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await openPage(page, heads);
    await still(page, "multi-head");
    await expect(page.locator("ap-note h2")).toHaveText(/^weights/);
    await expect.poll(async () => (await spacing(page)).overflows, `${width}`).toBe(false);
    expect((await spacing(page)).least, `${width}`).toBeGreaterThanOrEqual(8);
  }
});

for (const language of ["en", "zh-CN"]) {
  test(`no digit of a small weight is cut off in a narrow note (${language})`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [row, column] of [
      [60, 22],
      [60, 0],
      [20, 5],
      [20, 45],
    ]) {
      await openPage(page, `#v=1&lab=vit&lang=${language}&cell=weights,${row},${column}`);
      await explained(page, `weights[${row}, ${column}]`);
      await still(page, "vit");
      // Fonts of another machine are wider, which leaves that much less room.
      await page.locator("ap-note").evaluate((note) => ((note as HTMLElement).style.width = "268px"));
      await still(page, "vit");
      const { least, overflows } = await spacing(page);
      expect(overflows, `${row} ${column}`).toBe(false);
      expect(least).toBeGreaterThanOrEqual(7.9);
    }
  });
}

test("the head of a narrow note breaks only between words", async ({ page }) => {
  await openPage(page, heads);
  const note = page.locator("ap-note");
  const lines = async (width: number): Promise<{ heading: number; meaning: number; below: boolean }> => {
    await note.evaluate((element, to) => ((element as HTMLElement).style.width = `${to}px`), width);
    const heading = (await note.locator("h2").boundingBox())!;
    const meaning = (await note.locator(".meaning").boundingBox())!;
    const count = (box: { height: number }): number => Math.round(box.height / 17.55);
    return {
      heading: count(heading),
      meaning: count(meaning),
      below: meaning.y >= heading.y + heading.height - 1,
    };
  };
  await expect(page.locator("ap-note h2")).toHaveText(/^weights/);
  expect(await lines(250)).toEqual({ heading: 1, meaning: 2, below: true });
  expect(await lines(520)).toEqual({ heading: 1, meaning: 1, below: false });
});

test("c copies the whole arithmetic, wherever the focus is", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page, "#v=1");
  await cell(page, "scores", 0, 2).hover();
  await explained(page, "scores[0, 2]");
  await page.keyboard.press("c");
  await expect(page.locator("ap-note")).toContainText("Copied in full");
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
    value: number;
    rows: { operands: { value: number }[] }[];
  };
  expect(copied.value).toBe(10);
  expect(copied.rows[0]!.operands.map(({ value }) => value)).toEqual([2, 0, 2]);
});

test("a second pin replaces the first completely", async ({ page }) => {
  await openPage(page, "#v=1");
  await cell(page, "scores", 1, 1).click();
  await expect(page.locator("ap-stage .wedge")).toHaveCount(1);
  await cell(page, "scores", 3, 2).click();
  await explained(page, "scores[3, 2]");
  await expect(page.locator("ap-stage .wedge")).toHaveCount(1);
  await expect(page.locator("ap-stage .frame.thin")).toHaveCount(0);
});

test("printed: light, and the pinned cell's note under the stage", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openPage(page, "#v=1");
  await cell(page, "scores", 2, 2).click();
  await explained(page, "scores[2, 2]");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const pageBackground = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await expect.poll(pageBackground).toBe("rgb(252, 251, 248)");
  const stage = (await page.locator("ap-stage").boundingBox())!;
  const note = (await page.locator("ap-note").boundingBox())!;
  expect(note.y).toBeGreaterThanOrEqual(stage.y + stage.height);
  await expect(page.locator("ap-transport")).toBeHidden();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  /** The part of the window that the strip and the sheet leave free. */
  const room = async (page: Page): Promise<{ top: number; bottom: number }> => {
    const strip = (await page.locator("ap-lab .strip").boundingBox())!;
    return { top: strip.y + strip.height, bottom: (await page.locator("ap-note").boundingBox())!.y };
  };

  test("the whole product is between strip and sheet", async ({ page }) => {
    await openPage(page, "#v=1");
    await explained(page, "scores[0, 2]");
    const { top, bottom } = await room(page);
    for (const name of ["scores", "queries"]) {
      const box = (await page.getByRole("grid", { name: new RegExp(`^${name},`) }).boundingBox())!;
      expect(box.y).toBeGreaterThan(top);
      expect(box.y + box.height).toBeLessThan(bottom);
    }
    const sheet = (await page.locator("ap-note").boundingBox())!;
    expect(sheet.height).toBeLessThan(150);
  });

  test("the sheet never covers the target", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await openPage(page, "#v=1&lab=vit");
    await expect(page.locator("ap-note h2")).toHaveText(/^weights/);
    await page.locator("ap-note").getByRole("button", { name: "Show how it was made" }).tap();
    const hidden = async (): Promise<number> => {
      const target = (await page.locator(targetFrame).first().boundingBox())!;
      return target.y + target.height - (await page.locator("ap-note").boundingBox())!.y;
    };
    await expect.poll(hidden).toBeLessThanOrEqual(0);
    await page.goto("about:blank");
    await openPage(page, "#v=1");
    await explained(page, "scores[0, 2]");
    await page.locator("ap-note").getByRole("button", { name: "Show how it was made" }).tap();
    for (const row of [1, 2, 3]) {
      await page.locator("ap-note").getByRole("button", { name: "Cell below" }).tap();
      await explained(page, `scores[${row}, 2]`);
      await expect.poll(hidden).toBeLessThanOrEqual(0);
    }
  });
});
