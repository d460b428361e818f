/** The page on every size of screen: enlarged on large ones, with the stage visible beside the lesson, the note as a sheet on tablets, and all of it on paper. */
import type { Page } from "@playwright/test";
import { boardCell, expect, labIds, openPage, waitUntilIdle, still, targetFrame, test } from "./open.js";

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

test("on a large screen the stage fills it, sharp, and the pointed cell is explained", async ({ page }) => {
  test.slow();
  await page.setViewportSize({ width: 2560, height: 1440 });
  for (const lab of labIds) {
    await openPage(page, `#v=1&lab=${lab}&lang=en`);
    await still(page, lab);
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
  await waitUntilIdle(page);
  await expect(page.locator("ap-note h2")).toHaveText("weights[3, 2]");
});

test("the marks under a formula and its links stay with its letters in any window", async ({ page }) => {
  const formula = page.locator("ap-lab ap-formula");
  const formulaState = async () => ({
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
    const turned = await formulaState();
    await openAt(page, "attention", width, height);
    expect(turned, `${width} x ${height}`).toEqual(await formulaState());
  }
});

/** Whether the middle of the target, or of the stage where it is a dot of a curve, is in the window, above the bar. */
const targetSeen = async (page: Page): Promise<boolean> => {
  const frame = page.locator(targetFrame).last();
  const seen = (await frame.count()) > 0 ? frame : page.locator("ap-lab .stage");
  const box = await seen.boundingBox();
  if (!box) return false;
  const { x, y, width, height } = box;
  const bar = (await page.locator("ap-transport").boundingBox())!;
  const middle = { x: x + width / 2, y: y + height / 2 };
  return middle.x > 0 && middle.x < bar.width && middle.y > 0 && middle.y < bar.y;
};

for (const lab of labIds) {
  test(`the stage of ${lab} is visible beside or above its lesson at every size: Step acts on what is visible`, async ({
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
        await waitUntilIdle(page);
        await expect.poll(() => targetSeen(page), `${width}, part ${heading}`).toBe(true);
        // The visible part of the stage does not cover the text.
        if (heading > 0) await lesson.locator("h2").nth(heading).click({ trial: true });
      }
      await page.evaluate(() => scrollTo(0, 0));
      await still(page, lab);
      await expect(page.locator("ap-lab .head"), `${width}`).toBeInViewport();
    }
  });
}

test("touching the reduced stage scrolls back to the full one, where its note has room", async ({ page }) => {
  await openAt(page, "attention", 390, 844);
  await page
    .locator("ap-lesson h2")
    .nth(2)
    .evaluate((element) => element.scrollIntoView());
  await expect.poll(() => targetSeen(page)).toBe(true);
  await boardCell(page, "scaled", 1, 1).click();
  await expect(page.locator("ap-note h2")).toHaveText("scaled[1, 1]");
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
    // Pointing at another number opens the sheet.
    await page.keyboard.press("]");
    await waitUntilIdle(page);
    await page.locator("ap-lab .stage [role=gridcell]").nth(1).focus();
    await expect(note.locator(".body"), lab).toBeInViewport();
    await expect.poll(low, lab).toBeLessThan(1);
  }
  const width = async (id: string): Promise<number> => (await boardCell(page, id, 0, 0).boundingBox())!.width;
  await openPage(page, "#v=1&lab=bert&lang=en&cell=embeddings.with_segments,0,0");
  await still(page, "bert");
  expect(await width("embeddings.norm")).toBeCloseTo(await width("embeddings.tokens"), 0);
  await openAt(page, "attention", 820, 1180);
  expect(await width("Q_again")).toBeCloseTo(await width("Q"), 0);
});

test("on a phone on its side, numbers and note are side by side and follow each other", async ({ page }) => {
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
    // A step of learning does not move the target.
    if ((await page.locator("ap-transport input").count()) > 0) continue;
    await page.keyboard.press("]");
    await waitUntilIdle(page);
    await expect.poll(() => targetSeen(page), lab).toBe(true);
    expect(await beside(), lab).toBe(true);
    await expect(note, lab).toBeInViewport({ ratio: 1 });
  }
});

/** A4 between margins of 12 mm, in CSS pixels. */
const paperSize = { width: 703, height: 1032 };

/** Tensors that are printed but not on the opening stage, by the start of their names, with the sum of their numbers. */
const results: Record<(typeof labIds)[number], string> = {
  attention: "output, 4 by 3",
  "multi-head": "output projection, 1 by 128",
  positions: "similarity, 50 by 50",
  vit: "output, 64 by 192",
  "encoder-decoder": "with the cache − computed anew",
  optimizers: "new parameters",
  block: "normalised",
  losses: "mean, 1 by 1",
  complexity: "thousand weights",
  scaling: "trace of the softmax Jacobian",
  bert: "loss, 1 by 1",
  words: "cosines of the table",
  training: "probability of the answer, 1 by 8",
};

/** Holds back all frames until the returned function is called. */
const frames = (page: Page) =>
  page.evaluateHandle(() => {
    const queue: FrameRequestCallback[] = [];
    const own = window.requestAnimationFrame;
    window.requestAnimationFrame = (frame) => queue.push(frame);
    return () => {
      window.requestAnimationFrame = own;
      for (const frame of queue) own(frame);
    };
  });

/** Names and positions of the legible matrices. */
const grids = (page: Page) =>
  page.getByRole("grid").evaluateAll((all) =>
    all.map((one) => ({
      name: one.getAttribute("aria-label") ?? "",
      box: one.getBoundingClientRect().toJSON() as DOMRect,
    })),
  );

/** The result of `read` on the printed page: it is called when printing begins, before another frame is drawn. */
async function printed<T>(page: Page, read: () => Promise<T>): Promise<T> {
  const release = await frames(page);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const found = await read();
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await release.evaluate((run) => run());
  return found;
}

/** The contents of the sheet and their positions. */
const layout = async (page: Page) => {
  const window = page.viewportSize()!;
  await page.setViewportSize(paperSize);
  const found = {
    grids: await grids(page),
    parts: await page
      .locator("ap-lab :is(h1, ap-sentence, ap-formula, ap-stage, ap-note .body, ap-lesson):visible")
      .evaluateAll((parts) =>
        parts
          .map((part) => {
            const { top, bottom } = part.getBoundingClientRect();
            return { part: part.matches(".body") ? "note" : part.localName, top, bottom };
          })
          .sort((a, b) => a.top - b.top),
      ),
    edges: await page
      .locator("ap-lab ap-stage :is(canvas, text):visible")
      .evaluateAll((parts) =>
        parts.map((part) => [part.getBoundingClientRect().left, part.getBoundingClientRect().right] as const),
      ),
    tools: await page
      .locator("ap-note")
      .getByRole("button", { name: /copy|pin|gradient/i })
      .count(),
  };
  await page.setViewportSize(window);
  return found;
};

/** Colours of its letters, and of its matrices and images, each in sixteen. */
const colours = async (page: Page) => ({
  ink: await page
    .locator("ap-lab :is(h1, ap-stage text):visible")
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).color)),
  fills: await page.locator("ap-lab ap-stage canvas:visible").evaluateAll((all) => {
    const small = new OffscreenCanvas(4, 4).getContext("2d", { willReadFrequently: true })!;
    return all.map((canvas) => {
      small.clearRect(0, 0, 4, 4);
      small.drawImage(canvas as HTMLCanvasElement, 0, 0, 4, 4);
      return small.getImageData(0, 0, 4, 4).data.join();
    });
  }),
});

for (const [width, labs] of [
  [1280, labIds],
  [390, ["block"]],
] as const) {
  test(`printing from a window of ${width} pixels puts all of a lab on paper, and leaves the window as before`, async ({
    page,
  }) => {
    test.slow();
    for (const lab of labs) {
      await page.emulateMedia({ colorScheme: "light" });
      await openAt(page, lab, width, 900);
      const before = await grids(page);
      const sheet = await printed(page, async () => ({
        ...(await layout(page)),
        colours: await colours(page),
      }));
      await still(page, lab);
      expect(await grids(page), lab).toEqual(before);

      // Every tensor of the window, perhaps with more columns, and the result.
      const names = sheet.grids.map(({ name }) => name);
      const titleOf = (name: string): string => name.split(/, \d/)[0]!;
      for (const { name } of before) expect(names.map(titleOf), lab).toContain(titleOf(name));
      expect(
        names.some((name) => name.startsWith(results[lab])),
        `${lab}: ${names.join("; ")}`,
      ).toBe(true);
      for (const { name, box } of sheet.grids) {
        expect(box.left, `${lab}: ${name}`).toBeGreaterThanOrEqual(-1);
        expect(box.right, `${lab}: ${name}`).toBeLessThanOrEqual(paperSize.width);
      }
      expect(Math.min(...sheet.edges.map(([left]) => left)), lab).toBeGreaterThanOrEqual(-1);
      expect(Math.max(...sheet.edges.map(([, right]) => right)), lab).toBeLessThanOrEqual(paperSize.width);

      // Everything is in one column, nothing higher than a page, and the first tensors are on the first page.
      expect([...new Set(sheet.parts.map(({ part }) => part))], lab).toEqual([
        "h1",
        "ap-sentence",
        "ap-formula",
        "ap-stage",
        "note",
        "ap-lesson",
      ]);
      const stages = sheet.parts.filter(({ part }) => part === "ap-stage");
      expect(stages[0]!.bottom, lab).toBeLessThanOrEqual(paperSize.height);
      for (const { top, bottom } of stages) expect(bottom - top, lab).toBeLessThanOrEqual(paperSize.height);
      for (const [at, { part, top }] of sheet.parts.entries())
        if (at > 0) expect(top, `${lab}: ${part}`).toBeGreaterThanOrEqual(sheet.parts[at - 1]!.bottom - 1);
      expect(sheet.tools, lab).toBe(0);

      // Paper is light.
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await printed(page, () => colours(page)), lab).toEqual(sheet.colours);
      const { ink } = await colours(page);
      expect(ink[0], `${lab}: the window is dark again`).not.toBe(sheet.colours.ink[0]);
    }
  });
}
