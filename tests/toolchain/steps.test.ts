/** The steps of `npm test`: what failed, what was not reached, and what could not be run here are told apart. */
import { expect, test } from "vitest";
import { SetupError } from "../../toolchain/progress.mjs";
import { lastLine, runSteps } from "../../toolchain/steps.mjs";

const step = (name: string, passed: number, failed = 0) => ({ name, run: async () => ({ passed, failed }) });
const missing = (name: string) => ({
  name,
  run: async () => ({ passed: 0, failed: 0, notRun: "there is no such browser" }),
});

test("a step that cannot be run has not passed, is named with its reason, and ends nothing", async () => {
  const result = await runSteps([step("one", 3), missing("Firefox"), step("two", 4), missing("WebKit")]);
  expect(result).toMatchObject({ passed: 7, failed: 0, notRun: ["Firefox", "WebKit"], left: [] });
  expect(result.rows[1]).toMatch(/^ *NOT RUN +Firefox: there is no such browser$/);
  expect(result.rows[1]).not.toContain("passed");
  expect(lastLine(result)).toBe("7 passed, 0 failed, not run: Firefox; WebKit");
});

test("without such a step the last line is two numbers", async () => {
  expect(lastLine(await runSteps([step("one", 3), step("two", 4)]))).toBe("7 passed, 0 failed");
});

test("a step that fails ends the run; those after it are not finished", async () => {
  const result = await runSteps([step("one", 3), step("two", 4, 1), step("three", 5), missing("WebKit")]);
  expect(result).toMatchObject({ passed: 7, failed: 1, notRun: [], left: ["three", "WebKit"] });
});

test("a step that breaks counts as one failure and is not finished", async () => {
  const broken = { name: "two", run: () => Promise.reject(new SetupError("nothing here")) };
  const result = await runSteps([step("one", 3), broken, step("three", 5)]);
  expect(result).toMatchObject({ passed: 3, failed: 1, left: ["two", "three"] });
});

test("a test that passed at its second try only is named", async () => {
  const flaky = {
    name: "one",
    run: async () => ({ passed: 3, failed: 0, again: ["lab.spec.ts:7 it opens"] }),
  };
  const { rows, passed } = await runSteps([flaky]);
  expect(passed).toBe(3);
  expect(rows.slice(1)).toEqual([expect.stringMatching(/second try: +lab\.spec\.ts:7 it opens$/)]);
});
