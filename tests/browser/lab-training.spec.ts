/** The training lab: a run is trained, paused, opened again from its link, and compared with one beside it. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { violations, violationsInBothThemes } from "./axe.js";
import { numberIn } from "./cell-name.js";
import { drop } from "./drop.js";
import { expect, openPage, readLesson, still, test, waitUntilIdle } from "./open.js";
import { button, goToStep, hide, slider, stepOf, unhide } from "./run.js";

/** The loss and the accuracy of the run and of the one beside it, as the charts write them: "0.002 this run". */
const results = (page: Page): Promise<string[]> =>
  page
    .locator("ap-lab")
    .getByText(/^\S+ (this run|no positions)$/)
    .allTextContents();

test("a run learns to reverse, is paused, and its link computes the same losses again", async ({ page }) => {
  // Two runs of 400 steps take 20 s alone, and three times as long beside other tests on two cores.
  test.slow();
  await openPage(page, "#lab=training");
  expect(await stepOf(page)).toBe(0);
  await button(page, "Play").click();
  await expect.poll(() => stepOf(page), { timeout: 30_000 }).toBeGreaterThan(20);
  await button(page, "Pause").click();
  await waitUntilIdle(page);
  const paused = await stepOf(page);
  expect(paused).toBeLessThan(400);
  const seen = await results(page);
  expect(seen).toHaveLength(4);
  // While it learned, the address had its last step, 400, which begins with 40.
  await expect.poll(() => new URL(page.url()).hash).toMatch(new RegExp(`step=${paused}\\b`));
  const link = new URL(page.url()).hash;
  await page.goto("about:blank");
  await openPage(page, link);
  await waitUntilIdle(page);
  expect(await stepOf(page)).toBe(paused);
  expect(await results(page)).toEqual(seen);

  await readLesson(page);
  await button(page, "Play").click();
  // A key that scrolls does not pause the run.
  await page.keyboard.press("PageDown");
  await expect.poll(() => stepOf(page), { timeout: 150_000 }).toBe(400);
  await waitUntilIdle(page);
  await expect(page.getByText(/^This run has learned: 99 %/)).toBeAttached();
  expect((await results(page)).slice(2).sort()).toEqual(["0 no positions", "1 this run"]);
  // A head of the first layer looks at the mirrored digit.
  const cells = page.getByRole("grid", { name: /^mean weight on the right place/ }).getByRole("gridcell");
  const names = await cells.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
  const focus = names.map((name) => Number(numberIn(name)));
  expect(Math.max(...focus)).toBeGreaterThan(0.5);
  await expect(
    page.locator('ap-lesson [data-concept="trained"]').getByRole("img", { name: "Done" }),
  ).toBeAttached();

  // Back to a kept moment, and to one between two of them.
  await goToStep(page, 40);
  await goToStep(page, 47);
  expect(await violations(page)).toEqual([]);
});

for (const [screen, size] of Object.entries({
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
}))
  test(`on a ${screen}, samples are changed and gradients are opened where they stand`, async ({ page }) => {
    await page.setViewportSize(size);
    await openPage(page, "#lab=training&step=5&beside=none&samples=31415926,27182818");
    await waitUntilIdle(page);
    const change = page.locator("ap-stage [data-opener^=sample]");
    const field = page.getByRole("textbox", { name: "What it is asked" });
    // The link, then the boxes of a question.
    for (const [opener, typed] of [
      ["samples", "98765432"],
      ["sample-0", "11112222 33334444"],
    ] as const) {
      await change.and(page.locator(`[data-opener=${opener}]`)).click();
      await expect(field).toBeFocused();
      await expect(field).toBeInViewport();
      await field.fill(typed);
      await page.keyboard.press(screen === "desk" ? "Enter" : "Tab");
      if (screen === "phone") await page.getByRole("button", { name: "Done" }).click();
      await expect(page).toHaveURL(new RegExp(`samples=${typed.replace(" ", ",")}`));
      await waitUntilIdle(page);
      await expect(change).toHaveCount(1 + typed.split(" ").length);
    }
    // The largest parameter of the second layer's attention, then the next one.
    for (const parameter of ["in_proj_weight", "out_proj.weight"]) {
      const node = `encoder.layers.1.self_attn.${parameter}`;
      await page.getByRole("button", { name: `Show the gradient of ${node}` }).click();
      await expect(page).toHaveURL(new RegExp(`watch=${node}:grad:hist&`));
      await waitUntilIdle(page);
      await expect(page.locator('[data-board="selected"]')).toBeAttached();
    }
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

test("a run pauses when its tab is hidden, says so, and goes on from there", async ({ page }) => {
  await openPage(page, "#lab=training");
  await button(page, "Play").click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(0);
  await hide(page);
  await expect(button(page, "Play")).toBeVisible();
  await waitUntilIdle(page);
  const paused = await stepOf(page);
  expect(paused).toBeLessThan(400);
  await expect(page.getByText("Paused: this tab was hidden.")).toBeVisible();
  await unhide(page);
  await button(page, "Play").click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(paused);
});

test("a run at the chosen speed shows every step, pauses when hidden, and goes on at full speed", async ({
  page,
}) => {
  await openPage(page, "#lab=training&steps=30");
  const speed = page.locator("ap-transport").getByRole("combobox", { name: "Speed" });
  await speed.selectOption("10 steps/s");
  const shown = await page.locator("ap-transport output b").evaluateHandle((number: HTMLElement) => {
    const steps = [Number(number.textContent)];
    new MutationObserver(() => steps.push(Number(number.textContent))).observe(number, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    return steps;
  });
  await button(page, "Play").click();
  await expect.poll(() => stepOf(page), { timeout: 30_000 }).toBeGreaterThan(4);
  await hide(page);
  await expect(button(page, "Play")).toBeVisible();
  await waitUntilIdle(page);
  const steps = await shown.jsonValue();
  expect([...new Set(steps)]).toEqual(Array.from({ length: (await stepOf(page)) + 1 }, (_, at) => at));
  await unhide(page);
  await button(page, "Play").click();
  await speed.selectOption("full speed");
  await expect.poll(() => stepOf(page), { timeout: 30_000 }).toBe(30);
  await expect(button(page, "Play")).toBeVisible();
});

test("a run is saved as a file, and goes on from it on another page to the same losses", async ({
  page,
  context,
}) => {
  await openPage(page, "#lab=training&step=25");
  await waitUntilIdle(page);
  const seen = await results(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the run at this step as .safetensors" }).click(),
  ]);
  const file = { name: "run.safetensors", bytes: await readFile(await download.path()) };

  const other = await context.newPage();
  await openPage(other, "#lab=attention");
  await drop(other, file);
  await expect.poll(() => stepOf(other)).toBe(25);
  await waitUntilIdle(other);
  expect(await results(other)).toEqual(seen);
  for (const one of [page, other]) {
    await one.keyboard.press("Escape");
    await goToStep(one, 40);
  }
  expect(await results(other)).toEqual(await results(page));
  await drop(other, { name: "cut.safetensors", bytes: file.bytes.subarray(0, -64) });
  await expect(other.getByText("This file cannot be read.")).toBeVisible();
  expect(await stepOf(other)).toBe(40);
});

test("at its end a run leads to labs that compute the same numbers from its weights", async ({ page }) => {
  await openPage(page, "#lab=training&beside=none&steps=20&step=20");
  await waitUntilIdle(page);
  const map = page.getByRole("grid", { name: /^attention weights/ }).first();
  const shown = await map.getByRole("gridcell").first().getAttribute("aria-label");
  await expect(page.getByText("The run is at its end.")).toBeVisible();
  await page.getByRole("button", { name: /^Layer \d, all heads$/ }).click();
  await expect(page.getByRole("heading", { name: "Multi-head attention, side by side" })).toBeVisible();
  await waitUntilIdle(page);
  const weights = await page
    .getByRole("grid", { name: /weights/ })
    .getByRole("gridcell")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
  expect(weights.map(numberIn)).toContain(numberIn(shown ?? ""));
  await page.goBack();
  await expect(page.getByText("The run is at its end.")).toBeVisible();

  // All layers, on words of one's own.
  await page.getByRole("button", { name: "Its layers" }).click();
  await expect(page.getByRole("heading", { name: "A stack of 2 layers" })).toBeVisible();
  await page.getByRole("button", { name: "Words: 8 words" }).click();
  await page.getByRole("textbox", { name: "Words" }).fill("2718");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Words: 4 words" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Parameters: trained parameters" })).toBeVisible();
  await waitUntilIdle(page);
});

test("a trained vision Transformer is opened whole, and answers what another image is", async ({ page }) => {
  await openPage(page, "#lab=training&task=shapes&beside=none&steps=20&step=20");
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "The whole model, on the image in 16 shades" }).click();
  await expect(page.getByRole("heading", { name: "What CLS looks at, through 2 layers" })).toBeVisible();
  await still(page, "vit");
  await page.getByRole("button", { name: /answer/ }).click();
  const heading = page.locator("ap-note h2");
  await expect(heading).toContainText("probabilities");
  const shares = page.getByRole("grid", { name: /^probabilities/ }).getByRole("gridcell");
  await expect(shares).toHaveCount(16);
  const all = (): Promise<number[]> =>
    shares
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label") ?? ""))
      .then((texts) => texts.map((text) => Number(numberIn(text))));
  const before = await all();
  expect(before.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 2);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole("button", { name: "Image: Your image" }).click();
  await page.getByRole("radio", { name: "The letter A" }).click();
  await expect.poll(all).not.toEqual(before);
  await expect(page.getByRole("button", { name: "Parameters: trained parameters" })).toBeVisible();
});

test("a trained BERT is opened whole, finds other hidden words, and can be trained anew", async ({
  page,
}) => {
  await openPage(
    page,
    "#lab=training&task=masked-token&model=bert&norm=post&beside=none&batch=8&steps=20&step=20",
  );
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "The whole model, on a sentence with hidden words" }).click();
  await expect(page.getByRole("heading", { name: "BERT predicts a hidden word" })).toBeVisible();
  await still(page, "bert");
  await expect(page.getByRole("button", { name: "Hidden words: horse" })).toBeVisible();
  await expect(page.locator("ap-note")).toContainText("largest of 66");
  expect(await violationsInBothThemes(page)).toEqual([]);
  const field = (name: string) => page.getByRole("textbox", { name });
  await page.getByRole("button", { name: /^First sentence:/ }).click();
  await field("First sentence").fill("the cat rides her horse");
  await expect(page.getByText(/these parameters know .*queen.*; got cat/)).toBeVisible();
  await field("First sentence").fill("the queen rides her horse");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Hidden words:/ }).click();
  await field("Hidden words").fill("her");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Hidden words: her" })).toBeVisible();
  await expect(page.locator("ap-stage").first()).toContainText("queen");
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "Parameters: trained parameters" }).click();
  await page.getByRole("radio", { name: /^seed/ }).click();
  await expect(page.getByRole("slider", { name: "Steps of training" })).toBeVisible();
});

test("an answer is walked token by token, with its candidates and what the cache saves", async ({ page }) => {
  await openPage(
    page,
    "#lab=training&task=text&beside=none&window=8&samples=the_&steps=3&step=3&temperature=0.7",
  );
  await waitUntilIdle(page);
  await expect(page.getByText("Candidates for token 4")).toBeVisible();
  const cells = page.getByRole("grid", { name: /^probability of the answer/ }).getByRole("gridcell");
  await cells.first().click();
  await expect(page.getByText("Candidates for token 1")).toBeVisible();
  await expect(page.getByText("rows computed: 5")).toBeVisible();
  await expect(page.getByText("from the cache: 0")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText("Candidates for token 2")).toBeVisible();
  await expect(page.getByText("rows computed: 1")).toBeVisible();
  await expect(page.getByText("from the cache: 5")).toBeVisible();
  await expect(page).toHaveURL(/cell=asked_0\.certainty,1/);
  const candidates = page.getByRole("grid", { name: /^probabilities at this temperature/ });
  await expect(candidates).toHaveCount(5);
  const listed = await candidates
    .getByRole("gridcell")
    .evaluateAll((all) =>
      all.map((one) => Number(/\S+$/.exec(one.getAttribute("aria-label") ?? "")?.[0].replace("−", "-"))),
    );
  expect(listed.every((one) => one > 0)).toBe(true);
  expect(listed).toEqual([...listed].sort((a, b) => b - a));
  expect(await violations(page)).toEqual([]);
});

test("a selector shows any tensor or gradient, completes names, and is part of the link", async ({
  page,
}) => {
  await openPage(page, "#lab=training&step=4");
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "more settings" }).click();
  await page.getByRole("button", { name: /^The tensor to look at/ }).click();
  const line = page.getByRole("combobox", { name: "The tensor to look at" });
  await expect(line).toBeFocused();
  const offered = page.locator("ap-control datalist option");
  await expect(
    offered.and(page.locator('[value="encoder.layers.1.linear1.weight:grad:hist"]')),
  ).toBeAttached();

  await line.fill("encoder.layers.1.self_attn.in_proj_weight[0:32]:gradient");
  await line.press("Enter");
  await expect(
    page.getByText("Expected :grad or :move, and :hist, each once, got “:gradient”."),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await line.fill("encoder.layers.1.in_proj_weight:grad");
  await line.press("Enter");
  await expect(page.getByText("The selector selects nothing")).toBeVisible();
  await expect(page.getByText(/nearest are encoder\.layers\.[01]/)).toBeVisible();

  await line.fill("encoder.layers.1.self_attn.in_proj_weight[0:32] :grad :hist");
  await line.press("Enter");
  await waitUntilIdle(page);
  await expect(page.getByText("The selector selects nothing")).toHaveCount(0);
  await line.press("Enter");
  await expect(line).toHaveCount(0);
  await expect(page.getByRole("grid", { name: /^counts of the selected numbers/ })).toBeVisible();
  await expect(page.locator("ap-lab").getByText(/^1024 numbers, −/)).toBeVisible();

  // The gradient of a weight is explained by what its layer read and by the gradient of what it wrote.
  const map = (await page.getByRole("grid", { name: /^selected gradient/ }).boundingBox())!;
  await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2);
  const note = page.locator("ap-note");
  await expect(note).toContainText("∂L/∂self_attn.in_proj_weight");
  await expect(note).toContainText("queries");
  await expect(note).toContainText("layer norm 1");
  const explained = await note.textContent();
  await expect.poll(() => new URL(page.url()).hash).toContain("cell=selected,");
  const link = new URL(page.url()).hash;
  expect(decodeURIComponent(link)).toContain(
    "watch=encoder.layers.1.self_attn.in_proj_weight[0:32]:grad:hist",
  );
  expect(await violations(page)).toEqual([]);
  await page.goto("about:blank");
  await openPage(page, link);
  await waitUntilIdle(page);
  await expect(note).toContainText("∂L/∂self_attn.in_proj_weight");
  expect(await note.textContent()).toBe(explained);
});

test("a link to a number that only a later moment has keeps it until the run is there", async ({ page }) => {
  await openPage(page, "#v=1&lab=training&steps=40&step=40&beside=none&cell=film_40,7,0&pin=1");
  await waitUntilIdle(page, 30_000);
  await expect(page.locator("ap-note")).toContainText("film_40[7, 0]");
  expect(new URL(page.url()).hash).toContain("cell=film_40,7,0");
});

test("a claim is opened, and its card has the verdict, the numbers of the run and the seeds", async ({
  page,
}) => {
  // The same comparison with other settings.
  await openPage(page, "#lab=training&rate=0.003");
  const card = page.locator("ap-stage");
  await expect(card.getByText("Held before: 5 seeds of 5")).toBeVisible();
  await expect(card.getByText(/^The 5 seeds ran with other/)).toBeVisible();
  await openPage(page, "#lab=training");
  await expect(card.getByText("Held before: 5 seeds of 5")).toBeVisible();
  await expect(card.getByText(/^Without them every order/)).toBeVisible();

  await page.locator("ap-sentence").getByRole("button", { name: /Claim/ }).click();
  await page.getByText("With SGD, too high a rate diverges.", { exact: true }).first().click();
  await expect.poll(() => new URL(page.url()).hash).toMatch(/optimizer=sgd.*beside=rate-30.*held=11/);
  await waitUntilIdle(page);
  await slider(page).fill("50");
  await expect(card.getByText("rate × 30, not finite at step 38")).toBeVisible({ timeout: 20_000 });
  await expect(card.getByText("guessing", { exact: true })).toBeVisible();

  // A seed computes its runs again, up to the last step.
  await page
    .locator("ap-sentence")
    .getByRole("button", { name: /5 seeds/ })
    .click();
  await page.getByText(/^seed 12: right 1 \/ –; loss 0.001 \/ –$/).click();
  await expect.poll(() => new URL(page.url()).hash).toMatch(/seed=12.*step=400.*held=12/);
  await expect.poll(() => stepOf(page), { timeout: 20_000 }).toBeGreaterThan(50);
  await button(page, "Pause").click();
  await waitUntilIdle(page);
  expect(await violations(page)).toEqual([]);
});

test("up to three runs stand beside the first one", async ({ page }) => {
  await openPage(page, "#lab=training");
  await page
    .locator("ap-sentence")
    .getByRole("button", { name: /no positions/ })
    .click();
  await page.getByRole("checkbox", { name: "the same without warm-up" }).check();
  await page.getByRole("checkbox", { name: "the same with post-norm" }).check();
  await expect(page.getByRole("checkbox", { name: /^the same with pre-norm/ })).toBeDisabled();
  await page.getByRole("checkbox", { name: "the same without positions" }).uncheck();
  await expect.poll(() => new URL(page.url()).hash).toContain("beside=no-warmup,post-norm");
  await expect(page.locator("ap-stage").getByText("With and without")).toBeVisible();
});
