/**
 * The gradient of one number on the stage and in the note: NumPy's difference quotients, following it back and
 * forth, and ending it.
 */
import { spawnSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { pythonWithNumpy } from "../../toolchain/numpy.mjs";
import { violations, violationsInBothThemes } from "./axe.js";
import { formatNote } from "../../web/marks/numbers.js";
import { numbersOf, readOn, shownOn } from "./drawn-numbers.js";
import { boardCell, cell, expect, grid, openPage, still, test, valueAt } from "./open.js";

const python = await pythonWithNumpy();

/**
 * Computes attention again from any of its tensors on, with each number of that tensor shifted a little
 * both ways.
 */
const quotients = `
import json, sys
import numpy as np

given = json.load(sys.stdin)
row, column = given["of"]
X, W_Q, W_K, W_V = (np.array(given[name], dtype=float).reshape(-1, 3) for name in ("X", "W_Q", "W_K", "W_V"))

def softmax(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)

def output(**put):
    at = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, **put}
    for name in ("Q", "K", "V"):
        at.setdefault(name, at["X"] @ at["W_" + name])
    at.setdefault("scores", at["Q"] @ at["K"].T)
    at.setdefault("scaled", at["scores"] / np.sqrt(3))
    at.setdefault("weights", softmax(at["scaled"]))
    at.setdefault("output", at["weights"] @ at["V"])
    return at

plain = output()
answer = {}
for name in ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "scores", "scaled", "weights"):
    gradient = np.zeros_like(plain[name])
    for place in np.ndindex(gradient.shape):
        step = np.zeros_like(gradient)
        step[place] = 1e-6
        up, down = (output(**{name: plain[name] + sign * step})["output"][row, column] for sign in (1, -1))
        gradient[place] = (up - down) / 2e-6
    answer[name] = gradient.ravel().tolist()
print(json.dumps(answer))
`;

/** The gradient of output[row, column], from the page's own leaves. */
async function byQuotients(page: Page, of: [number, number]): Promise<Record<string, number[]>> {
  const leaves: Record<string, number[]> = {};
  for (const name of ["X", "W_Q", "W_K", "W_V"]) leaves[name] = await numbersOf(page, name);
  const input = JSON.stringify({ of, ...leaves });
  const { status, stdout, stderr } = spawnSync(python, ["-c", quotients], { input, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, number[]>;
}

const line = (page: Page) => page.getByRole("region", { name: "Gradient", exact: true });
const note = (page: Page) => page.locator("ap-note");
const tool = (page: Page) => note(page).getByRole("button", { name: "Gradient of this number" });

/** The rounding of a printed number: three decimals, or three significant figures of a small one. */
const rounding = (shown: number): number =>
  Math.abs(shown) >= 0.001 || shown === 0
    ? 5e-4 * Number(shown !== 0)
    : 5e-3 * 10 ** Math.floor(Math.log10(Math.abs(shown)));

async function expectQuotients(page: Page, of: [number, number]): Promise<void> {
  const wanted = await byQuotients(page, of);
  for (const [node, numbers] of Object.entries(wanted)) {
    // Compares every cell to the printed digits, and the largest of some tensors in full.
    const shown = await readOn(page, node);
    expect(shown, node).toHaveLength(numbers.length);
    shown.forEach((value, at) =>
      expect(Math.abs(value - numbers[at]!), `${node} ${at}: ${value}, ${numbers[at]}`).toBeLessThan(
        1e-7 + rounding(value),
      ),
    );
    if (!["X", "W_Q", "weights"].includes(node)) continue;
    const sizes = numbers.map(Math.abs);
    const largest = sizes.indexOf(Math.max(...sizes));
    const width = await boardCell(page, node, 0, 0).locator("..").getByRole("gridcell").count();
    const place = boardCell(page, node, Math.floor(largest / width), largest % width);
    expect(Math.abs((await valueAt(place, node)) - numbers[largest]!), node).toBeLessThan(1e-7);
  }
}

test("Esc removes the pin, then ends the gradient, wherever the focus is", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await cell(page, "weights", 0, 2).click();
  await expect(note(page)).toContainText("Pinned: press Esc");
  // The focus was on a button that has been removed.
  await page.getByRole("button", { name: "Stop comparing" }).click();
  await page.keyboard.press("Escape");
  await expect(note(page)).not.toContainText("Pinned");
  await cell(page, "output", 2, 1).focus();
  await expect(note(page).getByRole("heading")).toHaveText("output[2, 1]");
  await page.keyboard.press("g");
  await expect(line(page)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(note(page)).toContainText("Pinned: press Esc");
  await page.keyboard.press("Escape");
  await expect(note(page)).not.toContainText("Pinned");
  await expect(line(page)).toBeVisible();
  await line(page).getByRole("radio").first().focus();
  await page.keyboard.press("Escape");
  await expect(line(page)).toHaveCount(0);
});

test("of an output: every tensor agrees with NumPy's quotients, also after an edit; the switch, and the end", async ({
  page,
}) => {
  await openPage(page);
  await still(page, "attention");
  await cell(page, "output", 2, 1).focus();
  await expect(note(page).getByRole("heading")).toHaveText("output[2, 1]");
  await tool(page).click();
  await expect(line(page)).toContainText(
    "Gradient of output[2, 1]: how fast it grows with each number here.",
  );
  await expect(tool(page)).toHaveAttribute("aria-pressed", "true");
  await expect(note(page).getByRole("heading")).toHaveText("∂output[2, 1]");
  await expect(note(page).getByRole("row")).toHaveText([/the number itself\s*1/]);
  await expect(grid(page, "weights").first()).toHaveAccessibleName(/^weights, gradient,/);
  await expect(page.locator("ap-stage").last()).toContainText("gradient of output[2, 1]");
  await expectQuotients(page, [2, 1]);
  expect(await readOn(page, "output")).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);

  await cell(page, "values", 2, 0).focus();
  await page.keyboard.press("PageUp");
  await cell(page, "query projection", 0, 1).focus();
  await page.keyboard.press("F2");
  await expect(page.getByRole("textbox", { name: /W_Q\[0, 1\]/ })).toHaveValue("0");
  await page.keyboard.type("-0.5");
  const before = await shownOn(page, "X");
  await page.keyboard.press("Enter");
  await expect.poll(() => shownOn(page, "X")).not.toEqual(before);
  await expect(page).toHaveURL(/edit=W_Q,0,1,-0\.5/);
  const weights = await numbersOf(page, "W_Q");
  expect(weights[1]).toBe(-0.5);
  await still(page, "attention");
  await expectQuotients(page, [2, 1]);

  await line(page).getByText("numbers", { exact: true }).click();
  expect(await shownOn(page, "W_Q")).toEqual(weights.map(formatNote));
  await line(page).getByText("gradient", { exact: true }).click();
  expect(await shownOn(page, "W_Q")).not.toEqual(weights.map(formatNote));
  await line(page).getByRole("button", { name: "Close" }).click();
  await expect(line(page)).toHaveCount(0);
  expect(await shownOn(page, "W_Q")).toEqual(weights.map(formatNote));
  await expect(tool(page)).toHaveAttribute("aria-pressed", "false");
});

test("the note: upstream × local, the sum over the uses, and following it back and forth by keys", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=attention&mask=causal");
  await still(page, "attention");
  await cell(page, "output", 2, 1).focus();
  await expect(note(page).getByRole("heading")).toHaveText("output[2, 1]");
  await page.keyboard.press("g");
  await expect(note(page).getByRole("heading")).toHaveText("∂output[2, 1]");

  // On to the sources of the output, and from there.
  const walk: [key: string, heading: string, rows: RegExp[]][] = [
    ["d", "∂weights[2, 1]", [/∂\soutput of word 3\s*0\s*1\s*0/, /×\svalue of word 2\s*0\s*1\s*1/, /products\s*0\s*\+\s*1\s*\+\s*0\s*=\s*1/]],
    ["ArrowLeft", "∂weights[2, 0]", [/∂\soutput of word 3\s*0\s*1\s*0/, /×\svalue of word 1\s*1\s*1\s*0/, /products\s*0\s*\+\s*1\s*\+\s*0\s*=\s*1/]],
    ["d", "∂masked[2, 0]", [/∂\sweight of word 3\s*1\s*1\s*2\s*0/, /×\sslope of softmax\s*0\.182\s*−1\.78e−4\s*−0\.182\s*0/, /products/, /sum\s*−0\.182/]],
    ["d", "∂scaled[2, 0]", [/∂\smasked\s*−0\.182/, /×\skept \(1\) or hidden \(0\)\s*1/, /product\s*−0\.182/]],
    ["d", "∂scores[2, 0]", [/∂\sscaled\s*−0\.182/, /×\s1 ÷ √3\s*0\.577/, /product\s*−0\.105/]],
    ["u", "∂scaled[2, 0]", [/∂\smasked/, /×\skept/, /product/]],
  ]; // prettier-ignore
  for (const [key, heading, rows] of walk) {
    if (key === "ArrowLeft") await expect(cell(page, "weights", 2, 1)).toBeFocused();
    await page.keyboard.press(key);
    await expect(note(page).getByRole("heading")).toHaveText(heading);
    await expect(note(page).getByRole("row")).toHaveText(rows);
  }

  // A given number is used three times; each use can be opened.
  await cell(page, "words", 0, 0).focus();
  await expect(note(page).getByRole("heading")).toHaveText("∂X[0, 0]");
  await expect(tool(page)).toBeDisabled();
  const uses = [/through Q\s*0/, /through K\s*−1\.260/, /through V\s*0\.239/, /sum over its uses\s*−1\.021/];
  await expect(note(page).getByRole("row")).toHaveText(uses);
  await note(page).getByRole("button", { name: "−1.260, show how it is made" }).click();
  const product = [
    /∂\skey of word 1\s*−0\.420\s*0\s*−0\.210/,
    /×\skey projection, row 0|×\sWK, row 0/,
    /products\s*−0\.840\s*\+\s*0\s*\+\s*−0\.420\s*=\s*−1\.260/,
  ];
  await expect(note(page).getByRole("row")).toHaveText(product); // prettier-ignore
  await note(page).getByRole("button", { name: "Sum over its uses" }).click();
  await expect(note(page).getByRole("row")).toHaveText(uses);
  await note(page).getByRole("button", { name: "∂K", exact: true }).click();
  await expect(note(page).getByRole("heading")).toHaveText("∂K[0, 0]");
  await expect(note(page).getByRole("row")).toHaveText([/from\s*∂K_T\[0, 0\]\s*=\s*−0\.420/]);

  // The gradient of another number is shown from its own note, and the same button ends it.
  await cell(page, "scores", 0, 2).focus();
  await expect(note(page).getByRole("heading")).toHaveText("∂scores[0, 2]");
  await page.keyboard.press("g");
  await expect(line(page)).toContainText("Gradient of scores[0, 2]");
  await expect(cell(page, "values", 0, 0)).toHaveAccessibleName("none");
  await expect(page.locator("ap-stage").last()).toContainText("not used to compute it");
  await cell(page, "values", 0, 0).focus();
  await expect(note(page)).toContainText(
    "scores[0, 2] is not computed from this, but from queries · keys, transposed",
  );
  await cell(page, "scores", 0, 2).focus();
  await expect(tool(page)).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("g");
  await expect(line(page)).toHaveCount(0);
});

test("the copy contains all of it; a gradient over a comparison begins and ends; another lab ends it", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page);
  await still(page, "attention");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await cell(page, "weights", 0, 2).focus();
  await expect(note(page).getByRole("heading")).toHaveText("weights[0, 2]");
  await page.keyboard.press("g");
  await expect(line(page)).toContainText("Gradient of weights[0, 2]");
  await cell(page, "scaled", 0, 2).focus();
  await expect(note(page).getByRole("heading")).toHaveText("∂scaled[0, 2]");
  await page.keyboard.press("c");
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).toContain('"gradient"');
  const copied = JSON.parse(await read()) as Record<string, unknown>;
  expect(copied).toMatchObject({ node: "scaled", index: [0, 2], of: { node: "weights", index: [0, 2] } });
  const own = (await numbersOf(page, "weights"))[2]!;
  expect(copied["value"], "p (1 − p)").toBeCloseTo(own * (1 - own), 12);
  expect((copied["uses"] as { node: string }[]).map(({ node }) => node)).toEqual(["weights"]);

  await line(page).getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("region", { name: "Comparison" })).toContainText("These numbers are kept.");
  await page.keyboard.press("g");
  await cell(page, "weights", 0, 2).focus();
  await page.keyboard.press("g");
  await expect(line(page)).toHaveCount(1);
  await page.getByRole("link", { name: /^Next lab/ }).click();
  await still(page, "scaling");
  await expect(line(page)).toHaveCount(0);
  expect(page.url()).not.toContain("gradient");
});

test("of a number among thousands: the gradients of a head, and a long sum that can be opened", async ({
  page,
}) => {
  await openPage(page, "#v=1&lab=multi-head");
  await still(page, "multi-head");
  await tool(page).click();
  await expect(line(page)).toContainText("Gradient of weights[0, 0, 0, 8]");
  await boardCell(page, "Q_heads-0", 0, 0).focus();
  await expect(note(page).getByRole("heading")).toHaveText("∂Q_heads[0, 0, 0, 0]");
  await note(page).getByRole("button", { name: "17 more" }).click();
  await expect(note(page).getByRole("row")).toHaveCount(22);
});

test("axe finds nothing in a gradient of the first lab, in either theme", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  await tool(page).click();
  await cell(page, "words", 0, 0).focus();
  await expect(note(page).getByRole("heading")).toHaveText("∂X[0, 0]");
  await still(page, "attention");
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test.describe("on a phone, in Chinese", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: "zh-CN" });
  test("the switch is in the sheet, and nothing overflows", async ({ page }) => {
    await openPage(page);
    await still(page, "attention");
    await note(page).getByRole("button", { name: "展开计算过程" }).tap();
    await note(page).getByRole("button", { name: "这个数的梯度" }).click();
    const region = page.getByRole("region", { name: "梯度", exact: true });
    await expect(region).toContainText("scores[0, 2] 的梯度");
    await expect(note(page).getByRole("heading")).toHaveText("∂scores[0, 2]");
    await note(page)
      .getByRole("button", { name: /∂Q\[0, 2\]/ })
      .click();
    await expect(note(page).getByRole("heading")).toHaveText("∂Q[0, 2]");
    await still(page, "attention");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(await violations(page)).toEqual([]);
    await region.getByRole("button", { name: "关闭" }).click();
    await expect(region).toHaveCount(0);
  });
});

test("when a number has no gradient, the note says why, by key and by button", async ({ page }) => {
  await openPage(page);
  await still(page, "attention");
  const why = page.locator("ap-note").getByText("A given number follows from no other.");
  await cell(page, "query projection", 0, 0).focus();
  await expect(page.locator("ap-note h2")).toHaveText("W_Q[0, 0]");
  await page.keyboard.press("g");
  await expect(why).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("ap-note h2")).toHaveText("W_Q[0, 1]");
  await expect(why).toBeHidden();
  await page.getByRole("button", { name: "Gradient of this number" }).click({ force: true });
  await expect(why).toBeVisible();
});
