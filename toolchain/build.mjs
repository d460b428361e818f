// Everything that ends in dist/, in order. Each step does nothing when what it reads has not changed.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { budget } from "./budget.mjs";
import { project } from "./env.mjs";
import { bundlesNothing, writeNotices } from "./licenses.mjs";
import { whileBuilding } from "./lock.mjs";
import { packages, program } from "./packages.mjs";
import { main, SetupError, step } from "./progress.mjs";
import { run } from "./run.mjs";
import { coreWasm } from "./wasm.mjs";

/** Vite's builds. The page, the embed and the element contain the workers; the page empties dist/, so what joins it comes after. */
const worker = { name: "worker", config: "vite.worker.config.ts", makes: "build/page/worker.js" };
const transformerWorker = {
  name: "transformer-worker",
  config: "vite.transformer-worker.config.ts",
  makes: "build/page/transformer-worker.js",
};
const page = { name: "page", config: "vite.config.ts", makes: "dist/index.html" };
const benchWorker = {
  name: "bench-worker",
  config: "vite.bench-worker.config.ts",
  makes: "build/page/bench-worker.js",
};
const bench = { name: "bench", config: "vite.bench.config.ts", makes: "dist/bench.html" };
const labsWorker = {
  name: "labs-worker",
  config: "vite.labs-worker.config.ts",
  makes: "build/page/labs-worker.js",
};
const frame = { name: "frame", config: "vite.frame.config.ts", makes: "build/page/frame.js" };
const element = { name: "element", config: "vite.element.config.ts", makes: "dist/attention-playground.js" };
const embed = { name: "embed", config: "vite.embed.config.ts", makes: "dist/embed.html" };
const serviceWorker = {
  name: "service-worker",
  config: "vite.service-worker.config.ts",
  makes: "dist/service-worker.js",
};
const library = ["attention", "index"].map((mode) => ({
  name: `library-${mode}`,
  config: "vite.core.config.ts",
  mode,
  makes: `dist/core/${mode}.js`,
}));

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

/** A digest of all that Vite may read. */
function digest() {
  const hash = createHash("sha256");
  const configs = readdirSync(project).filter((name) => /^(vite\.|tsconfig|package)/.test(name));
  for (const part of [...configs.sort(), "web", "build/core"]) {
    for (const file of filesUnder(join(project, part))) {
      hash.update(file).update("\0").update(readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex");
}

async function viteBuilds(builds) {
  const now = digest();
  const folder = join(project, "build/made-from");
  mkdirSync(folder, { recursive: true });
  for (const { name, config, mode = "production", makes } of builds) {
    const stamp = join(folder, name);
    const product = join(project, makes);
    if (existsSync(product) && existsSync(stamp) && readFileSync(stamp, "utf8") === now) continue;
    await step(`page: ${name}`, (update) => {
      return run(program("vite"), ["build", "--config", config, "--mode", mode], {
        cwd: project,
        onLine: update,
      });
    });
    if (!existsSync(product)) throw new SetupError(`vite build --config ${config} made no ${makes}`);
    writeFileSync(stamp, now);
  }
}

/** The core as a library, dist/core: what the golden files are run through. */
export const buildLibrary = () =>
  whileBuilding(async () => {
    await packages();
    await coreWasm();
    await viteBuilds(library);
  });

export const buildAll = () =>
  whileBuilding(async () => {
    await packages();
    await coreWasm();
    await viteBuilds([
      worker,
      transformerWorker,
      labsWorker,
      benchWorker,
      page,
      bench,
      frame,
      embed,
      element,
      ...library,
    ]);
    writeNotices();
    // It comes last: it names the files of the others.
    await viteBuilds([serviceWorker]);
    bundlesNothing("service-worker");
    budget();
  });

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(buildAll);
