// Bundles and minifies what the benchmark's page loads, as for any page: the worker, and a module for each contestant.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { contestants } from "./contestants.mjs";

const here = import.meta.dirname;
const project = join(here, "../..");

function* files(folder) {
  for (const name of readdirSync(folder).sort()) {
    if (name === "node_modules") continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}

/** A digest of all files that may be bundled. */
function digest() {
  const hash = createHash("sha256");
  for (const folder of [here, join(project, "web")])
    for (const file of files(folder)) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/** Bundles an entry and everything it imports into one file. */
const bundleEntry = (entry, folder, format) =>
  build({
    configFile: false,
    root: here,
    logLevel: "error",
    publicDir: false,
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "es2022",
      modulePreload: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(here, entry),
        preserveEntrySignatures: "strict",
        output: { format, codeSplitting: false, entryFileNames: "[name].js" },
      },
    },
  });

/** The folder with worker.js and contestants/, built again if a file has changed. */
export async function bundle() {
  const folder = join(project, "build/bench");
  const stamp = join(folder, "made-from");
  const now = digest();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === now) return folder;
  rmSync(folder, { recursive: true, force: true });
  await bundleEntry("worker.mjs", folder, "iife");
  const modules = new Set([...contestants.map(({ module }) => module), "editing"]);
  for (const module of modules)
    await bundleEntry(`contestants/${module}.mjs`, join(folder, "contestants"), "es");
  writeFileSync(stamp, now);
  return folder;
}
