/** The page on every size of screen: drawn larger on large ones, its stage in sight beside the lesson, the note a sheet on tablets, all of it on paper. */
import type { Page } from "@playwright/test";
import { boardCell, expect, labIds, openPage, settled, still, targetFrame, test } from "./open.js";

/** Opens a lab in a window of this size. */
async function openAt(
  page: Page,
  lab: (typeof labIds)[number],
  width: number,
  height: number,
): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto("about:blank");
  await openPage(page, `#v=1&lab=${lab}&lang=en`);
  await still(page, lab);
}

test("on a large screen the stage fills it, sharp, and what is pointed at is explained", async ({ page }) => {
  test.slow();
  for (const lab of labIds) {
    await openAt(page, lab, 2560, 1440);
    const drawn = await page.locator("ap-lab .stage canvas[data-tensor]").evaluateAll((canvases) =>
      (canvases as HTMLCanvasElement[]).map((canvas) => {
        const { right, width } = canvas.getBoundingClientRect();
        return { right, sharp: Math.abs(canvas.width - width * devicePixelRatio) < 1 };
      }),
    );
    expect(
      drawn.filter(({ sharp }) => !sharp),
      lab,
    ).toEqual([]);
    const note = (await page.locator("ap-note").boundingBox())!;
    const right = Math.max(note.x + note.width, ...drawn.map((one) => one.right));
    expect(right, lab).toBeGreaterThan(0.9 * 2560);
    expect(right, lab).toBeLessThanOrEqual(2560);
    expect(note.y + note.height, lab).toBeLessThanOrEqual(1440 - 56);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), lab).toBe(2560);
  }
  await openAt(page, "attention", 2560, 1440);
  const at = (await boardCell(page, "weights", 3, 2).boundingBox())!;
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await settled(page);
  await expect(page.locator("ap-note h2")).toHaveText("weights[3, 2]");
});

test("the marks under a formula, and what leads from it, stay with its letters in any window", async ({
  page,
}) => {
  const formula = page.locator("ap-lab ap-formula");
  const seen = async () => ({
    picture: (await formula.screenshot()).toString("base64"),
    buttons: await formula.getByRole("button").evaluateAll((buttons) =>
      buttons.map((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        return [button.getAttribute("title"), x, y, width, height];
      }),
    ),
  });
  await openAt(page, "attention", 1366, 800);
  for (const [width, height] of [
    [1920, 1000],
    [390, 844],
    [844, 390],
    [1366, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await still(page, "attention");
    const turned = await seen();
    await openAt(page, "attention", width, height);
    expect(turned, `${width} x ${height}`).toEqual(await seen());
  }
});

/** Whether the middle of the target, or of the stage where it is a dot of a curve, is in the window, above the bar. */
const targetSeen = async (page: Page): Promise<boolean> => {
  const frame = page.locator(targetFrame).last();
  const seen = (await frame.count()) > 0 ? frame : page.locator("ap-lab .stage");
  const { x, y, width, height } = (await seen.boundingBox())!;
  const bar = (await page.locator("ap-transport").boundingBox())!;
  const middle = { x: x + width / 2, y: y + height / 2 };
  return middle.x > 0 && middle.x < bar.width && middle.y > 0 && middle.y < bar.y;
};

for (const lab of labIds) {
  test(`the stage of ${lab} is in sight beside or above its lesson at every size: Step acts on what is seen`, async ({
    page,
  }) => {
    const sizes = [
      [1280, 800],
      [820, 1180],
      [390, 844],
      [844, 390],
    ] as const;
    await openAt(page, lab, ...sizes[0]);
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await still(page, lab);
      const lesson = page.locator("ap-lesson");
      await expect(lesson, `${width}`).toBeAttached();
      for (const heading of [0, 2]) {
        await lesson
          .locator("h2")
          .nth(heading)
          .evaluate((element) => element.scrollIntoView());
        await page.keyboard.press("]");
        await settled(page);
        await expect.poll(() => targetSeen(page), `${width}, part ${heading}`).toBe(true);
        // And what is read stands clear of the part of it that is shown.
        if (heading > 0) await lesson.locator("h2").nth(heading).click({ trial: true });
      }
      await page.evaluate(() => scrollTo(0, 0));
      await still(page, lab);
      await expect(page.locator("ap-lab .head"), `${width}`).toBeInViewport();
    }
  });
}

test("a finger on the small stage leads back to the large one, where its note has room", async ({ page }) => {
  await openAt(page, "attention", 390, 844);
  await page
    .locator("ap-lesson h2")
    .nth(2)
    .evaluate((element) => element.scrollIntoView());
  await expect.poll(() => targetSeen(page)).toBe(true);
  await boardCell(page, "scores", 1, 1).click();
  await expect(page.locator("ap-note h2")).toHaveText("scores[1, 1]");
  await expect(page.locator("ap-note footer")).toBeInViewport();
  await expect.poll(() => targetSeen(page)).toBe(true);
});

test("on a tablet the note is a sheet over the bar, Play has its track, and the cells of siblings are as wide", async ({
  page,
}) => {
  test.slow();
  for (const lab of labIds) {
    await openAt(page, lab, 820, 1180);
    const note = page.locator("ap-note");
    const low = async (): Promise<number> => {
      const { y, height } = (await note.boundingBox())!;
      const bar = (await page.locator("ap-transport").boundingBox())!;
      return Math.abs(y + height - bar.y);
    };
    expect(await low(), lab).toBeLessThan(1);
    const stops = page.locator("ap-transport li button");
    const slider = page.locator("ap-transport input");
    if ((await slider.count()) > 0) await expect(slider, lab).toBeInViewport({ ratio: 1 });
    else for (const stop of await stops.all()) await expect(stop, lab).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), lab).toBe(820);
    // To point at a number opens the sheet.
    await page.keyboard.press("]");
    await settled(page);
    await page.locator("ap-lab .stage [role=gridcell]").first().focus();
    await expect(note.locator("footer"), lab).toBeInViewport();
    await expect.poll(low, lab).toBeLessThan(1);
  }
  const width = async (id: string): Promise<number> => (await boardCell(page, id, 0, 0).boundingBox())!.width;
  await openAt(page, "bert", 820, 1180);
  expect(await width("embeddings.norm")).toBeCloseTo(await width("embeddings.tokens"), 0);
  await openAt(page, "attention", 820, 1180);
  expect(await width("Q_again")).toBeCloseTo(await width("Q"), 0);
});

test("on a phone on its side numbers and note stand side by side, and follow each other", async ({
  page,
}) => {
  test.slow();
  for (const lab of labIds) {
    await openAt(page, lab, 844, 390);
    const note = page.locator("ap-note");
    const beside = async (): Promise<boolean> => {
      const stage = (await page.locator("ap-lab .stage ap-stage").boundingBox())!;
      return stage.x + stage.width <= (await note.boundingBox())!.x;
    };
    expect(await beside(), lab).toBe(true);
    await expect(note, lab).toBeInViewport({ ratio: 1 });
    await expect(note.locator("footer"), lab).toBeVisible();
    expect(await page.evaluate(() => [document.documentElement.scrollWidth, scrollY]), lab).toEqual([844, 0]);
    // A step of learning leaves the target where it is.
    if ((await page.locator("ap-transport input").count()) > 0) continue;
    await page.keyboard.press("]");
    await settled(page);
    await expect.poll(() => targetSeen(page), lab).toBe(true);
    expect(await beside(), lab).toBe(true);
    await expect(note, lab).toBeInViewport({ ratio: 1 });
  }
});

/** As wide as A4 between margins of 12 mm, in CSS pixels. */
const PAPER = 703;

for (const [width, labs] of [
  [1280, labIds],
  [1440, ["attention", "vit"]],
] as const) {
  test(`all of a lab is on the paper that is printed from a window of ${width} pixels, and the window is as before`, async ({
    page,
  }) => {
    test.slow();
    const grids = () =>
      page.getByRole("grid").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    for (const lab of labs) {
      await openAt(page, lab, width, 900);
      const before = { grids: await grids(), box: await page.locator("ap-lab .stage").boundingBox() };
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await page.emulateMedia({ media: "print" });
      await still(page, lab);
      const drawn = page.locator("ap-lab .stage ap-stage :is(canvas, text)");
      const edges = await drawn.evaluateAll((parts) =>
        parts.map((part) => [part.getBoundingClientRect().left, part.getBoundingClientRect().right] as const),
      );
      expect(Math.min(...edges.map(([left]) => left)), lab).toBeGreaterThanOrEqual(-1);
      expect(Math.max(...edges.map(([, right]) => right)), lab).toBeLessThanOrEqual(PAPER);
      const now = await grids();
      expect(
        before.grids.filter((name) => !now.includes(name)),
        lab,
      ).toEqual([]);
      // The title, the stage, its note and the lesson stand under one another.
      const parts = ["h1", "ap-stage", "ap-note footer", "ap-lesson"].map((part) =>
        page.locator(`ap-lab ${part}`).first(),
      );
      const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())!));
      for (const [at, { y }] of tops.entries())
        if (at > 0)
          expect(y, `${lab} ${at}`).toBeGreaterThanOrEqual(tops[at - 1]!.y + tops[at - 1]!.height - 1);
      await page.emulateMedia({ media: "screen" });
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      await still(page, lab);
      expect(await page.locator("ap-lab .stage").boundingBox(), lab).toEqual(before.box);
      expect(await grids(), lab).toEqual(before.grids);
    }
  });
}
