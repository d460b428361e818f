/** The BERT lab: words masked and predicted, its numbers compared with NumPy's, both themes, a phone. */
import { violationsInBothThemes } from "./axe.js";
import { stepOf } from "./run.js";
import { cell, expect, fullValue, grid, openPage, readLesson, still, test } from "./open.js";

test("the lesson leads to a BERT that learns at once, whether its lab was fetched before or not", async ({
  page,
}) => {
  test.slow();
  await openPage(page, "#v=1&lab=bert");
  for (const _turn of ["not fetched", "fetched"]) {
    await still(page, "bert");
    await readLesson(page);
    await page.getByRole("button", { name: "Train a BERT on many sentences" }).click();
    await expect.poll(() => stepOf(page)).toBeGreaterThan(10);
    await page.goBack();
  }
});

// NumPy's probabilities: BERT's layer and head written out over the parameters of the examples, and the softmax at the hidden place, for
// "the", "cat" and "mat".
const found = {
  "masked-untrained": [0.285607812415, 0.08290542474, 0.049366933976],
  "masked-mat": [0.001393606395, 0.000774081821, 0.935353618335],
} as const;
const columns = [3, 4, 7];

for (const [id, probabilities] of Object.entries(found)) {
  test(`${id}: the probabilities are NumPy's`, async ({ page }) => {
    await openPage(page, `#v=1&ex=${id}&cell=probabilities,0,7`);
    await still(page, "bert");
    for (const [at, column] of columns.entries()) {
      const value = await fullValue(page, "probabilities", 0, column);
      expect(Math.abs(value - probabilities[at]!)).toBeLessThan(5e-9);
    }
  });
}

test("opens with a predicted word; another word is masked and predicted, and the link keeps it", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=bert");
  await still(page, "bert");
  await readLesson(page);
  const stage = page.locator("ap-stage").first();
  await expect(stage).toContainText("0.935");
  await expect(page.locator("ap-note h2")).toHaveText("probabilities[0, 7]");
  await expect(page.locator("ap-note")).toContainText("0.935");
  await page.getByRole("button", { name: /^Hidden words/ }).click();
  const field = page.getByRole("textbox", { name: /^Hidden words/ });
  await field.fill("cat warm");
  await field.press("Enter");
  await expect(page).toHaveURL(/hidden=2,10/);
  await expect(
    page.locator("ap-lesson [data-concept='hide']").getByRole("img", { name: "Done" }),
  ).toBeAttached();
  await page.reload();
  await still(page, "bert");
  await expect(page.getByRole("button", { name: /^Hidden words/ })).toContainText("cat warm");
  for (const [row, column] of [
    [0, 4],
    [1, 10],
  ] as const) {
    await openPage(page, `#v=1&ex=masked-mat&hidden=2,10&cell=probabilities,${row},${column}`);
    expect(await fullValue(page, "probabilities", row, column)).toBeGreaterThan(0.5);
  }
});

test("the training is dragged along its loss: the masked word becomes more probable", async ({ page }) => {
  await openPage(page, "#v=1&ex=both-sides");
  await still(page, "bert");
  await readLesson(page);
  const slider = page.getByRole("slider", { name: "Steps of training" });
  await expect(slider).toHaveAttribute("aria-valuenow", "20");
  await expect(page.locator("ap-stage").first()).toContainText("step 20: loss 0.141");
  const { x, y, width, height } = (await slider.boundingBox())!;
  // The slider is half a handle wider than its line at both ends.
  const at = (steps: number): number => x + 31 + ((width - 62) * steps) / 40;
  await page.mouse.move(at(20), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(at(12), y + height / 2, { steps: 4 });
  await page.mouse.move(at(5), y + height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(slider).toHaveAttribute("aria-valuenow", "5");
  await expect(page).toHaveURL(/trained=5/);
  await expect(page.locator("ap-stage").first()).toContainText("step 5: loss 1.164");
  await expect(page.locator("ap-stage").first()).toContainText("0.277");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/trained=6/);
  await page.keyboard.press("Home");
  await expect(page).toHaveURL(/trained=0/);
  await expect(page.locator("ap-stage").first()).toContainText("step 0: loss 2.574");
  await page.keyboard.press("End");
  await expect(page).toHaveURL(/trained=40/);
  await expect(
    page.locator("ap-lesson [data-concept='untrained']").getByRole("img", { name: "Done" }),
  ).toBeAttached();
});

test("pointing above another word draws its arcs and its three rows", async ({ page }) => {
  await openPage(page, "#v=1&ex=both-sides");
  await still(page, "bert");
  const row = page.locator('[data-board="row"] [role=gridcell]');
  const word = page.locator("ap-stage text.word", { hasText: /^cat$/ }).first();
  const box = (await word.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y - 2);
  await expect(page.locator("ap-note h2")).toHaveText(/^embeddings\.with_segments\[2, /);
  // Two steps add three rows: the first is explained by the symbols on the stage.
  await expect(page.locator("ap-note th").first()).toHaveText("sum of W and P");
  await expect(page.locator("ap-stage").first()).toContainText("What goes in at cat");
  await expect(row.first()).toHaveAttribute("aria-label", /cat/);
});

test("the gradient of the loss skips the probabilities: it comes from the logits", async ({ page }) => {
  await openPage(page, "#v=1&lab=bert&cell=loss");
  await still(page, "bert");
  await cell(page, "loss", 0, 0).focus();
  await page.keyboard.press("g");
  await expect(page.locator("ap-stage").first()).toContainText("not used to compute it");
  await cell(page, "probabilities", 0, 7).focus();
  await expect(page.locator("ap-note")).toContainText(
    "loss is not computed from this, but from logits of hidden places",
  );
});

test("without a second sentence all positions have the first one's row; a table can be edited", async ({
  page,
}) => {
  const values: number[] = [];
  for (const place of [0, 3, 7]) {
    await openPage(page, `#lab=bert&second=none&hidden=2&cell=embeddings.segments,${place},0`);
    await still(page, "bert");
    values.push(await fullValue(page, "segment embedding", 0, 0));
  }
  expect(new Set(values).size).toBe(1);
  await cell(page, "segment embeddings", 0, 0).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("2.5");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/edit=embeddings.token_type_embeddings.weight,0,0,2.5/);
  expect(await fullValue(page, "segment embedding", 0, 0)).toBe(2.5);
  await expect(grid(page, "segment embedding").first()).toBeVisible();
});

test("axe finds nothing at the tables, at the weights, at the score, in either theme", async ({ page }) => {
  for (const hash of [
    "#v=1&ex=both-sides",
    "#v=1&ex=masked-mat&cell=layers.0.self_attn.weights,0,6,2",
    "#v=1&ex=masked-drawn&cell=probabilities,0,8",
  ]) {
    await openPage(page, hash);
    await still(page, "bert");
    expect(await violationsInBothThemes(page), hash).toEqual([]);
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const hash of ["#v=1&ex=masked-mat", "#v=1&ex=masked-drawn&lang=zh"]) {
    test(`nothing overflows at any stop of ${hash}`, async ({ page }) => {
      await openPage(page, hash);
      await still(page, "bert");
      const next = page.getByRole("button", { name: /^(Step|单步)$/ });
      for (let stop = 0; stop < 6 && (await next.isEnabled()); stop += 1) {
        await next.tap();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      }
    });
  }
});
