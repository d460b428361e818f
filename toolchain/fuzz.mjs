// npm run fuzz: sends a million mutated links through the decoder and 50,000 pasted texts through their readers, then runs libFuzzer on
// the readers of files for ten minutes. `-- --seed N` makes the same draws again, `--links N`, `--pastes N` and `--minutes N` set the amounts,
// `--from N` begins at a later link or paste, `--only links`, `--only pastes` or `--only files` runs one of the three. The exit code is 1
// where something was found.

import { randomInt } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build as bundle } from "vite";
import { build } from "./cpp.mjs";
import { project } from "./env.mjs";
import { packages } from "./packages.mjs";
import { elapsed, main, say, SetupError, step } from "./progress.mjs";
import { onPath, run } from "./run.mjs";
import { differenceOf } from "./two-builds.mjs";

const folder = join(project, "build/fuzz-runs");
const findings = join(folder, "findings");
const figure = (count) => count.toLocaleString("en");

function commandOptions() {
  const options = Object.fromEntries(
    ["seed", "links", "pastes", "from", "minutes", "only"].map((name) => [name, { type: "string" }]),
  );
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw new SetupError(error.message);
  }
  const number = (name, absent) => {
    const value = Number(values[name] ?? absent);
    if (!(value >= 0)) throw new SetupError(`--${name}: expected a number from 0, got ${values[name]}`);
    return value;
  };
  if (!["links", "pastes", "files", undefined].includes(values.only))
    throw new SetupError(`--only: expected links, pastes or files, got ${values.only}`);
  return {
    seed: number("seed", randomInt(1, 2 ** 32)),
    links: number("links", 1_000_000),
    pastes: number("pastes", 50_000),
    from: number("from", 0),
    minutes: number("minutes", 10),
    only: values.only,
  };
}

/** Bundles tests/fuzz/NAME.ts as a module that Node can run. */
async function fuzzer(name) {
  const outDir = join(folder, name);
  await bundle({
    configFile: false,
    root: project,
    logLevel: "error",
    publicDir: false,
    build: {
      ssr: join(project, `tests/fuzz/${name}.ts`),
      outDir,
      emptyOutDir: true,
      target: "es2022",
      rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  });
  return import(pathToFileURL(join(outDir, `${name}.mjs`)).href);
}

const shown = (given) => {
  const text = JSON.stringify(given);
  return text.length <= 400 ? text : `${text.slice(0, 400)}… (${figure(given.length)} characters)`;
};
const list = (counts) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${figure(count)}`)
    .join(", ");
const took = ({ attempts, fields, inflated, cells }) =>
  `${attempts} attempts, ${fields} fields, ${figure(inflated)} bytes inflated, ${figure(cells)} cells`;

async function fuzzLinks({ seed, links: count, from }) {
  const {
    fuzzLinks: fuzz,
    linkCorpus,
    mostWork,
  } = await step("fuzz: the decoder as one module", () => fuzzer("links"));
  const corpus = linkCorpus(project);
  const since = Date.now();
  say(`> fuzz: ${figure(count)} mutated links`);
  const report = fuzz(corpus, { seed, count, from }, (done) => {
    if (done % 100_000 === 0) say(`  ... ${figure(done)} links (${elapsed(since)})`);
  });
  const { most, slowest, failures } = report;
  console.log(
    [
      `${figure(report.links)} mutated links of seed ${seed} in ${elapsed(since)}: ${failures.length} findings`,
      `  notices: ${list(report.notices)}`,
      `  labs: ${list(report.labs)}`,
      `  most work: link ${most.number}: ${took(most.work)}`,
      `    allowed: ${took(mostWork)}`,
      `    ${shown(most.link)}`,
      `  slowest by this machine's clock: link ${slowest.number}: ${slowest.milliseconds.toFixed(0)} ms`,
      `    ${shown(slowest.link)}`,
    ].join("\n"),
  );
  tell("link", seed, failures);
  return failures.length;
}

async function fuzzPastes({ seed, pastes: count, from }) {
  const { fuzzPastes: fuzz } = await step("fuzz: the readers of pastes as one module", () =>
    fuzzer("pastes"),
  );
  const since = Date.now();
  say(`> fuzz: ${figure(count)} pasted texts`);
  const report = fuzz({ seed, count, from }, (done) =>
    say(`  ... ${figure(done)} texts (${elapsed(since)})`),
  );
  const { pastes, characters, longest, verdicts, failures } = report;
  console.log(
    [
      `${figure(pastes)} pasted texts of seed ${seed} in ${elapsed(since)}: ${failures.length} findings`,
      `  ${figure(characters)} characters, ${figure(longest)} in the longest`,
      `  verdicts: ${list(verdicts)}`,
    ].join("\n"),
  );
  tell("paste", seed, failures);
  return failures.length;
}

/** Writes each finding to a file, and prints its path and how to draw it again. `kind` is the field with the input. */
function tell(kind, seed, failures) {
  for (const failure of failures) {
    const { number, why } = failure;
    const file = join(findings, `${kind}-${seed}-${number}.json`);
    writeFileSync(file, `${JSON.stringify({ seed, ...failure })}\n`);
    console.log(
      [
        `\n${kind} ${number}: ${why}`,
        `  ${shown(failure[kind])}`,
        `  all of it: ${file}`,
        `  again: npm run fuzz -- --only ${kind}s --seed ${seed} --from ${number} --${kind}s 1`,
      ].join("\n"),
    );
  }
}

const readers = ["npy", "npz", "safetensors"];

/** One reader under libFuzzer; its corpus is kept for the next run. */
async function fuzzReader(name, built, seconds, seed) {
  const corpus = join(folder, "corpus", name);
  mkdirSync(corpus, { recursive: true });
  const known = readdirSync(findings);
  const facts = {};
  const onLine = (line) => {
    const [, fact, value] = /^stat::(\w+):\s*(\d+)/.exec(line) ?? [];
    if (fact) facts[fact] = Number(value);
    const [, covered] = /\bcov: (\d+)/.exec(line) ?? [];
    if (covered) facts.covered = Number(covered);
  };
  const options = {
    max_total_time: seconds,
    seed: seed % 2 ** 32 || 1,
    max_len: 4096,
    timeout: 20,
    rss_limit_mb: 2048,
    dict: join(project, "tests/fuzz/files.dict"),
    artifact_prefix: join(findings, `${name}-`),
    print_final_stats: 1,
  };
  const args = Object.entries(options).map(([option, value]) => `-${option}=${value}`);
  const since = Date.now();
  let why = "";
  try {
    await run(join(built, `${name}_fuzzer`), [...args, corpus, join(folder, "seeds", name)], {
      // Turns addresses into lines; it comes with g++.
      env: { ASAN_SYMBOLIZER_PATH: onPath("addr2line") ?? "", UBSAN_OPTIONS: "print_stacktrace=1" },
      onLine,
    });
  } catch (error) {
    why = error.message;
  }
  console.log(
    `.${name}: ${figure(facts.number_of_executed_units ?? 0)} executions in ${elapsed(since)}, ` +
      `${figure(facts.covered ?? 0)} edges covered, ${figure(facts.peak_rss_mb ?? 0)} MB at most: ${why ? "a finding" : "no finding"}`,
  );
  if (!why && !facts.number_of_executed_units)
    throw new SetupError(`${name}: libFuzzer reported no execution`);
  if (!why) return 0;
  const files = readdirSync(findings).filter((file) => file.startsWith(`${name}-`) && !known.includes(file));
  console.log(why);
  for (const file of files) console.log(`  again: ${join(built, `${name}_fuzzer`)} ${join(findings, file)}`);
  return 1;
}

/** The number of mutated files for the readers as wasm, per minute. */
const WASM_FILES = 20_000;

/**
 * Gives the same mutated files to the readers natively and as wasm, where a size has 32 bits: their verdicts must be equal. A trap, or
 * running out of memory, ends the program, and is a finding in either build.
 */
async function compareBuilds({ seed, minutes }) {
  const count = Math.max(1000, Math.round(WASM_FILES * minutes));
  const args = [String(seed % 2 ** 32), String(count)];
  const native = join(await build("native", ["read_mutations"]), "read_mutations");
  const wasm = join(await build("wasm", ["read_mutations"]), "read_mutations.js");
  return step(`${figure(count)} changed files natively and as wasm`, async () => {
    const found = await differenceOf({
      natively: [native, ...args],
      "as wasm": [process.execPath, wasm, ...args],
    });
    console.log(
      `Changed files of seed ${seed}: ${found === null ? "the same verdicts" : `a finding\n${found}`}`,
    );
    return found === null ? 0 : 1;
  });
}

async function fuzzFiles({ seed, minutes }) {
  const built = await build("fuzz", ["fuzzers"]);
  await run(join(built, "write_seeds"), [join(folder, "seeds")]);
  const seconds = Math.max(1, Math.round((60 * minutes) / readers.length));
  let found = await compareBuilds({ seed, minutes });
  for (const name of readers)
    found += await step(`libFuzzer: .${name} for ${seconds} s`, () => fuzzReader(name, built, seconds, seed));
  return found;
}

await main(async () => {
  const options = commandOptions();
  await packages();
  mkdirSync(findings, { recursive: true });
  say(`seed ${options.seed}`);
  let found = 0;
  const asked = (name) => [name, undefined].includes(options.only);
  if (asked("links")) found += await fuzzLinks(options);
  if (asked("pastes")) found += await fuzzPastes(options);
  if (asked("files")) found += await fuzzFiles(options);
  return found ? 1 : 0;
});
