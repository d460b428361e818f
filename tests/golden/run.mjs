// Golden files through the public API: node tests/golden/run.mjs [DIR or FILE] [--required]; Node 20 needs --experimental-wasm-relaxed-simd.
//
// Every case of every family file in DIR (this folder when absent), on both wasm builds, in float64 and, where a tolerance is given,
// float32. With --required the list in required.txt is the measure: a listed case that fails, or an unlisted one that passes, fails.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../../dist/core/index.js";
import { comparedKeys, complaint } from "./compare.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const builds = ["simd", "relaxed"];
const precisions = ["float64", "float32"];

/** The family file at `path`, or those in the folder there, in alphabetical order. */
function families(path) {
  const names = statSync(path).isDirectory() ? readdirSync(path).sort() : [""];
  return names
    .map((name) => join(path, name))
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(file, "utf8")))
    .filter(({ family, cases }) => typeof family === "string" && Array.isArray(cases));
}

/** What computes a family; null where nothing does yet. */
async function adapter(family) {
  const file = join(here, "families", `${family}.mjs`);
  return /^\w+$/.test(family) && existsSync(file) ? import(`./families/${family}.mjs`) : null;
}

/** Why a case fails, or null. Refusing an input means throwing a plain Error: a TypeError or a trap is a defect. */
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
  return complaint(fixture, results, precision);
}

/** Whether a case says anything about a precision. */
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

/** The outcomes measured by the list: what is neither listed nor passing is as it should be. */
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
