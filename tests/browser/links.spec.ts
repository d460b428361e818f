/**
 * Links that cannot be used as sent: a notice under the header, and the link stays in the address bar until
 * the reader acts.
 */
import { expect, fullValue, openPage, still, test } from "./open.js";

test("a value out of range is named, with the one used", async ({ page }) => {
  await page.clock.install();
  await openPage(page, "#v=1&dk=0");
  const notice = page.locator("ap-notice").first();
  await expect(notice).toContainText("One setting cannot be used as it is.");
  await expect(notice).toContainText(
    "dk=0 cannot be used: expected a whole number from 1 to 128. Using dk=1.",
  );
  await fullValue(page, "scores", 1, 1);
  await page.clock.fastForward(60_000); // longer than any delay of writing the address
  expect(page.url()).toContain("#v=1&dk=0");
  await notice.getByRole("button", { name: "Show the link" }).click();
  await expect(notice).toContainText("#v=1&dk=0");
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.locator("ap-notice")).toHaveCount(0);
  await expect(page).not.toHaveURL(/dk=0/);
});

test("a cell that the lab does not have is named, with those it has; the lab opens nevertheless", async ({
  page,
}) => {
  await page.clock.install();
  await openPage(page, "#v=1&cell=nowhere,0,0&pin=1");
  const notice = page.locator("ap-notice");
  await expect(notice).toContainText(
    "cell=nowhere,0,0 cannot be used: expected a cell of X (4, 3), W_Q (3, 3), W_K (3, 3)",
  );
  await expect(notice).toContainText("It was left out. Everything else is as sent.");
  await expect(page.locator("ap-note h2")).toHaveText(/^\w+\[/);
  await page.clock.fastForward(60_000); // past any time after which the address would be written
  expect(page.url()).toContain("cell=nowhere,0,0");
  // A cell of an existing tensor gets the tensor's own shape; another link gets no notice.
  await page.evaluate(() => void (location.hash = "#v=1&lang=zh&cell=weights,9,9"));
  await expect(notice).toContainText(
    "cell=weights,9,9 无法使用。要求：weights (4, 4) 中的一个数。改用 cell=weights,3,3。",
  );
  await page.evaluate(() => void (location.hash = "#v=1&lang=en&cell=weights,3,3"));
  await expect(page.locator("ap-note h2")).toHaveText("weights[3, 3]");
  await expect(notice).toHaveCount(0);
  await page.evaluate(() => void (location.hash = "#v=1&cell=weights,9,9"));
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toHaveCount(0);
  await expect(page).not.toHaveURL(/cell=weights,9,9/);
});

test("no link names a cell that other settings removed", async ({ page }) => {
  await openPage(page, "#v=1&lab=attention&tokens=a,b,c&cell=weights,2,2&pin=1&lang=en");
  await expect(page.locator("ap-note h2")).toHaveText("weights[2, 2]");
  await page.getByRole("button", { name: /^Words:/ }).click();
  await page.getByRole("textbox", { name: "Words" }).fill("a b");
  await expect(page).toHaveURL(/cell=weights,1,1/);
  await page.reload();
  await expect(page.locator("ap-note h2")).toHaveText("weights[1, 1]");
  await expect(page.locator("ap-notice")).toHaveCount(0);
});

test("a link with only its version opens the first example without a notice", async ({ page }) => {
  await openPage(page, "#v=1");
  await still(page, "attention");
  await expect(page.locator("ap-note h2")).toHaveText("scores[0, 2]");
  await expect(page.locator("ap-notice")).toHaveCount(0);
});

test("a cut link is reported as cut off", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: /^Seed/ }).click();
  await page.getByRole("textbox", { name: "Seed" }).fill("123456");
  await expect(page).toHaveURL(/seed=123456/);
  const whole = page.url();
  await page.goto("about:blank");
  await page.goto(whole.slice(0, -3));
  await expect(page.locator("ap-notice").first()).toContainText("This link is cut off.");
});

test("a link of a newer version is not interpreted", async ({ page }) => {
  await openPage(page, "#v=9&lab=attention&seed=3");
  await expect(page.locator("ap-notice").first()).toContainText("This link needs a newer version.");
  await expect(page.getByRole("button", { name: "Reload the page" })).toBeVisible();
});

test("a meaningless link opens the first lab, with a notice", async ({ page }) => {
  await openPage(page, "#%ff%fe<script>alert(1)</script>");
  await expect(page.locator("ap-notice").first()).toContainText("This link cannot be read.");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Attention, step by step");
});

test("a link opened right after Step, or during Play, shows its own cell, explained; Play ends", async ({
  page,
}) => {
  await page.clock.install();
  await openPage(page);
  await still(page, "attention");
  const cases = [
    ["Step", "#v=1&lab=attention&ex=cat-on-the-mat&cell=weights,1,1", "weights[1, 1]"],
    ["Play", "#v=1&lab=attention&ex=four-words&cell=output,0,1", "output[0, 1]"],
    ["Step", "#v=1&lab=optimizers", ""],
    ["Play", "#v=1&lab=optimizers&seed=7", ""],
  ] as const;
  for (const [press, hash, heading] of cases) {
    await page.getByRole("button", { name: press, exact: true }).click();
    await page.evaluate((to) => void (location.hash = to), hash);
    // Longer than the sweep of a stop and all pauses for reading; then every frame has been drawn.
    await page.clock.runFor(4000);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    if (heading) await expect(page.locator("ap-note h2")).toHaveText(heading);
    else await still(page, "optimizers");
    await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  }
});
