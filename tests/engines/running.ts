/**
 * The engine that ENGINE names, for the tests of one file. It is started before the first test. If its browser died in a test, it is
 * started again before the next, so that no test fails because of another.
 */
import { afterAll, afterEach, beforeEach } from "vitest";
import { given, type Engine } from "./engine.js";
import { chromium, firefox } from "./puppeteer.js";
import { webkit } from "./webkit.js";

const starts: Record<string, () => Promise<Engine>> = { chromium, firefox, webkit };

let running: Engine | null = null;

/** The running engine, for use inside a test. */
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

// Adds the number of tries to the report of a run, which toolchain/tests.mjs reads.
afterEach(({ task }) => {
  if (task.result?.retryCount) Object.assign(task.meta, { tries: task.result.retryCount + 1 });
});

afterAll(async () => {
  await running?.close();
  running = null;
});
