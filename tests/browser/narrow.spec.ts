/** The page on a phone: nothing overflows, the settings in a sheet, the note at the foot. */
import type { Page } from "@playwright/test";
import { boardCell, cell, expect, hosts, labIds, openPage, still, test } from "./open.js";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/**
 * How far the page and the stage are scrolled, and the texts of stage and strip that extend beyond the page.
 */
async function scrollAndOverflow(page: Page): Promise<{ down: number; across: number; cut: string[] }> {
  const stages = await page.locator("ap-lab ap-stage .box").evaluateAll((boxes) =>
    boxes.map((box) => {
      const fits = box.scrollWidth <= box.clientWidth;
      const cut = [...box.querySelectorAll("text")].filter((text) => {
        const { left, right } = text.getBoundingClientRect();
        return fits && (left < 0 || right > innerWidth);
      });
      return { across: box.scrollLeft, cut: cut.map((text) => text.textContent.trim()) };
    }),
  );
  return {
    down: await page.evaluate(() => scrollY),
    across: Math.max(...stages.map(({ across }) => across)),
    cut: stages.flatMap(({ cut }) => cut),
  };
}

/** The texts of the strip that touch another one. */
const touching = (page: Page): Promise<string[]> =>
  page.locator("ap-lab .strip ap-stage text").evaluateAll((texts) => {
    const all = texts.map((text) => ({
      text: text.textContent.trim(),
      box: text.getBoundingClientRect(),
    }));
    return all
      .filter(({ box }, at) =>
        all
          .slice(at + 1)
          .some(
            (other) =>
              other.box.left < box.right &&
              box.left < other.box.right &&
              other.box.top < box.bottom &&
              box.top < other.box.bottom,
          ),
      )
      .map(({ text }) => text);
  });

/** Links of every lab, and of the examples with the longest texts, with their labs. */
const ledes = [
  ...labIds.map((lab) => [`lab=${lab}`, lab] as const),
  ["ex=twelve-dropouts", "losses"],
  ["ex=harbour-encoder", "vit"],
  ["ex=noam-4000", "optimizers"],
] as const;

for (const lang of ["en", "zh-CN"]) {
  test(`the link to the lesson is in the first line under the title, ${lang}`, async ({ page }) => {
    for (const [link, lab] of ledes) {
      await openPage(page, `#v=1&${link}&lang=${lang}`);
      await still(page, lab);
      const lesson = page.getByRole("button", { name: /^(Lesson|讲解)/ });
      await expect(lesson, link).toBeVisible();
      const box = (await lesson.boundingBox())!;
      const lede = await page.locator("ap-lab .lede").evaluate((text) => {
        const { top, right } = text.getBoundingClientRect();
        return { top, right, line: parseFloat(getComputedStyle(text).lineHeight) };
      });
      // The middle of the link, because a finger reaches it from above and below.
      expect(Math.abs(box.y + box.height / 2 - lede.top - lede.line / 2), link).toBeLessThan(lede.line / 2);
      expect(box.x + box.width, link).toBeLessThanOrEqual(lede.right + 1);
    }
  });

  test(`nothing overflows at 390 pixels, ${lang}`, async ({ page }) => {
    const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
    for (const lab of labIds) {
      await page.goto(`${hosts.page}#v=1&lab=${lab}&lang=${lang}`);
      await still(page, lab);
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
      expect(await width(), lab).toBe(390);
      // A newly opened lab is at its top, and note and bar take little of the screen.
      expect(await scrollAndOverflow(page), lab).toEqual({ down: 0, across: 0, cut: [] });
      expect(await touching(page), lab).toEqual([]);
      const note = await page.locator("ap-note").boundingBox();
      expect(844 - note!.y, lab).toBeLessThanOrEqual(96);
    }
    await page.goto(`${hosts.page}#contents&lang=${lang}`);
    await expect(page.locator("ap-contents").getByRole("link").first()).toBeVisible();
    expect(await width(), "contents").toBe(390);
  });
}

test("everything that can be pressed is at least 24 pixels wide and high", async ({ page }) => {
  test.setTimeout(120_000);
  for (const lab of labIds) {
    await page.goto(`${hosts.page}#v=1&lab=${lab}`);
    await still(page, lab);
    const small = await page.locator("ap-app button:visible").evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const { width, height } = button.getBoundingClientRect();
        // A link within a sentence is as high as its line.
        if (width > 23.9 && (height > 23.9 || button.matches(".link"))) return [];
        return `${button.getAttribute("title") ?? button.textContent.trim()}: ${width} x ${height}`;
      }),
    );
    expect.soft(small, lab).toEqual([]);
  }
});

for (const [lab, node, row] of [
  ["block", "residual2", 4],
  ["losses", "loss_all", 0],
] as const) {
  test(`a tap on a number of ${lab} opens the whole note, and the line folds it`, async ({ page }) => {
    await openPage(page, `#v=1&lab=${lab}&lang=en`);
    await still(page, lab);
    await expect(page.locator("ap-note footer")).toBeHidden();
    await boardCell(page, node, row, 0).evaluate((place) => place.scrollIntoView({ block: "center" }));
    const at = (await boardCell(page, node, row, 0).boundingBox())!;
    await page.touchscreen.tap(at.x + at.width / 2, at.y + at.height / 2);
    const foot = page.locator("ap-note footer");
    await expect(foot).toBeVisible();
    await expect
      .poll(() => foot.evaluate((element) => element.getBoundingClientRect().bottom))
      .toBeLessThanOrEqual(844 - 48);
    await still(page, lab);
    // The target is above the note, and the end of the lab can be scrolled there.
    const note = (await page.locator("ap-note").boundingBox())!;
    const target = (await boardCell(page, node, row, 0).boundingBox())!;
    expect(target.y + target.height).toBeLessThanOrEqual(note.y);
    const last = await page.locator("ap-lab .stage").evaluate((stage) => {
      const under = document.documentElement.scrollHeight - scrollY - innerHeight;
      return stage.getBoundingClientRect().bottom - under;
    });
    expect(last).toBeLessThanOrEqual(note.y);
    await page.getByRole("button", { name: "Fold to a line" }).tap();
    await expect(foot).toBeHidden();
  });
}

for (const lang of ["en", "zh-CN"]) {
  test(`a folded note shows the meaning of its number, then its address, and cuts nothing, ${lang}`, async ({
    page,
  }) => {
    for (const lab of ["encoder-decoder", "bert", "scaling", "multi-head"] as const) {
      await page.goto(`${hosts.page}#v=1&lab=${lab}&lang=${lang}`);
      await still(page, lab);
      const right = (await page.locator("ap-note .fold").boundingBox())!.x;
      const address = page.locator("ap-note h2");
      await expect(address).toHaveText(/\]$/);
      const [meaning, place] = [
        (await page.locator("ap-note .meaning").boundingBox())!,
        (await address.boundingBox())!,
      ];
      expect(meaning.x, lab).toBe(16);
      expect(place.y > meaning.y + 8 || place.x > meaning.x + meaning.width, lab).toBe(true);
      for (const part of await page.locator("ap-note :is(.meaning, .value, h2)").all()) {
        await expect(part).not.toHaveCSS("text-overflow", "ellipsis");
        const box = (await part.boundingBox())!;
        expect(box.x + box.width, lab).toBeLessThanOrEqual(right);
      }
    }
  });
}

for (const lab of ["attention", "scaling", "block", "losses", "vit"] as const) {
  test(`the foot of an open note of ${lab} has links on and back, uncut at 390 and 360 pixels`, async ({
    page,
  }) => {
    for (const size of [
      { width: 390, height: 844 },
      { width: 360, height: 640 },
    ]) {
      await page.setViewportSize(size);
      await page.goto("about:blank");
      await openPage(page, `#v=1&lab=${lab}&lang=en`);
      await still(page, lab);
      await page.locator("ap-note .fold").tap();
      const lines = page.locator("ap-note footer .kept");
      await expect(lines.nth(0)).toContainText("→ ");
      await expect(lines.nth(1)).toContainText("from ");
      const arrows = (await page.locator("ap-note .arrows").boundingBox())!;
      for (const line of await lines.all()) {
        const link = (await line.locator(".link").first().boundingBox())!;
        expect(link.x + link.width, size.width.toString()).toBeLessThanOrEqual(arrows.x);
        expect(link.y + link.height).toBeLessThanOrEqual(size.height - 48);
      }
    }
  });
}

test("the line of settings opens a sheet with all of them", async ({ page }) => {
  await openPage(page);
  await page.locator("ap-sentence .line").tap();
  const sheet = page.getByRole("dialog", { name: "Settings" });
  await sheet.getByRole("radio", { name: /causal/ }).click();
  await sheet.getByRole("button", { name: "Done" }).tap();
  await expect(page.locator("ap-sentence .line")).toContainText("causal");
  await expect(page).toHaveURL(/mask=causal/);
});

test("Done stays visible above the settings; a mask to be painted is on the stage afterwards", async ({
  page,
}) => {
  await openPage(page);
  await page.locator("ap-sentence .line").tap();
  const sheet = page.getByRole("dialog", { name: "Settings" });
  await sheet.getByRole("radio", { name: /painted/ }).click();
  const done = sheet.getByRole("button", { name: "Done" });
  await expect(done).toBeInViewport({ ratio: 1 });
  await done.tap();
  await still(page, "attention");
  await expect(page.locator("ap-note h2")).toHaveText("masked[0, 0]");
  await expect(cell(page, "masked", 0, 0)).toBeInViewport();
});

test("BERT shows a number on its first screen, and no word of its sentences alone on a line", async ({
  page,
}) => {
  for (const lang of ["en", "zh-CN"]) {
    await page.goto(`${hosts.page}#v=1&lab=bert&lang=${lang}`);
    await still(page, "bert");
    const first = (await page.locator("ap-lab .stage [role=gridcell]").first().boundingBox())!;
    const note = (await page.locator("ap-note").boundingBox())!;
    expect(first.y + first.height, lang).toBeLessThanOrEqual(note.y);
    const lowest = (word: RegExp): Promise<number> =>
      page
        .locator("ap-lab .stage text", { hasText: word })
        .evaluateAll((all) => Math.max(...all.slice(0, 4).map((one) => one.getBoundingClientRect().y)));
    expect(await lowest(/^\[SEP\]$/), lang).toBeLessThanOrEqual((await lowest(/^warm$/)) + 3);
  }
});

test("each row of a head's matrix is named by its word", async ({ page }) => {
  await openPage(page, "#v=1&lab=multi-head&lang=en&tokens=the,cat,sat,on,a,mat&heads=2&dim=8&dk=4&dv=4");
  await still(page, "multi-head");
  const at = (await boardCell(page, "map-0", 2, 0).boundingBox())!;
  const names = await page
    .locator("ap-lab .stage text", { hasText: /^sat$/ })
    .evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ right, y, height }) => [right, y + height / 2]),
    );
  expect(names.some(([right, y]) => right! <= at.x && y! > at.y && y! < at.y + at.height)).toBe(true);
});

test("the line of settings cuts off no word", async ({ page }) => {
  for (const lang of ["en", "zh-CN"])
    for (const lab of ["encoder-decoder", "attention"] as const) {
      await page.goto(`${hosts.page}#v=1&lab=${lab}&lang=${lang}`);
      await still(page, lab);
      const line = page.locator("ap-sentence .line");
      const { y, height } = (await line.boundingBox())!;
      for (const word of await line.locator("span span").all()) {
        const cut = await word.evaluate((element) => element.scrollWidth > element.clientWidth);
        const box = (await word.boundingBox())!;
        expect(cut, lab).toBe(false);
        // On the line, or below it and hidden.
        expect(box.y + box.height <= y + height || box.y >= y + height - 6, lab).toBe(true);
      }
    }
});

test("controls are large enough for a finger", async ({ page }) => {
  await openPage(page);
  for (const control of await page
    .locator("ap-header a:visible, ap-header button:visible, ap-transport button:visible")
    .all()) {
    const box = await control.boundingBox();
    expect(Math.min(box!.width, box!.height), await control.innerText()).toBeGreaterThanOrEqual(40);
  }
});

test("an input is edited through the pencil button of its sheet; a computed cell has none", async ({
  page,
}) => {
  await openPage(page, "#v=1&cell=W_Q,0,0");
  const pencil = page.getByRole("button", { name: "Change this number" });
  await page.getByRole("button", { name: "Show how it was made" }).tap();
  await pencil.tap();
  const field = page.getByRole("textbox", { name: "New number for W_Q[0, 0]" });
  await expect(field).toBeFocused();
  // A numeric keypad has no minus on some phones.
  await expect(field).not.toHaveAttribute("inputmode");
  await page.keyboard.type("-2.5");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/edit=W_Q,0,0,-2\.5/);
  await cell(page, "queries", 0, 0).tap();
  await expect(page.locator("ap-note h2")).toHaveText("Q[0, 0]");
  await expect(pencil).toHaveCount(0);
});
