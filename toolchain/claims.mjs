// npm run --silent claims -- [ID ...] [--seeds 11,12,13,14,15] [--write]: trains the runs of claims about training (web/labs/training/claims.ts)
// for each seed, in wasm under Node. It prints a line of JSON per run, and one with the verdict per claim. `--write` stores the results in
// web/labs/training/claims-measured.json. Without an ID it measures all claims.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { runnerImport } from "vite";
import { buildLibrary } from "./build.mjs";
import { project } from "./env.mjs";
import { measureRun } from "./measure-claim.mjs";
import { main, SetupError } from "./progress.mjs";

const usage = "npm run --silent claims -- [ID ...] [--seeds 11,12,13,14,15] [--write]";
const file = join(project, "web/labs/training/claims-measured.json");

function read() {
  let given;
  try {
    given = parseArgs({
      allowPositionals: true,
      options: {
        seeds: { type: "string", default: "11,12,13,14,15" },
        write: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new SetupError(`${error.message}\nusage: ${usage}`);
  }
  const { positionals: ids, values } = given;
  const seeds = values.seeds.split(",").map(Number);
  if (!/^\d+(,\d+)*$/.test(values.seeds) || seeds.some((seed) => seed >= 2 ** 32))
    throw new SetupError(`--seeds is ${values.seeds}, expected whole numbers from 0 to 4294967295`);
  return { ids, seeds, write: values.write };
}

/** Stores the results of one claim beside those of the others, in the order of the claims. */
async function store(claims, id, results) {
  const stored = { ...JSON.parse(readFileSync(file, "utf8")), [id]: results };
  const kept = claims.filter((claim) => claim.id in stored).map((claim) => [claim.id, stored[claim.id]]);
  const text = JSON.stringify(Object.fromEntries(kept));
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: "json" }));
}

await main(async () => {
  const { ids, seeds, write } = read();
  await buildLibrary();
  const { load } = await import(pathToFileURL(join(project, "dist/core/index.js")).href);
  const moduleOf = async (name) => (await runnerImport(join(project, `web/labs/training/${name}.ts`))).module;
  const { claims, runsOfClaim, settingsOf, verdictOf } = await moduleOf("claims");
  const { optionsOf, runsOf } = await moduleOf("runs");
  const unknown = ids.find((id) => !claims.some((claim) => claim.id === id));
  if (unknown !== undefined)
    throw new SetupError(`usage: ${usage}\nID is one of ${claims.map(({ id }) => id).join(", ")}`);
  // This build gives the same numbers on every machine.
  const core = await load({ build: "simd" });
  for (const claim of claims.filter(({ id }) => ids.length === 0 || ids.includes(id))) {
    const results = [];
    for (const seed of seeds) {
      const values = {};
      for (const [at, numbers] of runsOf(settingsOf(claim, seed)).entries()) {
        const started = performance.now();
        const run = runsOfClaim(claim)[at];
        values[run] = measureRun(core, claim, optionsOf(numbers));
        const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
        console.log(JSON.stringify({ claim: claim.id, seed, run, ...values[run], seconds }));
      }
      results.push({ seed, values });
    }
    console.log(JSON.stringify({ claim: claim.id, verdict: verdictOf(claim, results) }));
    if (write) await store(claims, claim.id, results);
  }
});
