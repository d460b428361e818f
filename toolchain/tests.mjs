// The steps of `npm test`: each prepares what it needs, runs, and returns how many tests passed and failed, or why it was not run. A step
// that gets one of its files runs only that file.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { basename, join, relative } from "node:path";
import { firefox, Missing, webkit } from "./browser.mjs";
import { build } from "./cpp.mjs";
import { project } from "./env.mjs";
import { chromiumProgram, core, headlessProgram, libraries, library, npmPackages, site } from "./needs.mjs";
import { pythonWithNumpy } from "./numpy.mjs";
import { program } from "./packages.mjs";
import { SetupError } from "./progress.mjs";
import { nodeFlags } from "./versions.mjs";

/** Runs a test program and shows its output as it arrives; resolves to its exit code and that output. */
function watch(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: project,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (part) => {
      text += part;
      process.stdout.write(part);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, text }));
  });
}

/**
 * A run without tests has not passed, and one with a bad exit code has failed even if it counted no failure. `wrong` names the
 * tests that failed, `again` those that passed only at a second try.
 */
function counted(what, code, passed, failed, wrong = [], again = []) {
  if (passed + failed === 0 && code === 0) throw new SetupError(`${what}: no test was run`);
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, wrong, again };
}

/** The path of a runner's report. An old report is deleted, so that it is not taken for a new one. */
function report(name) {
  mkdirSync(join(project, "build/reports"), { recursive: true });
  const file = join(project, "build/reports", name);
  rmSync(file, { force: true });
  return file;
}

function read(file, what) {
  if (!existsSync(file)) throw new SetupError(`${what} wrote no report`);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The counts in Catch2's XML report, and the test cases that failed; of a run that ended early, the one in which it ended. */
export function catch2Report(text) {
  const plain = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };
  const cases = text
    .split("<TestCase ")
    .slice(1)
    .map((part) => ({
      name: /^name="([^"]*)"/.exec(part)?.[1].replace(/&\w+;/g, (word) => plain[word] ?? word) ?? "",
      passed: /<OverallResult success="true"/.test(part),
    }));
  const [, passed, failed] = /<OverallResultsCases successes="(\d+)" failures="(\d+)"/.exec(text) ?? [];
  return {
    passed: passed === undefined ? cases.filter((one) => one.passed).length : Number(passed),
    failed: failed === undefined ? 1 : Number(failed),
    wrong: cases.filter((one) => !one.passed).map(({ name }) => name),
  };
}

/** The C++ tests of one build, split among all processors. */
async function catch2(preset, test, program = "core_tests") {
  await libraries(preset);
  const folder = await build(preset, [program]);
  const shards = availableParallelism();
  const runs = Array.from({ length: shards }, async (_, index) => {
    const file = report(`${program}-${preset}-${index}.xml`);
    const args = ["--colour-mode", "none", "--reporter", "console", "--reporter", `xml::out=${file}`];
    if (test) args.push("--filenames-as-tags", `[#${basename(test, ".cpp")}]`);
    args.push("--shard-count", String(shards), "--shard-index", String(index), "--allow-running-no-tests");
    const { code } = preset.startsWith("wasm")
      ? await watch(process.execPath, [...nodeFlags, join(folder, `${program}.js`), ...args])
      : await watch(join(folder, program), args, { UBSAN_OPTIONS: "print_stacktrace=1" });
    return { code, ...catch2Report(existsSync(file) ? readFileSync(file, "utf8") : "") };
  });
  const done = await Promise.all(runs);
  const sum = (count) => done.reduce((total, one) => total + count(one), 0);
  return counted(
    preset,
    Math.max(...done.map(({ code }) => code)),
    sum(({ passed }) => passed),
    sum(({ failed }) => failed),
    done.flatMap(({ wrong }) => wrong),
  );
}

async function golden(file) {
  await library();
  const { code, text } = await watch(process.execPath, [
    ...nodeFlags,
    "tests/golden/run.mjs",
    file ?? "--required",
  ]);
  const [, passed, failed] = /^(\d+) passed, (\d+) failed/m.exec(text) ?? [null, 0, 0];
  const wrong = [...text.matchAll(/^failed: (.*)$/gm)].map(([, what]) => what);
  return counted("golden", code, Number(passed), Number(failed), wrong);
}

/** Runs Vitest on folders of tests, or files; `paths` may hold options too. */
async function vitest(what, paths, env = {}) {
  const file = report(`${what.replaceAll(/\W+/g, "-")}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${file}`];
  const { code } = await watch(program("vitest"), ["run", ...paths, ...reporters], env);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = read(file, "vitest");
  if (numPendingTests + numTodoTests > 0)
    throw new SetupError(`${what}: ${numPendingTests + numTodoTests} were skipped, and none may be`);
  const named = (accepts) =>
    testResults
      .flatMap(({ assertionResults }) => assertionResults.filter(accepts))
      .map((test) => test.fullName);
  // A file that could not be loaded has failed without a test of its own.
  const unread = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((test) => test.status === "passed"),
  );
  return counted(
    what,
    code,
    numPassedTests,
    numFailedTests + unread.length,
    [
      ...unread.map((result) => relative(project, result.name)),
      ...named(({ status }) => status === "failed"),
    ],
    named(({ status, meta }) => status === "passed" && meta.tries > 1),
  );
}

const folders = (...names) => names.map((name) => `tests/${name}/`);

/** The tests of the toolchain need no build. */
async function unit(file) {
  await (file?.startsWith("tests/toolchain/") ? npmPackages() : core());
  // By default Vitest leaves one processor idle, which is half of two.
  const workers = `--maxWorkers=${availableParallelism()}`;
  return vitest("unit tests", file ? [file] : [...folders("web", "links", "fuzz", "toolchain"), workers]);
}

/** Runs the programs that the core writes, of the examples and of every operation, under NumPy. */
async function programs(file) {
  await core();
  await libraries("native");
  const python = await pythonWithNumpy();
  const writer = join(await build("native", ["write_programs"]), "write_programs");
  const env = { NUMPY_PYTHON: python, PROGRAM_WRITER: writer };
  return vitest("exported programs", file ? [file] : folders("programs"), env);
}

/** The tests of Playwright's suites whose outcome is `status`. */
function testsIn(suites = [], status) {
  return suites.flatMap(({ specs = [], suites: inner }) => [
    ...specs
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ file, line, title }) => `${file}:${line} ${title}`),
    ...testsIn(inner, status),
  ]);
}

/** Runs Playwright on the built page; `more` are further arguments. */
async function browser(...more) {
  await site();
  const file = report("browser.json");
  const env = {
    CHROMIUM: await headlessProgram(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  };
  const { code } = await watch(program("playwright"), ["test", "--reporter=list,json", ...more], env);
  const { stats, suites } = read(file, "playwright");
  const { expected, flaky, unexpected, skipped } = stats;
  if (skipped > 0) throw new SetupError(`browser tests: ${skipped} were skipped, and none may be`);
  return counted(
    "browser tests",
    code,
    expected + flaky,
    unexpected,
    testsIn(suites, "unexpected"),
    testsIn(suites, "flaky"),
  );
}

/** Environment variables for driving a browser; read when its step begins. */
const engines = {
  chromium: async () => ({ CHROMIUM: await chromiumProgram() }),
  firefox: async () => ({ FIREFOX: await firefox() }),
  webkit: async () => {
    const { driver, browser, display } = await webkit();
    return { WEBKIT_DRIVER: driver, WEBKIT_BROWSER: browser, XVFB: display };
  },
};

/** The tests that every engine must pass, in one engine; not run where it cannot be installed. */
async function engine(name, file) {
  await site();
  let programs;
  try {
    programs = await engines[name]();
  } catch (error) {
    const reason = error.cause ?? error;
    if (reason instanceof Missing) return { passed: 0, failed: 0, notRun: reason.message };
    throw error;
  }
  return vitest(`tests in ${name}`, file ? [file] : folders("engines"), { ENGINE: name, ...programs });
}

/** Makes many edits in one page: the memory of the page and its workers must not grow. */
export async function soak(edits) {
  await site();
  return vitest("soak", folders("soak"), { CHROMIUM: await chromiumProgram(), SOAK_EDITS: String(edits) });
}

/** Packs the package and uses it in a project of its own. */
async function npmPackage() {
  await site();
  return vitest("package", folders("package"), { CHROMIUM: await chromiumProgram() });
}

const cpp = /^tests\/cpp\/[\w/]+_test\.cpp$/;
const vitestOf = (...names) => new RegExp(`^tests/(${names.join("|")})/[\\w-]+\\.test\\.ts$`);

/** `files` are those that a step can run alone; where a file has several steps, `first` marks the one that runs it by default. */
export const steps = [
  {
    name: "C++ tests, native with sanitizers",
    files: cpp,
    first: true,
    run: (file) => catch2("native", file),
  },
  { name: "C++ tests, wasm", files: cpp, run: (file) => catch2("wasm", file) },
  {
    name: "C++ tests, wasm with relaxed SIMD",
    files: cpp,
    run: (file) => catch2("wasm", file, "core_tests_relaxed"),
  },
  { name: "golden files", files: /^tests\/golden\/\w+\.json$/, run: golden },
  { name: "unit tests", files: vitestOf("web", "links", "fuzz", "toolchain"), run: unit },
  { name: "exported programs", files: vitestOf("programs"), run: programs },
  { name: "engines: Chromium", files: vitestOf("engines"), run: (file) => engine("chromium", file) },
  { name: "engines: Firefox", files: vitestOf("engines"), run: (file) => engine("firefox", file) },
  { name: "engines: WebKit", files: vitestOf("engines"), run: (file) => engine("webkit", file) },
  { name: "package", files: vitestOf("package"), run: npmPackage },
  { name: "soak, short", files: vitestOf("soak"), run: () => soak(300) },
  {
    name: "browser tests",
    files: /^tests\/browser\/[\w-]+\.spec\.ts$/,
    run: (file) => (file ? browser(file) : browser()),
  },
];

/** Only the stored pictures of the page, which are part of the browser tests; `update` draws them again. */
const pictures = (update) => ({
  name: update ? "pictures, drawn anew" : "pictures",
  run: () => browser("pictures.spec.ts", ...(update ? ["--update-snapshots=all"] : [])),
});

/**
 * The steps that the words of a command select: all; those with the word in their name; those that run a file, where a further word
 * selects among them; the pictures. Throws a SetupError for words that select nothing.
 */
export function chosenSteps(words) {
  const [first = "", ...rest] = words;
  const named = (word) => (step) => step.name.toLowerCase().includes(word.toLowerCase());
  const isFile = first.startsWith("tests/") && existsSync(join(project, first));
  const ofFile = steps.filter(({ files }) => isFile && files.test(first));
  const chosen = () => {
    if (first === "pictures" && (!rest.length || rest.join() === "--update"))
      return [pictures(rest.length > 0)];
    if (!ofFile.length) return steps.filter(named(words.join(" ")));
    const some = ofFile.filter(rest.length ? named(rest.join(" ")) : (step) => step.first);
    return (some.length || rest.length ? some : ofFile).map(({ name, run }) => ({
      name: `${name}: ${first}`,
      run: () => run(first),
    }));
  };
  const found = chosen();
  if (found.length) return found;
  const names = steps.map(({ name }) => name).join("; ");
  throw new SetupError(
    `"${words.join(" ")}" is neither a file of tests nor part of a step's name: ${names}; pictures`,
  );
}
