/** A long sum that can be opened to show all of its terms. */
import { expect, hosts, test } from "./open.js";

test("the terms that a long sum leaves out open and close", async ({ page }) => {
  await page.goto(`${hosts.page}#v=1&lab=multi-head&ex=ten-by-twenty-run-1&cell=output,0,0,0`);
  const note = page.locator("ap-note");
  await expect(note).toContainText("125 more");
  await note.getByRole("button", { name: /125 more/ }).click();
  await expect.poll(() => note.locator("tbody tr").count()).toBeGreaterThanOrEqual(128);
  await expect(note).toContainText("−91.966");
  await note.getByRole("button", { name: "Show the sum in short" }).click();
  await expect(note).toContainText("125 more");
});
