/** What axe-core finds on the page as it stands. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: unknown }[] }[];
}

/** What axe-core finds; it comes in by the browser's debugger, which the page's security policy does not bind. */
export async function violations(page: Page): Promise<unknown[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: readFileSync(axe, "utf8") });
  const results = (await page.evaluate(() =>
    // What passes is not listed: a lab has thousands of cells. A frame is not asked: it has no axe that could answer, and a
    // sandboxed one has no origin that the question could name.
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
