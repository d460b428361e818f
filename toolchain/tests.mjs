// The steps of `npm test`: each prepares what it needs, runs, and returns how many tests passed and failed, or why it was not run.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { chromium, firefox, Missing, webkit } from "./browser.mjs";
import { buildAll, buildLibrary } from "./build.mjs";
import { build } from "./cpp.mjs";
import { project } from "./env.mjs";
import { pythonWithNumpy } from "./numpy.mjs";
import { program } from "./packages.mjs";
import { SetupError } from "./progress.mjs";

export const nodeFlags = ["--experimental-wasm-relaxed-simd"];

/** Runs a test program, its output shown as it comes; resolves to its exit code and that output. */
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
 * A run that counted nothing has not passed, and one that exited badly has failed even if it counted no failure. `again` names the
 * tests that passed at a second try only.
 */
function counted(what, code, passed, failed, again = []) {
  if (passed + failed === 0) throw new SetupError(`${what}: no test was run`);
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, again };
}

async function catch2(preset, program = "core_tests") {
  const folder = await build(preset, [program]);
  const args = ["--colour-mode", "none"];
  const { code, text } = preset.startsWith("wasm")
    ? await watch(process.execPath, [...nodeFlags, join(folder, `${program}.js`), ...args])
    : await watch(join(folder, program), args, { UBSAN_OPTIONS: "print_stacktrace=1" });
  const all = /All tests passed \(.* in (\d+) test cases?\)/.exec(text);
  if (all) return counted(preset, code, Number(all[1]), 0);
  const line = /^test cases:(.*)$/m.exec(text)?.[1] ?? "";
  const part = (name) => Number(new RegExp(`(\\d+) ${name}`).exec(line)?.[1] ?? 0);
  if (!line) return { passed: 0, failed: 1 }; // it ended before its own summary
  return counted(preset, code, part("passed"), part("failed"));
}

/** Where a runner's report goes; an old one must not be taken for a new one. */
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

async function golden() {
  await buildLibrary();
  const { code, text } = await watch(process.execPath, [...nodeFlags, "tests/golden/run.mjs", "--required"]);
  const [, passed, failed] = /^(\d+) passed, (\d+) failed/m.exec(text) ?? [null, 0, 0];
  return counted("golden", code, Number(passed), Number(failed));
}

/** Runs Vitest on folders of tests. */
async function vitest(what, folders, env = {}, name = folders[0]) {
  await buildLibrary();
  const file = report(`${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${file}`];
  const paths = folders.map((folder) => `tests/${folder}/`);
  const { code } = await watch(program("vitest"), ["run", ...paths, ...reporters], env);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = read(file, "vitest");
  if (numPendingTests + numTodoTests > 0)
    throw new SetupError(`${what}: ${numPendingTests + numTodoTests} were skipped, and none may be`);
  const again = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, meta }) => status === "passed" && meta.tries > 1)
    .map(({ fullName }) => fullName);
  return counted(what, code, numPassedTests, numFailedTests, again);
}

const unit = () => vitest("unit tests", ["web", "links", "fuzz", "toolchain"]);

/** Programs that the core writes, of the examples and of every operation, run under NumPy. */
async function programs() {
  const python = await pythonWithNumpy();
  const writer = join(await build("native", ["write_programs"]), "write_programs");
  return vitest("exported programs", ["programs"], { NUMPY_PYTHON: python, PROGRAM_WRITER: writer });
}

/** The tests of Playwright's suites that passed at their second try. */
function flakyIn(suites = []) {
  return suites.flatMap(({ specs = [], suites: inner }) => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === "flaky"))
      .map(({ file, line, title }) => `${file}:${line} ${title}`),
    ...flakyIn(inner),
  ]);
}

/** Runs Playwright on the built page; `more` are its arguments. */
async function browser(...more) {
  await buildAll();
  const file = report("browser.json");
  const env = {
    CHROMIUM: await chromium(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  };
  const { code } = await watch(program("playwright"), ["test", "--reporter=list,json", ...more], env);
  const { stats, suites } = read(file, "playwright");
  const { expected, flaky, unexpected, skipped } = stats;
  if (skipped > 0) throw new SetupError(`browser tests: ${skipped} were skipped, and none may be`);
  return counted("browser tests", code, expected + flaky, unexpected, flakyIn(suites));
}

/** What a browser needs to be driven, as variables; asked for when its step begins. */
const engines = {
  chromium: async () => ({ CHROMIUM: await chromium() }),
  firefox: async () => ({ FIREFOX: await firefox() }),
  webkit: async () => {
    const { driver, browser, display } = await webkit();
    return { WEBKIT_DRIVER: driver, WEBKIT_BROWSER: browser, XVFB: display };
  },
};

/** The promises that hold in every engine, in one of them; not run where it cannot be had. */
async function engine(name) {
  await buildAll();
  let programs;
  try {
    programs = await engines[name]();
  } catch (error) {
    if (error instanceof Missing) return { passed: 0, failed: 0, notRun: error.message };
    throw error;
  }
  return vitest(`tests in ${name}`, ["engines"], { ENGINE: name, ...programs }, name);
}

/** Many edits in one page: what it and its workers hold does not grow. */
export async function soak(edits) {
  await buildAll();
  return vitest("soak", ["soak"], { CHROMIUM: await chromium(), SOAK_EDITS: String(edits) });
}

/** The package, packed and used by a project of its own. */
async function npmPackage() {
  await buildAll();
  return vitest("package", ["package"], { CHROMIUM: await chromium() });
}

export const steps = [
  { name: "C++ tests, native", run: () => catch2("native") },
  { name: "C++ tests, sanitizers", run: () => catch2("sanitize") },
  { name: "C++ tests, wasm", run: () => catch2("wasm") },
  { name: "C++ tests, wasm with relaxed SIMD", run: () => catch2("wasm", "core_tests_relaxed") },
  { name: "golden files", run: golden },
  { name: "unit tests", run: unit },
  { name: "exported programs", run: programs },
  { name: "engines: Chromium", run: () => engine("chromium") },
  { name: "engines: Firefox", run: () => engine("firefox") },
  { name: "engines: WebKit", run: () => engine("webkit") },
  { name: "package", run: npmPackage },
  { name: "soak, short", run: () => soak(300) },
  { name: "browser tests", run: () => browser() },
];

/** The stored pictures of the page alone, part of the browser tests; `update` draws them anew. */
export const pictures = (update) => ({
  name: update ? "pictures, drawn anew" : "pictures",
  run: () => browser("pictures.spec.ts", ...(update ? ["--update-snapshots=all"] : [])),
});
