/**
 * The engine that ENGINE names, for the tests of one file. It is started before the first of them; where its browser died in one, it is
 * started again before the next, so that each test answers for itself.
 */
import { afterAll, afterEach, beforeEach } from "vitest";
import { given, type Engine } from "./engine.js";
import { chromium, firefox } from "./puppeteer.js";
import { webkit } from "./webkit.js";

const starts: Record<string, () => Promise<Engine>> = { chromium, firefox, webkit };

let running: Engine | null = null;

/** The engine that runs; inside a test. */
export function engine(): Engine {
  if (!running) throw new Error("no engine runs outside a test");
  return running;
}

beforeEach(async () => {
  if (running?.gone()) {
    console.log(`${running.name} ${running.version} is started again: ${running.gone()}`);
    await running.close();
    running = null;
  }
  running ??= await starts[given("ENGINE")]!();
});

// The report of a run, which toolchain/tests.mjs reads, does not tell by itself how often a test was tried.
afterEach(({ task }) => {
  if (task.result?.retryCount) Object.assign(task.meta, { tries: task.result.retryCount + 1 });
});

afterAll(async () => {
  await running?.close();
  running = null;
});
