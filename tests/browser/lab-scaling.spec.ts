/** The scaling lab: document 001's printed weights, and the effect of the division by √d_k on every number of the stage. */
import type { Page } from "@playwright/test";
import { boardCell, expect, hosts, openPage, still, test, valueAt, readLesson } from "./open.js";
import { violationsInBothThemes } from "./axe.js";
import { reference } from "./reference.js";

const widths = [2, 4, 8, 16, 32, 64, 128];

/** The number of a cell, of the matrix that shows a node. */
const value = (page: Page, node: string, row: number, column = 0): Promise<number> =>
  valueAt(boardCell(page, node, row, column), `${node}[${row}, ${column}]`);

test("at dₖ = 16 the weights are those that document 001 prints; smaller projections share the row evenly", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=saturated-rows");
  await readLesson(page);
  await still(page, "scaling");
  const { near } = reference("numpy_mha_run1");
  for (let column = 0; column < 10; column += 1) {
    const { got, wanted, allowed } = near(
      "weights_0_0_0_first10",
      column,
      await value(page, "weights_scaled", 3, column),
    );
    expect(Math.abs(got - wanted), `${column}: ${got}, ${wanted}`).toBeLessThanOrEqual(allowed);
  }
  // Each number of Q and K has variance 128: scores divided by √16 spread by about 128.
  const variance = await value(page, "variance_scaled", 3);
  expect(Math.sqrt(variance)).toBeGreaterThan(120);
  expect(Math.sqrt(variance)).toBeLessThan(136);

  await page.getByRole("button", { name: /^Queries and keys/ }).click();
  await page.getByRole("radio", { name: /1\/128/ }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/ex=spread-restored/);
  // The same draws, both weights divided by √128: the variance is divided by 128².
  expect(await value(page, "variance_scaled", 3)).toBeCloseTo(variance / 128 ** 2, 10);
  expect(await value(page, "weights_scaled", 3, 8)).toBeLessThan(0.5);
  await expect(
    page.locator('ap-lesson [data-concept="restored"]').getByRole("img", { name: "Done" }),
  ).toBeAttached();
});

test("variance grows as dₖ and is 1 when divided; with two keys no entropy exceeds log 2", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=seven-widths");
  await still(page, "scaling");
  for (const [row, width] of widths.entries()) {
    const variance = await value(page, "variance", row);
    expect(await value(page, "variance_scaled", row)).toBeCloseTo(variance / width, 10);
    expect(variance / width).toBeGreaterThan(0.9);
    expect(variance / width).toBeLessThan(1.1);
  }
  expect(await value(page, "entropy", 6)).toBeLessThan(0.5);
  expect(await value(page, "entropy_scaled", 6)).toBeGreaterThan(1.5);
  expect(await value(page, "jacobian", 6)).toBeLessThan((await value(page, "jacobian", 0)) / 2);

  await page.getByRole("button", { name: /^Keys/ }).click();
  await page.getByRole("spinbutton").or(page.getByRole("textbox")).first().fill("2");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/keys=2/);
  // A row of two weights: their entropy and the trace of the Jacobian are at most log 2 and 1/2.
  for (const row of [0, 6]) {
    const [first, second] = [await value(page, "weights", row, 0), await value(page, "weights", row, 1)];
    expect(first + second).toBeCloseTo(1, 12);
    expect(await value(page, "entropy", row)).toBeLessThan(Math.LN2);
    expect(await value(page, "jacobian", row)).toBeLessThan(0.5);
  }
});

const handle = (page: Page) => page.getByRole("slider", { name: "dₖ of the row in use" });

test("dₖ is dragged, by a pointer and by keys: its row has the numbers of the link, and the note explains its largest weight", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=seven-widths");
  await still(page, "scaling");
  const slider = handle(page);
  await expect(slider).toHaveAttribute("aria-valuenow", "128");
  const { x, y, height } = (await slider.boundingBox())!;
  const middle = x + 22;
  // The handle is at the end of the rail; half a row up it is between two rows.
  await page.mouse.move(middle, y + height - 13);
  await page.mouse.down();
  const row = (height - 26) / 6;
  await page.mouse.move(middle, y + height - 13 - 2.47 * row, { steps: 8 });
  await expect(slider).toHaveAttribute("aria-valuenow", "23");
  await page.mouse.up();
  await still(page, "scaling");
  await expect(page).toHaveURL(/width=23&cell=weights,4,0,0,5/);
  await expect(page.locator("ap-note h2")).toHaveText("weights[4, 0, 0, 5]");
  // As NumPy: tests/web/labs-scaling.test.ts.
  expect(await value(page, "jacobian_scaled", 4)).toBeCloseTo(0.7603350641501422, 10);
  expect(await value(page, "variance", 4)).toBeCloseTo(24.826173218902166, 10);
  expect(await value(page, "weights", 4, 5)).toBeCloseTo(0.9835856842996304, 10);

  // The drag is one step to undo.
  await page.keyboard.press("ControlOrMeta+z");
  await expect(slider).toHaveAttribute("aria-valuenow", "128");
  await expect(page).toHaveURL(/ex=seven-widths&cell=weights,6,0,0,0/);
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expect(page).toHaveURL(/width=23&cell=weights,4,0,0,5/);

  await slider.focus();
  await page.keyboard.press("PageDown");
  await expect(slider).toHaveAttribute("aria-valuenow", "32");
  await expect(page).toHaveURL(/width=32&cell=weights,4,0,0,5/);
  await page.keyboard.press("ArrowUp");
  await expect(page).toHaveURL(/width=31/);
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuenow", "2");
  await still(page, "scaling");
  await expect(page.locator("ap-note h2")).toHaveText("weights[0, 0, 0, 4]");
  for (const left of ["31", "32", "23", "128"]) {
    await page.keyboard.press("ControlOrMeta+z");
    await expect(slider).toHaveAttribute("aria-valuenow", left);
  }
});

test("pointing at a row moves the handle to its width", async ({ page }) => {
  await openPage(page, "#v=1&ex=seven-widths&width=23");
  await still(page, "scaling");
  const box = (await boardCell(page, "entropy_scaled", 4, 0).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect(handle(page)).toHaveAttribute("aria-valuenow", "23");
  await expect(page.locator("ap-note h2")).toHaveText("entropy_scaled[4]");
  // The other half is explained beside it.
  await expect(page.locator("ap-note .counterpart b")).toHaveText("entropy[4]");
});

test("axe finds nothing in document 001's rows, in either theme", async ({ page }) => {
  await openPage(page, "#v=1&ex=saturated-rows");
  await still(page, "scaling");
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("every stop fits", async ({ page }) => {
    for (const example of ["seven-widths", "saturated-rows"]) {
      await page.goto(`${hosts.page}#v=1&ex=${example}`);
      await still(page, "scaling");
      for (let stop = 0; stop < 4; stop += 1) {
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${example} ${stop}`).toBe(
          390,
        );
        await page.keyboard.press(stop === 0 ? "[" : "]");
        await still(page, "scaling");
      }
    }
  });
});
