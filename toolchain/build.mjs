// Builds everything in dist/, in order. A step does nothing when its inputs have not changed.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { budget } from "./budget.mjs";
import { project } from "./env.mjs";
import { checkBundlesNothing, writeNotices } from "./licenses.mjs";
import { whileBuilding } from "./lock.mjs";
import { packages, program } from "./packages.mjs";
import { main, SetupError, step } from "./progress.mjs";
import { run } from "./run.mjs";
import { coreWasm } from "./wasm.mjs";

/** Vite's builds, named as in web/build/vite.config.ts. The page's build empties dist/ and contains the workers, so the order matters. */
const worker = { name: "worker", makes: "build/page/worker.js" };
const transformerWorker = { name: "transformer-worker", makes: "build/page/transformer-worker.js" };
const page = { name: "page", makes: "dist/index.html" };
const benchWorker = { name: "bench-worker", makes: "build/page/bench-worker.js" };
const bench = { name: "bench", makes: "dist/bench.html" };
const labsWorker = { name: "labs-worker", makes: "build/page/labs-worker.js" };
const frame = { name: "frame", makes: "build/page/frame.js" };
const element = { name: "element", makes: "dist/attention-playground.js" };
const embed = { name: "embed", makes: "dist/embed.html" };
const frameTraining = { name: "frame-training", makes: "build/page/frame-training.js" };
const embedTraining = { name: "embed-training", makes: "dist/embed-training.html" };
const serviceWorker = { name: "service-worker", makes: "dist/service-worker.js" };
const library = [
  { name: "library-attention", makes: "dist/core/attention.js" },
  { name: "library-index", makes: "dist/core/index.js" },
];

const config = "web/build/vite.config.ts";

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

/** A digest of all files that Vite may read. */
function digest() {
  const hash = createHash("sha256");
  const configs = readdirSync(project).filter((name) => /^(tsconfig|package)/.test(name));
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
  for (const { name, makes } of builds) {
    const stamp = join(folder, name);
    const product = join(project, makes);
    if (existsSync(product) && existsSync(stamp) && readFileSync(stamp, "utf8") === now) continue;
    await step(`page: ${name}`, (update) => {
      return run(program("vite"), ["build", "--config", config, "--mode", name], {
        cwd: project,
        onLine: update,
      });
    });
    if (!existsSync(product))
      throw new SetupError(`vite build --config ${config} --mode ${name} made no ${makes}`);
    writeFileSync(stamp, now);
  }
}

/** Builds the core as a library, dist/core. The golden files are computed with it. */
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
      frameTraining,
      embedTraining,
      element,
      ...library,
    ]);
    writeNotices();
    // The service worker comes last, because it names the files of the other builds.
    await viteBuilds([serviceWorker]);
    checkBundlesNothing("service-worker");
    budget();
  });

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(buildAll);
