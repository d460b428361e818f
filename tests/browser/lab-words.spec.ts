/** The words lab. Its numbers are compared with the definitions written out here, and with the analogy in the golden file of similarities. */
import type { Page } from "@playwright/test";
import { cell, expect, fullValue, openPage, still, test, readLesson } from "./open.js";
import { violations } from "./axe.js";

const examples = [
  "dog-bites-man",
  "ids-133-23-58",
  "king-and-queen",
  "kingdom-on-a-map",
  "small-kingdom",
  "small-kingdom-zh",
];
const slider = (page: Page) => page.locator("ap-transport").getByRole("slider");
const done = (page: Page, id: string) =>
  page.locator(`ap-lesson [data-concept="${id}"]`).getByRole("img", { name: "Done" });

async function type(page: Page, control: RegExp, name: string, value: string): Promise<void> {
  await page.getByRole("button", { name: control }).click();
  await page.getByRole("textbox", { name }).fill(value);
  await page.keyboard.press("Escape");
}

test("one-hot rows: a product looks up a row, every distance is √2, and the order is lost", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=dog-bites-man");
  await readLesson(page);
  for (const column of [0, 1, 2])
    expect(await fullValue(page, "vectors", 2, column)).toBe(
      await fullValue(page, "embedding matrix", 2, column),
    );
  for (const [row, column] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const) {
    expect(await fullValue(page, "distances, one-hot", row, column)).toBeCloseTo(Math.SQRT2, 15);
    expect(await fullValue(page, "dot products, one-hot", row, column)).toBe(0);
  }
  for (const column of [0, 1, 2]) expect(await fullValue(page, "difference", 0, column)).toBe(0);
  await type(page, /^Second sentence/, "Second sentence", "man bites man");
  await expect.poll(() => fullValue(page, "counts of the second", 0, 2)).toBe(2);
  expect(await fullValue(page, "difference", 0, 0)).toBe(1);
  expect(await fullValue(page, "difference", 0, 2)).toBe(-1);
  await type(page, /^Second sentence/, "Second sentence", "bites man dog");
  await expect(done(page, "order-lost")).toBeAttached();
});

test("given vectors: cosines, the analogy, and a vector changed by hand", async ({ page }) => {
  await openPage(page, "#v=1&ex=king-and-queen");
  const vectors = [
    [0.9, 0.1, 0.8],
    [0.9, 0.9, 0.8],
    [0.1, 0.1, 0.7],
    [0.1, 0.9, 0.7],
    [0, 0.3, -0.7],
    [0.1, 0.6, -0.8],
  ];
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  const cosine = (a: number[], b: number[]) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  for (const [i, j] of [
    [0, 1],
    [0, 4],
    [4, 5],
  ] as const)
    expect(await fullValue(page, "cosines", i, j)).toBeCloseTo(cosine(vectors[i]!, vectors[j]!), 12);
  const target = vectors[0]!.map((value, at) => value - vectors[2]![at]! + vectors[3]![at]!);
  for (const at of [0, 1, 2, 3, 4, 5])
    expect(await fullValue(page, "cosines with the answer", 0, at)).toBeCloseTo(
      cosine(target, vectors[at]!),
      12,
    );
  await expect(page.locator("ap-stage").getByText("king − man + woman ≈ queen")).toBeVisible();
  // The analogy of the golden file: king is to queen as man is to woman.
  await openPage(page, "#v=1&ex=king-and-queen&analogy=1,0,2");
  await expect(page.locator("ap-stage").getByText("queen − king + man ≈ woman")).toBeVisible();
  await cell(page, "embedding matrix", 3, 1).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("-5");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/edit=E,3,1,-5/);
  await expect(page.locator("ap-stage").getByText("queen − king + man ≈ woman")).toBeHidden();
});

test("training on a text: the map moves with the steps, Play ends at the last, a pasted text replaces the first", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=small-kingdom&step=0");
  await readLesson(page);
  // Before the first step every output vector is 0.
  expect(await fullValue(page, "scores", 3, 0)).toBe(0);
  expect(await fullValue(page, "predicted, and in the text", 3, 0)).toBeCloseTo(0.1, 12);
  expect(await fullValue(page, "predicted, and in the text", 3, 1)).toBeCloseTo(0.4, 12);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator("ap-transport output")).toHaveText("150 (0–150)", { timeout: 30_000 });
  await expect(page.locator("ap-stage").getByText("the words after 150 steps")).toBeVisible();
  // The frequency in the text is 0.4, and the model is close to it now.
  expect(Math.abs((await fullValue(page, "predicted, and in the text", 3, 0)) - 0.4)).toBeLessThan(0.02);
  await type(page, /^Text/, "Text", "Red wine, white wine. Red rose; white rose.");
  await expect(page).toHaveURL(/text=red,wine/);
  await expect(done(page, "own-text")).toBeAttached();
  await expect(page.locator("ap-stage").getByText("rose", { exact: true }).first()).toBeVisible();
  await slider(page).focus();
  await page.keyboard.press("Home");
  await expect(done(page, "before-the-first")).toBeAttached();
});

test("the loss under the map is dragged to another step, by a pointer and by keys, and the words move", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=kingdom-on-a-map");
  await still(page, "words");
  const track = page.locator("ap-stage").getByRole("slider", { name: "step" });
  await expect(track).toHaveAttribute("aria-valuenow", "30");
  const before = await fullValue(page, "input embeddings", 0, 0);
  const { x, y, width, height } = (await track.boundingBox())!;
  const at = (step: number): number => x + 31 + (step / 150) * (width - 62);
  await page.mouse.move(at(30), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(at(90), y + height / 2, { steps: 6 });
  await page.mouse.up();
  await expect(track).toHaveAttribute("aria-valuenow", "90");
  await expect(page).toHaveURL(/step=90/);
  await expect(page.locator("ap-stage").getByText("the words after 90 steps")).toBeVisible();
  expect(await fullValue(page, "input embeddings", 0, 0)).not.toBe(before);
  await track.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/step=91/);
});

test("a text too short for training is refused, with what was expected", async ({ page }) => {
  await openPage(page, "#v=1&ex=small-kingdom");
  await page.getByRole("button", { name: /^Text/ }).click();
  await page.getByRole("textbox", { name: "Text" }).fill("one");
  await expect(page.getByText(/expected 2 to 160 words, 2 to 40 different ones/)).toBeVisible();
});

test("token ids: each picks its row, another id another row, and an id that has no row is refused", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=ids-133-23-58");
  for (const [row, first] of [1.0333236, 1.18221604, -0.13959719].entries()) {
    expect(await fullValue(page, "embeddings", row, 0)).toBe(first);
    expect(await fullValue(page, "one-hot rows times table", row, 0)).toBe(first);
    expect(await fullValue(page, "difference", row, 0)).toBe(0);
  }
  await type(page, /^Token ids/, "Token ids", "58, 133");
  await expect(page).toHaveURL(/ids=58,133/);
  await expect.poll(() => fullValue(page, "embeddings", 1, 0)).toBe(1.0333236);
  await page.getByRole("button", { name: /^Token ids/ }).click();
  await page.getByRole("textbox", { name: "Token ids" }).fill("1000");
  await expect(
    page.getByText("the table has 1000 rows, so expected ids from 0 to 999, got 1000"),
  ).toBeVisible();
});

for (const theme of ["light", "dark"]) {
  test(`axe-core finds nothing, ${theme}`, async ({ page }) => {
    for (const example of examples) {
      await openPage(page, `#v=1&ex=${example}&theme=${theme}`);
      await still(page, "words");
      expect(await violations(page), example).toEqual([]);
    }
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("nothing overflows in any example, and a tap explains", async ({ page }) => {
    for (const example of examples) {
      await openPage(page, `#v=1&ex=${example}&lang=zh-CN`);
      await still(page, "words");
      expect(await page.evaluate(() => document.documentElement.scrollWidth), example).toBeLessThanOrEqual(
        390,
      );
    }
    await openPage(page, "#v=1&ex=dog-bites-man");
    await still(page, "words");
    await cell(page, "vectors", 0, 1).tap();
    await expect(page.locator("ap-note h2")).toContainText("vectors[0, 1]");
  });
});
