/** The worker: a notice reports a slow answer, and a dead worker is replaced and gets the same Config. */
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
