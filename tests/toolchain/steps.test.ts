/** The steps of a command: all of them run, failures come first, and steps that failed, could not run or passed at a second try are distinguished. */
import { expect, test } from "vitest";
import { SetupError } from "../../toolchain/progress.mjs";
import { lastLine, runSteps, makeOnce } from "../../toolchain/steps.mjs";
import { catch2Report, chosenSteps } from "../../toolchain/tests.mjs";

const step = (name: string, passed: number, failed = 0, more: object = {}) => ({
  name,
  run: async () => ({ passed, failed, ...more }),
});
const missing = (name: string) => step(name, 0, 0, { notRun: "there is no such browser" });

test("a step that cannot run does not count as passed, is named with its reason, and does not end the run", async () => {
  const result = await runSteps([step("one", 3), missing("Firefox"), step("two", 4), missing("WebKit")]);
  expect(result).toMatchObject({ passed: 7, failed: 0, notRun: ["Firefox", "WebKit"] });
  expect(result.rows[1]).toMatch(/^ *NOT RUN +Firefox: there is no such browser$/);
  expect(result.rows[1]).not.toContain("passed");
  expect(lastLine(result)).toBe("7 passed, 0 failed, not run: Firefox; WebKit");
});

test("if all steps could run, the last line has two numbers", async () => {
  expect(lastLine(await runSteps([step("one", 3), step("two", 4)]))).toBe("7 passed, 0 failed");
});

test("after a step fails the others still run, and its failed tests come first", async () => {
  const failing = step("two", 4, 1, { wrong: ["softmax of an empty row"] });
  const result = await runSteps([step("one", 3), failing, step("three", 5), missing("WebKit")]);
  expect(result).toMatchObject({ passed: 12, failed: 1, notRun: ["WebKit"] });
  expect(result.rows).toEqual([
    expect.stringMatching(/^ +4 passed +1 failed +two /),
    expect.stringMatching(/^ +failed: +softmax of an empty row$/),
    expect.stringMatching(/^ +3 passed +0 failed +one /),
    expect.stringMatching(/^ +5 passed +0 failed +three /),
    expect.stringMatching(/NOT RUN +WebKit/),
  ]);
});

test("the summary names the first of very many failures and counts the others", async () => {
  const wrong = Array.from({ length: 500 }, (_, at) => `test ${at}`);
  const { rows } = await runSteps([step("one", 0, 500, { wrong })]);
  expect(rows).toHaveLength(22);
  expect(rows[21]).toMatch(/and 480 more$/);
});

test("a step that throws counts as one failure with its reason, and the others still run", async () => {
  const broken = { name: "two", run: () => Promise.reject(new SetupError("nothing here\nand more")) };
  const result = await runSteps([step("one", 3), broken, step("three", 5)]);
  expect(result).toMatchObject({ passed: 8, failed: 1 });
  expect(result.rows[0]).toMatch(/FAILED +two: nothing here \(/);
});

test("a shared part is made once; if that fails, every step that needs it is not run and counts as failed", async () => {
  let made = 0;
  const core = makeOnce("the core", async () => {
    made += 1;
    throw new SetupError("softmax.cpp does not compile");
  });
  const site = makeOnce("the site", async () => {
    await core();
    throw new Error("never reached");
  });
  const needing = (name: string, need: () => Promise<unknown>) => ({
    name,
    run: async () => {
      await need();
      return { passed: 1, failed: 0 };
    },
  });
  const written: string[] = [];
  const write = process.stderr.write;
  process.stderr.write = (text) => written.push(String(text)) > 0;
  const result = await runSteps([
    needing("golden", core),
    step("native", 3),
    needing("page", site),
    needing("soak", site),
  ]).finally(() => (process.stderr.write = write));
  expect(made).toBe(1);
  expect(result).toMatchObject({ passed: 3, failed: 3, notRun: [] });
  for (const [at, name] of ["golden", "page", "soak"].entries())
    expect(result.rows[at]).toMatch(new RegExp(`FAILED +${name}: not run because of the core: failed`));
  expect(written.join("").match(/softmax\.cpp does not compile/g)).toHaveLength(1);
});

test("each step gets the shared part that was made once", async () => {
  let made = 0;
  const page = makeOnce("the page", async () => ++made);
  expect([await page(), await page()]).toEqual([1, 1]);
});

const late = (name: string, ...again: string[]) => step(name, 3, 0, { again });

test("tests that passed at their second try are named, and up to two of them are allowed", async () => {
  const { rows, passed, failed } = await runSteps([
    late("one", "lab.spec.ts:7 it opens"),
    late("two", "a link"),
  ]);
  expect([passed, failed]).toEqual([6, 0]);
  expect(rows[1]).toMatch(/second try: +lab\.spec\.ts:7 it opens$/);
  expect(rows[3]).toMatch(/second try: +a link$/);
});

test("more than two second tries, in any steps, fail the run, and the summary says so first", async () => {
  const result = await runSteps([step("none", 1), late("one", "a", "b"), late("two", "c")]);
  expect(result).toMatchObject({ passed: 7, failed: 1 });
  expect(result.rows[0]).toMatch(/FAILED +3 tests passed at their second try only, of at most 2$/);
});

const names = (...words: string[]) => chosenSteps(words).map(({ name }) => name);

test("the words of a command choose steps, or the steps of one file", () => {
  expect(names()).toHaveLength(12);
  expect(names("browser", "tests")).toEqual(["browser tests"]);
  expect(names("wasm")).toEqual(["C++ tests, wasm", "C++ tests, wasm with relaxed SIMD"]);
  expect(names("pictures", "--update")).toEqual(["pictures, drawn anew"]);
  const cpp = "tests/cpp/replay_test.cpp";
  expect(names(cpp)).toEqual([`C++ tests, native with sanitizers: ${cpp}`]);
  expect(names(cpp, "relaxed")).toEqual([`C++ tests, wasm with relaxed SIMD: ${cpp}`]);
  expect(names("tests/web/numbers.test.ts")).toEqual(["unit tests: tests/web/numbers.test.ts"]);
  expect(names("tests/toolchain/steps.test.ts")).toEqual(["unit tests: tests/toolchain/steps.test.ts"]);
  expect(names("tests/programs/programs.test.ts")).toHaveLength(1);
  expect(names("tests/package/package.test.ts")).toHaveLength(1);
  expect(names("tests/soak/soak.test.ts")).toHaveLength(1);
  expect(names("tests/golden/sdpa.json")).toEqual(["golden files: tests/golden/sdpa.json"]);
  expect(names("tests/browser/page.spec.ts")).toEqual(["browser tests: tests/browser/page.spec.ts"]);
  const engines = "tests/engines/engines.test.ts";
  expect(names(engines)).toHaveLength(3);
  expect(names(engines, "firefox")).toEqual([`engines: Firefox: ${engines}`]);
});

test("words that choose nothing are refused: an unknown step, a missing file, a file without tests", () => {
  const wrong = [
    ["nothing"],
    ["tests/web/nothing.test.ts"],
    ["tests/cpp/op_cases.cpp"],
    ["pictures", "--all"],
  ];
  for (const words of [...wrong, ["tests/cpp/replay_test.cpp", "firefox"]])
    expect(() => chosenSteps(words)).toThrow("is neither a file of tests nor part of a step's name");
});

const report = (...cases: string[]) => `<?xml version="1.0"?><Catch2TestRun>${cases.join("\n")}`;
const passing = '<TestCase name="Sums"><OverallResult success="true"/></TestCase>';

test("the report of Catch2 gives counts and names", () => {
  const failing = '<TestCase name="a &lt; b &amp; &quot;c&quot;"><OverallResult success="false"/></TestCase>';
  const counts = '<OverallResultsCases successes="1" failures="1" expectedFailures="0" skips="0"/>';
  expect(catch2Report(report(passing, failing, counts))).toEqual({
    passed: 1,
    failed: 1,
    wrong: ['a < b & "c"'],
  });
});

test("a run of Catch2 that ended early counts the test it was in as failed", () => {
  const ended = '<TestCase name="Replays" tags="" filename="replay_test.cpp" line="9">';
  expect(catch2Report(report(passing, ended))).toEqual({ passed: 1, failed: 1, wrong: ["Replays"] });
  expect(catch2Report("")).toEqual({ passed: 0, failed: 1, wrong: [] });
});
