/** Use by keyboard and screen reader: landmarks, names, keys, and contrast checked by axe-core. */
import { violationsInBothThemes } from "./axe.js";
import { cell, expect, hosts, labIds, openPage, waitUntilIdle, still, test } from "./open.js";

/** The beginning of the sentence about keys, in each language. */
const moving = { en: "Tab goes from tensor to tensor", "zh-CN": "Tab 键从一个张量走到下一个" };

for (const lab of labIds) {
  test(`axe finds nothing in either theme, and the description of the stage comes before the numbers: ${lab}`, async ({
    page,
  }) => {
    await openPage(page, `#v=1&lab=${lab}`);
    await still(page, lab);
    expect(await violationsInBothThemes(page)).toEqual([]);
    for (const lang of ["en", "zh-CN"] as const) {
      await openPage(page, `#v=1&lab=${lab}&lang=${lang}`);
      const said = page.getByRole("paragraph").filter({ hasText: moving[lang] });
      await expect(said).toHaveCount(1);
      // The paragraph has more than the keys: a description of this lab's stage.
      expect((await said.textContent())!.length).toBeGreaterThan(lang === "en" ? 400 : 150);
      // The description comes before the numbers.
      await expect(page.getByRole("main")).toMatchAriaSnapshot(`
        - main:
          - paragraph: /${moving[lang]}/
          - region /^(The numbers|数值)$/
      `);
    }
  });
}

test("axe finds nothing in the contents, in either theme", async ({ page }) => {
  await page.goto(`${hosts.page}#contents`);
  await expect(page.getByRole("link", { name: /numbers match its source/ }).first()).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test("keys alone: skip link, sentence, popover, numbers, help", async ({ page }) => {
  await openPage(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the numbers" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("ap-note h2")).toHaveText("scores[0, 2]");
  await expect(cell(page, "scores", 0, 2)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("ap-note h2")).toHaveText("scores[0, 3]");

  await page.getByRole("button", { name: /^Mask/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "no mask" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /causal/ })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Mask/ })).toBeFocused();

  await cell(page, "scores", 0, 0).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(page.locator("ap-note")).toContainText("scores[1, 1]");

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeHidden();
});

test("the Tab key goes through the tensors, then to Play, and changes no stop", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  const stop = page.locator("ap-transport [aria-current=step]");
  const name = await stop.getAttribute("aria-label");
  await cell(page, "scores", 0, 2).focus();
  const tensors = new Set<string>();
  for (let presses = 0; presses < 5; presses++) {
    await page.keyboard.press("Tab");
    await waitUntilIdle(page);
    tensors.add((await page.locator("ap-note h2").textContent())!.split("[")[0]!);
    await expect(stop).toHaveAttribute("aria-label", name!);
  }
  expect(tensors.size).toBeGreaterThan(3);
  // The cell is announced, without its stop.
  await expect(page.locator("ap-note [aria-live=polite]")).toHaveText("W_K[0, 0] = 2, given");
});

test("in keyboard order Play comes after the note and before the lesson", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: /^Pin/ }).focus();
  for (let presses = 0; presses < 20 && (await page.locator("ap-note :focus").count()) > 0; presses++)
    await page.keyboard.press("Tab");
  await expect(page.locator("ap-transport :focus")).toHaveCount(1);
});

test("the formula is a group with an accessible name, each symbol a button with its letter, name and size", async ({
  page,
}) => {
  await openPage(page);
  const formula = page.getByRole("group", {
    name: "O = softmax(Q K transposed / square root of d_k) V",
    exact: true,
  });
  await expect(formula).toMatchAriaSnapshot(`
    - group "O = softmax(Q K transposed / square root of d_k) V":
      - button "O, output, 4 by 3"
      - button "A, weights, 4 by 4"
      - button "Q, queries, 4 by 3"
      - button "K, keys, 4 by 3"
      - button /dk|d_k|√/
      - button "V, values, 4 by 3"
  `);
  await expect(page.getByRole("button", { name: "softmax", exact: true })).toBeVisible();
});

test("a step announces its stop and its result", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  const stop = page.locator("ap-transport [aria-current=step]");
  const before = await stop.getAttribute("aria-label");
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(stop).not.toHaveAttribute("aria-label", before!);
  const sentence = (await page.locator("ap-transport p").textContent())!.trim();
  const announcement = page.locator("ap-note [aria-live=polite]");
  await expect(announcement).toContainText(sentence);
  await expect(announcement).toContainText(/\d\.\d+ = /);
});

test("Esc in the lesson goes back up to the numbers", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: /^Lesson/ }).click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(cell(page, "scores", 0, 2)).toBeFocused();
});

test("Play goes through the stops and ends when the reader acts", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Stop 2 of/ })).toHaveAttribute("aria-current", "step", {
    timeout: 10_000,
  });
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await page.keyboard.press("]");
  await expect(page.getByRole("button", { name: /^Stop 3 of/ })).toHaveAttribute("aria-current", "step");
});

for (const reducedMotion of ["no-preference", "reduce"] as const) {
  test.describe(`with reduced motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });
    test(`a step is ${reducedMotion === "reduce" ? "not " : ""}swept`, async ({ page }) => {
      await openPage(page);
      await still(page, "attention");
      const current = page.locator("ap-transport [aria-current=step]");
      await expect(current).toHaveAccessibleName(/^Stop 3 of/);
      // The number of computed cells of the swept matrix, in every frame.
      const seen = await page.locator('ap-stage [data-board="scaled"]').evaluateHandle((grid) => {
        const counts: number[] = [];
        const stage = grid.getRootNode() as ParentNode;
        const look = (): void => {
          const cells = '[data-board="scaled"] [role=gridcell]:not([aria-label="not computed yet"])';
          counts.push(stage.querySelectorAll(cells).length);
          requestAnimationFrame(look);
        };
        look();
        return counts;
      });
      await page.keyboard.press("]");
      await expect(current).toHaveAccessibleName(/^Stop 4 of/);
      await expect(page.locator("ap-note h2")).toHaveText(/^scaled/);
      // The sweep begins with none of them and ends with all.
      const ended = (all: readonly number[]): boolean =>
        all.at(-1) === 16 && (reducedMotion === "reduce" || all.includes(0));
      await expect.poll(async () => ended(await seen.jsonValue())).toBe(true);
      const counts = await seen.jsonValue();
      expect(counts.some((count) => count > 0 && count < 16)).toBe(reducedMotion !== "reduce");
    });
  });
}
