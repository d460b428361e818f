/** The worker's life: a slow answer is said, a dead worker is replaced with the same Config. */
import { cell, expect, fullValue, openPage, test } from "./open.js";

test("a worker that dies is replaced, the numbers stay, and the page says so", async ({ page }) => {
  await openPage(page);
  const value = await fullValue(page, "output", 0, 0);
  const [worker] = page.workers();
  await worker!.evaluate(
    () =>
      new Promise((died) => {
        addEventListener("error", () => setTimeout(died));
        setTimeout(() => {
          throw new Error("out of memory");
        });
      }),
  );
  await cell(page, "scores", 1, 1).focus();
  await expect(page.locator("ap-notice")).toContainText("The calculation stopped and was restarted.");
  await expect(page.locator("ap-note")).toContainText("scores[1, 1]");
  expect(await fullValue(page, "output", 0, 0)).toBe(value);
});

test("a refused input leaves the last result standing back", async ({ page }) => {
  await openPage(page, "#v=1&lab=multi-head");
  await page.evaluate(() => {
    const app = document.querySelector("ap-app")!;
    const lab = app.shadowRoot!.querySelector("ap-lab") as unknown as {
      playground: { config: { numbers: object }; setNumbers(numbers: object): void };
    };
    lab.playground.setNumbers({ ...lab.playground.config.numbers, batch: 5000, length: 2000 });
  });
  await expect(page.locator("ap-notice").first()).toContainText("That cannot be computed.");
  await expect(page.locator("ap-notice").first()).toContainText(
    "The numbers shown are those before the change.",
  );
  expect(
    await page.locator("ap-lab ap-stage").evaluate((stage) => (stage as unknown as { stale: boolean }).stale),
  ).toBe(true);
  await page.getByRole("button", { name: "Undo the change" }).click();
  await expect(page.locator("ap-notice", { hasText: "cannot be computed" })).toHaveCount(0);
});
