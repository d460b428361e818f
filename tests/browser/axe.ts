/** The violations that axe-core finds on the present page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: unknown }[] }[];
}

/** The violations that axe-core finds. It is loaded by the browser's debugger, to which the page's security policy does not apply. */
export async function violations(page: Page): Promise<unknown[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: readFileSync(axe, "utf8") });
  const results = (await page.evaluate(() =>
    // Passed rules are not listed: a lab has thousands of cells. Frames are left out: axe-core is not loaded in them, and a
    // sandboxed frame has no origin to address a message to.
    (window as unknown as { axe: { run(how: object): Promise<unknown> } }).axe.run({
      resultTypes: ["violations"],
      iframes: false,
    }),
  )) as AxeResults;
  await session.detach();
  return results.violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target }) => target),
  }));
}
