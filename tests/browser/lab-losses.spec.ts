/**
 * The losses lab: the numbers of its stage compared with tests/golden/label_smoothing.json (PyTorch's rule and the document's), against
 * the document's example, and with NumPy's random stream for dropout.
 */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { boardCell, expect, hosts, openPage, still, test, valueAt, readLesson } from "./open.js";
import { violationsInBothThemes } from "./axe.js";

interface Case {
  name: string;
  inputs: Record<"logits" | "targets", { data: number[] }>;
  expected: Record<string, { data: number[] }>;
}
const { cases } = JSON.parse(
  readFileSync(new URL("../golden/label_smoothing.json", import.meta.url), "utf8"),
) as { cases: Case[] };
const golden = (name: string): Case => cases.find((one) => one.name === name)!;

/** The number of a cell, of the matrix that shows a node. */
const value = (page: Page, node: string, row = 0, column = 0): Promise<number> =>
  valueAt(boardCell(page, node, row, column), `${node}[${row}, ${column}]`);

async function choose(page: Page, control: RegExp, option: RegExp): Promise<void> {
  await page.getByRole("button", { name: control }).click();
  await page.getByRole("radio", { name: option }).click();
  await page.keyboard.press("Escape");
}

test("both smoothing rules and KL divergence equal the reference file, then follow the changed settings", async ({
  page,
}) => {
  const torch = golden("k3_torch");
  const blog = golden("k3_blog");
  const { logits, targets } = torch.inputs;
  expect(blog.inputs).toEqual(torch.inputs);
  const rows = [logits.data.slice(0, 3), logits.data.slice(3)].map((row) => row.join(",")).join(";");
  await openPage(
    page,
    `#v=1&lab=losses&classes=a,b,c&targets=${targets.data.join(",")}&logits=${rows}&smoothing=0.1`,
  );
  await still(page, "losses");
  for (const row of [0, 1]) {
    // The targets and losses of the row that is pointed at are shown.
    await value(page, "logits", row);
    for (const column of [0, 1, 2]) {
      const at = 3 * row + column;
      expect(await value(page, "y_all", 0, column)).toBeCloseTo(torch.expected.smoothed!.data[at]!, 12);
      expect(await value(page, "y_others", 0, column)).toBeCloseTo(blog.expected.smoothed!.data[at]!, 12);
    }
    expect(await value(page, "loss_all")).toBeCloseTo(torch.expected.loss_none!.data[row]!, 9);
  }
  expect(await value(page, "loss_mean_all")).toBeCloseTo(torch.expected.loss_mean!.data[0]!, 9);
  expect(await value(page, "loss_mean_others")).toBeCloseTo(blog.expected.soft_ce!.data[0]!, 9);

  await choose(page, /^What is shown/, /KL divergence/);
  await expect(page).toHaveURL(/topic=divergence/);
  expect(await value(page, "kl_mean_others")).toBeCloseTo(blog.expected.kl_batchmean!.data[0]!, 9);
  await choose(page, /^Spread over/, /all 3 classes/);
  expect(await value(page, "loss_mean_all")).toBeCloseTo(torch.expected.loss_mean!.data[0]!, 9);
});

test("the document's example: KL divergence, cross entropy, entropy, and their common gradient", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=kl-and-cross-entropy");
  await still(page, "losses");
  const { kl_batchmean, soft_ce } = golden("blog_example_blog").expected;
  // The reference file holds the logits 0.1 and 0.3 as float32.
  expect(await value(page, "kl_mean_others")).toBeCloseTo(kl_batchmean!.data[0]!, 8);
  expect(await value(page, "loss_mean_others")).toBeCloseTo(soft_ce!.data[0]!, 8);
  const entropy = -(0.9 * Math.log(0.9) + 2 * 0.05 * Math.log(0.05));
  expect(await value(page, "entropy_mean_others")).toBeCloseTo(entropy, 12);
  // The gradient of row 1 by its first logit, from the softmax of (2, 1, 0.1).
  const p = Math.exp(2) / (Math.exp(2) + Math.exp(1) + Math.exp(0.1));
  expect(await value(page, "gradient_others", 0, 0)).toBeCloseTo((p - 0.9) / 2, 12);
});

test("a larger logit of the right class: the one-hot loss falls, the smoothed ones rise again; the concept is ticked", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=label-smoothing");
  await readLesson(page);
  await still(page, "losses");
  const before = [await value(page, "loss"), await value(page, "loss_all"), await value(page, "loss_others")];
  await value(page, "logits");
  await page.keyboard.press("F2");
  await page.keyboard.type("9");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/edit=logits,0,0,9/);
  const after = [await value(page, "loss"), await value(page, "loss_all"), await value(page, "loss_others")];
  const logits = [9, 1, 0.1];
  const logSum = Math.log(logits.reduce((sum, z) => sum + Math.exp(z), 0));
  const cost = (target: number[]): number =>
    target.reduce((sum, share, at) => sum + share * (logSum - logits[at]!), 0);
  for (const [at, target] of [
    [1, 0, 0],
    [0.9 + 0.1 / 3, 0.1 / 3, 0.1 / 3],
    [0.9, 0.05, 0.05],
  ].entries())
    expect(after[at]).toBeCloseTo(cost(target), 12);
  expect(after[0]).toBeLessThan(before[0]!);
  expect(after[1]).toBeGreaterThan(before[1]!);
  expect(after[2]).toBeGreaterThan(before[2]!);
  await expect(
    page.locator('ap-lesson [data-concept="too-sure"]').getByRole("img", { name: "Done" }),
  ).toBeAttached();
});

test("dropout: NumPy's numbers of seed 4, kept where u > p and divided by 1 − p", async ({ page }) => {
  await openPage(page, "#v=1&ex=twelve-dropouts");
  await still(page, "losses");
  // np.random.seed(4); np.random.randn(8)
  const drawn = "0.05056171 0.49995133 -0.99590893 0.69359851 -0.41830152 -1.58457724 -0.64770677 0.59857517";
  const x: number[] = [];
  for (let column = 0; column < 8; column += 1) x.push(await value(page, "x-above-dropped", 0, column));
  expect(x.map((one) => one.toFixed(8)).join(" ")).toBe(drawn);
  const kept: number[] = [];
  for (let row = 0; row < 12; row += 1) {
    const u = await value(page, "u", row, 5);
    const wanted = u > 0.3 ? x[5]! / (1 - 0.3) : 0;
    kept.push(wanted);
    expect(await value(page, "dropped", row, 5)).toBeCloseTo(wanted, 12);
  }
  expect(kept.filter((one) => one === 0).length).toBeGreaterThan(0);
  const mean = kept.reduce((sum, one) => sum + one, 0) / 12;
  expect(await value(page, "mean-below-dropped", 0, 5)).toBeCloseTo(mean, 12);
});

test("the logit is dragged, by a pointer and by keys: the losses follow, and the drag is one step to undo", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=label-smoothing");
  await still(page, "losses");
  const slider = page.getByRole("slider", { name: "logit of cat in row 0" });
  await expect(slider).toHaveAttribute("aria-valuenow", "2");
  const { x, y, width, height } = (await slider.boundingBox())!;
  const [first, last] = await Promise.all(
    ["aria-valuemin", "aria-valuemax"].map(async (name) => Number(await slider.getAttribute(name))),
  );
  const at = (logit: number): number => x + 31 + ((logit - first!) / (last! - first!)) * (width - 62);
  await page.mouse.move(at(2), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(at(9), y + height / 2, { steps: 6 });
  // Near the least loss it snaps to it: p is then the target.
  await page.mouse.move(at(3.98) + 3, y + height / 2, { steps: 6 });
  await page.mouse.up();
  await expect(slider).toHaveAttribute("aria-valuenow", "3.98");
  await expect(page).toHaveURL(/edit=logits,0,0,3.98/);
  await still(page, "losses");
  expect(await value(page, "p")).toBeCloseTo(1 - 0.2 / 3, 4);

  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/edit=logits,0,0,4.08/);
  await page.keyboard.press("PageUp");
  await expect(slider).toHaveAttribute("aria-valuenow", "3.98");
  for (const left of ["4.08", "3.98", "2"]) {
    await page.keyboard.press("ControlOrMeta+z");
    await expect(slider).toHaveAttribute("aria-valuenow", left);
  }
  await expect(page).not.toHaveURL(/edit=/);
});

test("a logit that is undone before its numbers are computed does not stay at the handle", async ({
  page,
}) => {
  await openPage(page, "#v=1&ex=label-smoothing");
  await still(page, "losses");
  const slider = page.getByRole("slider", { name: "logit of cat in row 0" });
  const taken = await slider.evaluate(async (element) => {
    const answers = [{ key: "PageDown" }, { key: "z", ctrlKey: true }].map((keys) => {
      const options = { ...keys, bubbles: true, composed: true, cancelable: true };
      return !element.dispatchEvent(new KeyboardEvent("keydown", options));
    });
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return answers;
  });
  expect(taken).toEqual([true, true]);
  await still(page, "losses");
  await expect(slider).toHaveAttribute("aria-valuenow", "2");
});

test("axe finds nothing in label smoothing, KL divergence and dropout, in either theme", async ({ page }) => {
  for (const example of ["label-smoothing", "kl-and-cross-entropy", "twelve-dropouts"]) {
    await openPage(page, `#v=1&ex=${example}`);
    await still(page, "losses");
    expect(await violationsInBothThemes(page), example).toEqual([]);
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("every stop of every topic fits", async ({ page }) => {
    for (const example of ["sure-and-wrong", "kl-and-cross-entropy", "twelve-dropouts"]) {
      await page.goto(`${hosts.page}#v=1&ex=${example}`);
      await still(page, "losses");
      for (let stop = 0; stop < 3; stop += 1) {
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${example} ${stop}`).toBe(
          390,
        );
        await page.keyboard.press("]");
        await still(page, "losses");
      }
    }
  });
});
