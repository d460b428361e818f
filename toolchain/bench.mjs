// npm run bench: builds the core, installs the libraries it is compared with (tests/bench), and times all of them in a browser.
// `-- --quick` takes under a minute, `--json FILE` writes all samples, `--only WORDS` keeps the tasks whose names contain the words
// ("matmul 512", "encoder", or one of loading, memory, editing), `--beside` runs another process that keeps reading 64 MB of memory,
// `--publish FILE` writes the file that bench.html shows of a whole run (web/bench/published).
// The exit code is 1 where numbers disagree.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "./browser.mjs";
import { buildLibrary } from "./build.mjs";
import { project } from "./env.mjs";
import { packages, packagesOf } from "./packages.mjs";
import { elapsed, main, say, SetupError, step } from "./progress.mjs";

const folder = join(project, "tests/bench");

/** The parts of a run that are not tasks. */
const parts = { loading: "first", memory: "memory", editing: "editing" };

const plans = {
  full: {
    visits: 5,
    peak: { samples: 15, milliseconds: 60 },
    timing: {
      rounds: 21,
      sampleMs: 12,
      warmMs: 200,
      settleMs: 250,
      budgetMs: 20_000,
      least: 7,
      onceMs: 1500,
      againMs: 5000,
    },
  },
  quick: {
    visits: 1,
    peak: { samples: 8, milliseconds: 12 },
    timing: {
      rounds: 4,
      sampleMs: 4,
      warmMs: 20,
      settleMs: 20,
      budgetMs: 500,
      least: 2,
      onceMs: 100,
      againMs: 800,
    },
  },
};

function chosen(only) {
  const all = { words: "", first: true, memory: true, editing: true };
  if (only === undefined) return all;
  const none = { words: only, first: false, memory: false, editing: false };
  return only in parts ? { ...none, [parts[only]]: true, words: "no work" } : none;
}

/** The installed versions of the libraries that are compared. */
function versions(contestants) {
  const libraries = [...new Set(contestants.flatMap(({ library }) => library ?? []))];
  const of = (library) =>
    JSON.parse(readFileSync(join(folder, "node_modules", library, "package.json"), "utf8")).version;
  return Object.fromEntries(libraries.map((library) => [library, of(library)]));
}

/** The ticks that all processors have spent since they started, by kind; null where the machine does not report them. */
function processorTimes() {
  if (!existsSync("/proc/stat")) return null;
  const [first] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user, nice, system, idle, waiting, irq, softirq, stolen] = first.split(/\s+/).slice(1).map(Number);
  return { all: user + nice + system + idle + waiting + irq + softirq + stolen, stolen };
}

/** The fraction of the processors' time that the host gave to other machines since; null where the machine does not report it. */
function stolenSince(before) {
  const now = processorTimes();
  return now && before && (now.stolen - before.stolen) / (now.all - before.all);
}

/** The processor's name. Linux also reports family and model, because one name stands for many processors. */
function processorName() {
  const name = cpus()[0]?.model ?? "unknown";
  const told = existsSync("/proc/cpuinfo") ? readFileSync("/proc/cpuinfo", "utf8") : "";
  const of = (field) => new RegExp(`^${field}\\s*:\\s*(\\d+)$`, "m").exec(told)?.[1];
  const [family, model] = [of("cpu family"), of("model")];
  return family && model ? `${name} (family ${family}, model ${model})` : name;
}

function commandOptions() {
  const options = {
    quick: { type: "boolean" },
    json: { type: "string" },
    only: { type: "string" },
    beside: { type: "boolean" },
    publish: { type: "string" },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new SetupError(error.message);
  }
}

await main(async () => {
  const values = commandOptions();
  if (values.publish && (values.quick || values.only !== undefined))
    throw new SetupError("--publish is for whole runs: without --quick and --only");
  await packages();
  await packagesOf(folder, "--ignore-scripts");
  await buildLibrary();
  const { bundle } = await import("../tests/bench/bundle.mjs");
  const bundles = await step("benchmark: bundles", bundle);
  const { contestants } = await import("../tests/bench/contestants.mjs");
  const { publishedRun } = await import("../tests/bench/published.mjs");
  const { report, failures, workLine } = await import("../tests/bench/report.mjs");
  const { runAll } = await import("../tests/bench/run.mjs");
  const asked = chosen(values.only);
  const since = Date.now();
  const before = processorTimes();
  const results = await runAll({
    bundles,
    executablePath: await chromium(),
    chosen: asked,
    quick: values.quick,
    beside: values.beside,
    plans: values.quick ? plans.quick : plans.full,
    onDone: {
      peak: ({ simd, relaxed }) =>
        say(`peak: ${simd.toFixed(1)} GFLOP/s plain SIMD, ${relaxed?.toFixed(1)} relaxed`),
      failed: (name, why) => say(`${name} cannot be loaded: ${why}`),
      loading: ({ name, milliseconds, cannot }) =>
        say(`first result: ${name} ${cannot ?? `${Math.round(milliseconds)} ms`}`),
      work: (work) => say(`${elapsed(since)}  ${workLine(work)}`),
      memory: ({ name, after, cannot }) =>
        say(`memory: ${name} ${cannot ?? `${(after / 1e6).toFixed(1)} MB`}`),
      editing: (rows) => say(`${rows.length} examples edited`),
    },
  });
  if (!asked.first && !asked.memory && !asked.editing && !results.works.length)
    throw new SetupError(`--only: no task has all of the words "${values.only}" in its name`);
  const machine = { processor: processorName(), cores: cpus().length };
  const whole = {
    date: new Date().toISOString(),
    ...machine,
    quick: Boolean(values.quick),
    beside: Boolean(values.beside),
    stolen: stolenSince(before),
    versions: versions(contestants),
    ...results,
  };
  const stolen = whole.stolen === null ? "" : `, ${(100 * whole.stolen).toFixed(1)} % of its time stolen`;
  const neighbour = values.beside ? ", with a second process that reads 64 MB of memory" : "";
  console.log(
    `\n${machine.processor}${stolen}${neighbour}, Chromium ${results.browser}, one thread, float32\n\n${report(results)}\n`,
  );
  if (values.json) writeFileSync(resolve(values.json), `${JSON.stringify(whole)}\n`);
  if (values.publish)
    writeFileSync(resolve(values.publish), `${JSON.stringify(publishedRun(whole), null, 2)}\n`);
  const failed = failures(results);
  for (const line of failed) console.log(line);
  say(`measured in ${elapsed(since)}`);
  return failed.length ? 1 : 0;
});
