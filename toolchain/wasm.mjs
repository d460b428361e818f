// The two wasm builds of the core, as the page ships them: build/core/simd and build/core/relaxed.

import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "./cpp.mjs";
import { project } from "./env.mjs";
import { SetupError, say } from "./progress.mjs";

export const coreBuilds = [
  { name: "simd", preset: "wasm" },
  { name: "relaxed", preset: "wasm-relaxed" },
];

const limit = 150 * 1024;
const files = ["core.mjs", "core.wasm", "core.d.ts"];

function copyIfChanged(from, to) {
  if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) return;
  copyFileSync(from, to);
}

export async function coreWasm() {
  for (const { name, preset } of coreBuilds) {
    const folder = await build(preset, ["core"]);
    const to = join(project, "build/core", name);
    mkdirSync(to, { recursive: true });
    for (const file of files) copyIfChanged(join(folder, file), join(to, file));
    copyIfChanged(join(folder, "core.d.ts"), join(to, "core.d.mts")); // where TypeScript looks for the types of core.mjs
    const size = gzipSync(readFileSync(join(to, "core.wasm")), { level: 9 }).length;
    say(`  core.wasm (${name}): ${(size / 1024).toFixed(1)} KB gzipped, limit ${limit / 1024} KB`);
    if (size > limit)
      throw new SetupError(`core.wasm (${name}) is ${size} bytes gzipped, more than ${limit}`);
  }
  const [first, second] = coreBuilds.map(({ name }) =>
    readFileSync(join(project, "build/core", name, "core.mjs")),
  );
  if (!first.equals(second))
    throw new SetupError("core.mjs differs between the two builds, and only one is shipped");
}
