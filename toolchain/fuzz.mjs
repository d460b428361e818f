// npm run fuzz: a million mutated links through the decoder, then libFuzzer on the readers of files for ten minutes.
// `-- --seed N` draws the same again, `--links N` and `--minutes N` are for more or less, `--from N` begins at a later link,
// `--only links` or `--only files` runs one of the two. Exit code 1 where something was found.

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

const folder = join(project, "build/fuzz-runs");
const findings = join(folder, "findings");
const figure = (count) => count.toLocaleString("en");

function given() {
  const options = Object.fromEntries(
    ["seed", "links", "from", "minutes", "only"].map((name) => [name, { type: "string" }]),
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
  if (!["links", "files", undefined].includes(values.only))
    throw new SetupError(`--only: expected links or files, got ${values.only}`);
  return {
    seed: number("seed", randomInt(1, 2 ** 32)),
    links: number("links", 1_000_000),
    from: number("from", 0),
    minutes: number("minutes", 10),
    only: values.only,
  };
}

/** tests/fuzz/links.ts as a module that Node reads. */
async function linkFuzzer() {
  const outDir = join(folder, "links");
  await bundle({
    configFile: false,
    root: project,
    logLevel: "error",
    publicDir: false,
    build: {
      ssr: join(project, "tests/fuzz/links.ts"),
      outDir,
      emptyOutDir: true,
      target: "es2022",
      rolldownOptions: { output: { entryFileNames: "links.mjs" } },
    },
  });
  return import(pathToFileURL(join(outDir, "links.mjs")).href);
}

const shown = (link) => {
  const text = JSON.stringify(link);
  return text.length <= 400 ? text : `${text.slice(0, 400)}… (${figure(link.length)} characters)`;
};
const list = (counts) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${figure(count)}`)
    .join(", ");
const took = ({ attempts, fields, inflated, cells }) =>
  `${attempts} attempts, ${fields} fields, ${figure(inflated)} bytes inflated, ${figure(cells)} cells`;

async function fuzzLinks({ seed, links: count, from }) {
  const { fuzzLinks: fuzz, linkCorpus, mostWork } = await step("fuzz: the decoder as one module", linkFuzzer);
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
  for (const { number, link, why } of failures) {
    const file = join(findings, `link-${seed}-${number}.json`);
    writeFileSync(file, `${JSON.stringify({ seed, number, why, link })}\n`);
    console.log(
      [
        `\nlink ${number}: ${why}`,
        `  ${shown(link)}`,
        `  all of it: ${file}`,
        `  again: npm run fuzz -- --only links --seed ${seed} --from ${number} --links 1`,
      ].join("\n"),
    );
  }
  return failures.length;
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
      // What turns addresses into lines: it comes with g++.
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
    throw new SetupError(`${name}: libFuzzer says of no execution`);
  if (!why) return 0;
  const files = readdirSync(findings).filter((file) => file.startsWith(`${name}-`) && !known.includes(file));
  console.log(why);
  for (const file of files) console.log(`  again: ${join(built, `${name}_fuzzer`)} ${join(findings, file)}`);
  return 1;
}

async function fuzzFiles({ seed, minutes }) {
  const built = await build("fuzz", ["fuzzers"]);
  await run(join(built, "write_seeds"), [join(folder, "seeds")]);
  const seconds = Math.max(1, Math.round((60 * minutes) / readers.length));
  let found = 0;
  for (const name of readers)
    found += await step(`libFuzzer: .${name} for ${seconds} s`, () => fuzzReader(name, built, seconds, seed));
  return found;
}

await main(async () => {
  const options = given();
  await packages();
  mkdirSync(findings, { recursive: true });
  say(`seed ${options.seed}`);
  let found = 0;
  if (options.only !== "files") found += await fuzzLinks(options);
  if (options.only !== "links") found += await fuzzFiles(options);
  return found ? 1 : 0;
});
