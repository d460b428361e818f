/** The block lab: its numbers compared with NumPy's and the reference file's, post- and pre-norm, dropout, both themes, a phone. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { violationsInBothThemes } from "./axe.js";
import { cell, expect, fullValue, grid, openPage, readLesson, still, test } from "./open.js";

interface Case {
  name: string;
  expected: Record<string, { data: number[] }>;
}
const { cases } = JSON.parse(readFileSync(new URL("../golden/layer_norm.json", import.meta.url), "utf8")) as {
  cases: Case[];
};

/** Chooses an option of a setting. */
async function choose(page: Page, title: RegExp, option: RegExp): Promise<void> {
  await page.getByRole("button", { name: title }).click();
  await page.getByRole("radio", { name: option }).click();
  await page.keyboard.press("Escape");
}

/** A row of a node in full precision, as the note copies it. */
async function row(page: Page, node: string, at: number, width: number): Promise<number[]> {
  const found: number[] = [];
  for (let column = 0; column < width; column += 1) found.push(await fullValue(page, node, at, column));
  return found;
}

function expectClose(got: number[], wanted: number[]): void {
  got.forEach((value, at) => expect(Math.abs(value - wanted[at]!)).toBeLessThan(5e-9));
}

// NumPy's numbers: nn.TransformerEncoderLayer written out over the table and the parameters of the example; var divides by n.
test("opens with NumPy's numbers; layer norm before each sub-layer gives NumPy's too", async ({ page }) => {
  await openPage(page, "#v=1&ex=one-block");
  await still(page, "block");
  await readLesson(page);
  await expect(page.locator("ap-note h2")).toHaveText("residual2[4, 1]");
  expectClose(await row(page, "normalised", 1, 4), [0.34623507, 0.99394163, 0.32840475, -1.66858145]);
  expectClose(await row(page, "sum", 1, 4), [0.15806774, 0.45715827, 0.14983426, -0.77231121]);
  await choose(page, /^Place of layer norm/, /before each sub-layer/);
  await expect(page).toHaveURL(/norm=pre/);
  await cell(page, "sum", 1, 0).focus();
  expectClose(await row(page, "sum", 1, 4), [0.01056088, 0.63570777, 0.0050921, -0.7863173]);
  await expect(
    page.locator("ap-lesson [data-concept='pre-norm']").getByRole("img", { name: "Done" }),
  ).toBeAttached();
});

test("measured along the path, rows have deviation 1 only after a norm", async ({ page }) => {
  await openPage(page, "#v=1&ex=one-block&cell=means,0,0");
  await still(page, "block");
  const post = await row(page, "deviations of rows", 4, 5);
  expectClose([post[1]!, post[4]!], [0.99271721, 0.999997]);
  await choose(page, /^Place of layer norm/, /before each sub-layer/);
  await expect(grid(page, "deviations of rows").first()).toBeVisible();
  const pre = await row(page, "deviations of rows", 4, 5);
  expectClose([pre[2]!, pre[4]!], [0.96558339, 1.24378942]);
  expect(Math.abs(pre[1]! - 1)).toBeLessThan(1e-4);
});

test("dropout of a half leaves 0 or twice the number, and a link keeps the setting", async ({ page }) => {
  await openPage(page, "#v=1&ex=one-block&dropout=0.5&cell=self_attn.output,1,0");
  await still(page, "block");
  const after = await row(page, "added output", 1, 4);
  const before = await row(page, "attention output", 1, 4);
  after.forEach((value, at) => expect([0, 2 * before[at]!]).toContain(value));
});

test("the example of heights: both rules as in the reference file; the row printed in the text follows neither rule", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=heights");
  await still(page, "block");
  for (const [rule, name] of [
    ["biased", "÷ n"],
    ["unbiased", "÷ \\(n − 1\\)"],
  ] as const) {
    const { expected } = cases.find(({ name }) => name === `heights_${rule}`)!;
    expectClose(await row(page, name, 0, 5), expected["y"]!.data);
  }
  await expect(page.locator("ap-lab .remarks")).toContainText(
    "The blog post's row follows from neither rule.",
  );
  await page.getByRole("button", { name: /^Numbers/ }).click();
  const field = page.getByRole("textbox", { name: /^Numbers/ });
  await field.fill("1 2 3 4");
  await field.press("Enter");
  await expect(page).toHaveURL(/x=1,2,3,4/);
  await expect(page.locator("ap-lab .remarks")).not.toContainText("neither");
  // (1 - 2.5) / sqrt(1.25 + 1e-5)
  expect(await fullValue(page, "÷ n", 0, 0)).toBeCloseTo(-1.5 / Math.sqrt(1.25001), 12);
});

test("axe finds nothing in the block, in pre-norm, in layer norm alone, in either theme", async ({
  page,
}) => {
  for (const hash of [
    "#v=1&ex=one-block",
    "#v=1&ex=pre-norm&cell=self_attn.weights,0,1,0",
    "#v=1&ex=heights",
  ]) {
    await openPage(page, hash);
    await still(page, "block");
    expect(await violationsInBothThemes(page), hash).toEqual([]);
  }
});

test("the note stands over the end of the band and covers no tensor, however long it is", async ({
  page,
}) => {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    for (const hash of [
      "#v=1&ex=one-block&cell=norm1,1,0",
      "#v=1&ex=one-block&cell=norm2,4,1&lang=zh",
      "#v=1&ex=one-block&cell=linear2,4,1",
      "#v=1&ex=one-block&cell=self_attn.weights,0,0,1",
      "#lab=block&dim=64&heads=8&ff=256&tokens=a,b,c,d,e,f,g,h,i,j,k,l&cell=norm2,4,1",
    ]) {
      await openPage(page, hash);
      await still(page, "block");
      await expect(page.locator("html")).toHaveAttribute("lang", hash.includes("lang=zh") ? "zh-CN" : "en");
      const note = (await page.locator("ap-note").boundingBox())!;
      const boxes = await page
        .locator(".stage ap-stage canvas[data-tensor]")
        .evaluateAll((all) => all.map((canvas) => canvas.getBoundingClientRect().toJSON() as DOMRect));
      expect(boxes.length, hash).toBeGreaterThan(8);
      for (const { right, top } of boxes)
        expect(right < note.x || top > note.y + note.height, hash).toBe(true);
    }
  }
});

test("an output stands exactly over the sum that it is added in", async ({ page }) => {
  await openPage(page, "#v=1&ex=one-block");
  await still(page, "block");
  const boxOf = async (node: string) =>
    (await page.locator(`.stage ap-stage canvas[data-tensor="${node}"]`).boundingBox())!;
  for (const [output, sum] of [
    ["self_attn.output", "residual1"],
    ["linear2", "residual2"],
  ] as const) {
    const [above, below] = [await boxOf(output), await boxOf(sum)];
    expect([above.x, above.width]).toEqual([below.x, below.width]);
    expect(above.y + above.height).toBeLessThan(below.y);
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const hash of ["#v=1&ex=one-block", "#v=1&ex=pre-norm&lang=zh", "#v=1&ex=heights"]) {
    test(`nothing overflows at any stop of ${hash}`, async ({ page }) => {
      await openPage(page, hash);
      await still(page, "block");
      const next = page.getByRole("button", { name: /^(Step|单步)$/ });
      for (let stop = 0; stop < 9 && (await next.isEnabled()); stop += 1) {
        await next.tap();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      }
    });
  }
});
