// Everything that ends in dist/, in order. Each step does nothing when what it reads has not changed.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { project } from "./env.mjs";
import { packages, program } from "./packages.mjs";
import { main, step } from "./progress.mjs";
import { run } from "./run.mjs";
import { coreWasm } from "./wasm.mjs";

/** Vite's builds, in order: the page and the embed contain the worker, and the page empties dist/. */
const viteBuilds = ["vite.worker.config.ts", "vite.config.ts", "vite.embed.config.ts", "vite.core.config.ts"];

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

/** A digest of all that the page is made from. */
function digest() {
  const hash = createHash("sha256");
  const configs = readdirSync(project).filter((name) => /^(vite\.|tsconfig|package-lock)/.test(name));
  for (const part of [...configs, "web", "build/core"]) {
    for (const file of filesUnder(join(project, part)))
      hash.update(file).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex");
}

async function page() {
  const stamp = join(project, "build/page-made-from");
  const now = digest();
  if (existsSync(join(project, "dist")) && existsSync(stamp) && readFileSync(stamp, "utf8") === now) return;
  for (const config of viteBuilds.filter((file) => existsSync(join(project, file)))) {
    await step(`page: vite build (${config})`, (update) => {
      return run(program("vite"), ["build", "--config", config], { cwd: project, onLine: update });
    });
  }
  mkdirSync(join(project, "build"), { recursive: true });
  writeFileSync(stamp, now);
}

export async function buildAll() {
  await packages();
  await coreWasm();
  await page();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(buildAll);
