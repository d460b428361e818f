// Runs golden files through the public API: node tests/golden/run.mjs [DIR or FILE] [--required]; Node 20 needs
// --experimental-wasm-relaxed-simd.
//
// Runs every case of every family file in DIR (this folder when absent) on both wasm builds, in float64 and, where a
// float32 tolerance is given, in float32. With --required, exactly the cases listed in required.txt must pass: a
// listed case that fails, or an unlisted one that passes, is an error.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../../dist/core/index.js";
import { comparedKeys, faultOf } from "./compare.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const builds = ["simd", "relaxed"];
const precisions = ["float64", "float32"];

/** The family file at `path`, or all family files in that folder, in alphabetical order. */
function families(path) {
  const names = statSync(path).isDirectory() ? readdirSync(path).sort() : [""];
  return names
    .map((name) => join(path, name))
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(file, "utf8")))
    .filter(({ family, cases }) => typeof family === "string" && Array.isArray(cases));
}

/** The module that computes a family; null if there is none yet. */
async function adapter(family) {
  const file = join(here, "families", `${family}.mjs`);
  return /^\w+$/.test(family) && existsSync(file) ? import(`./families/${family}.mjs`) : null;
}

/** The reason why a case fails, or null. A refused input must throw a plain Error: a TypeError or a trap is a defect. */
function failure(core, computes, fixture, precision) {
  if (!computes) return "no implementation";
  let results;
  try {
    results = computes.run(core, fixture, precision);
  } catch (error) {
    if (error?.constructor !== Error) return `threw ${error}`;
    return fixture.expected.error === undefined ? `refused: ${error.message}` : null;
  }
  if (fixture.expected.error !== undefined) return `expected a refusal: ${fixture.expected.error}`;
  if (results === undefined) return "no implementation";
  return faultOf(fixture, results, precision);
}

/** Whether a case has expectations for a precision. */
const applies = (fixture, precision) =>
  fixture.expected.error !== undefined || comparedKeys(fixture, precision).length > 0;

/** Every case once per build and precision: { name: "sdpa/rank2", where: "float64 simd", reason: null | string }. */
async function runAll(path) {
  const cores = [];
  for (const build of builds) cores.push(await load({ build }));
  const outcomes = [];
  for (const { family, cases } of families(path)) {
    const computes = await adapter(family);
    for (const precision of precisions) {
      for (const core of cores) {
        const tried = cases.filter((fixture) => applies(fixture, precision));
        const rows = tried.map((fixture) => ({
          name: `${family}/${fixture.name}`,
          where: `${precision} ${core.build}`,
          reason: failure(core, computes, fixture, precision),
        }));
        outcomes.push(...rows);
        console.log(
          `${family} ${precision} ${core.build} ${rows.filter(({ reason }) => !reason).length}/${rows.length}`,
        );
      }
    }
  }
  const left = cores.filter((core) => core.liveHandles > 0);
  if (left.length)
    outcomes.push({ name: "handles", where: "", reason: "graphs or generators were left behind" });
  return outcomes;
}

/** The outcomes compared with the list: a case that is neither listed nor passing is as expected. */
function byList(outcomes) {
  const lines = readFileSync(join(here, "required.txt"), "utf8").split("\n");
  const listed = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  const belongs = ({ name }, entry) => name === entry || name.startsWith(`${entry}/`);
  const measured = outcomes
    .map((outcome) => {
      if (listed.some((entry) => belongs(outcome, entry)) || outcome.name === "handles") return outcome;
      return outcome.reason ? null : { ...outcome, reason: "passes and is not in required.txt" };
    })
    .filter((outcome) => outcome !== null);
  for (const entry of listed) {
    if (!outcomes.some((outcome) => belongs(outcome, entry))) {
      measured.push({ name: entry, where: "", reason: "is in required.txt and in no family file" });
    }
  }
  return measured;
}

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const [path = here] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = flags.find((flag) => flag !== "--required");
if (unknown) throw new Error(`unknown option ${unknown}, expected --required`);

const outcomes = await runAll(path);
const measured = flags.length ? byList(outcomes) : outcomes;
const failed = measured.filter(({ reason }) => reason);
for (const { name, where, reason } of failed.filter(({ reason }) => reason !== "no implementation")) {
  console.log(`failed: ${name} ${where}: ${reason}`);
}
console.log(`${measured.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length || !measured.length ? 1 : 0;
