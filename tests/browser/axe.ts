/** The violations that axe-core finds on the present page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: unknown }[] }[];
}

/** The violations that axe-core finds. It is loaded by the browser's debugger, to which the page's security policy does not apply. */
export async function violations(page: Page): Promise<object[]> {
  // The page keeps axe-core: compiling it again takes as long as running its rules.
  if (!(await page.evaluate(() => "axe" in window))) {
    const session = await page.context().newCDPSession(page);
    await session.send("Runtime.evaluate", { expression: readFileSync(axe, "utf8") });
    await session.detach();
  }
  const results = (await page.evaluate(() =>
    // Passed rules are not listed: a lab has thousands of cells. Frames are left out: axe-core is not loaded in them, and a
    // sandboxed frame has no origin to address a message to.
    (window as unknown as { axe: { run(how: object): Promise<unknown> } }).axe.run({
      resultTypes: ["violations"],
      iframes: false,
    }),
  )) as AxeResults;
  return results.violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target }) => target),
  }));
}

/** The violations in the light and in the dark theme, each with its theme: changing the system's theme takes a tenth of the time of opening the page. */
export async function violationsInBothThemes(page: Page): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("ap-header"), colorScheme).toHaveJSProperty("theme", colorScheme);
    const inTheme = await violations(page);
    found.push(...inTheme.map((violation) => ({ theme: colorScheme, ...violation })));
  }
  return found;
}
