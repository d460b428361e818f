// The two wasm builds of the core, as the page ships them: build/core/simd and build/core/relaxed.

import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "./cpp.mjs";
import { project } from "./env.mjs";
import { SetupError, say } from "./progress.mjs";

/** Both builds share everything but the kernels, so one run of CMake makes both. */
const builds = ["simd", "relaxed"];

/**
 * The parts of the core. `attention` and `transformer` belong to the library. `opening` is the part that the page opens with, and `labs`
 * is in frames and in the element: these two compute only in float64, where the builds `simd` and `relaxed` give the same numbers, so they
 * have one build.
 */
const parts = [
  { name: "opening", builds: ["simd"], limit: 110 * 1024 },
  { name: "attention", builds, limit: 150 * 1024 },
  { name: "transformer", builds },
  { name: "labs", builds: ["simd"] },
];

const targetOf = (part, build) => (part.builds.length > 1 ? `${part.name}_${build}` : part.name);

function copyIfChanged(from, to) {
  if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) return;
  copyFileSync(from, to);
}

export async function coreWasm() {
  const made = parts.flatMap((part) => part.builds.map((build) => ({ part, build })));
  const folder = await build(
    "wasm",
    made.map(({ part, build }) => targetOf(part, build)),
  );
  for (const { part, build } of made) {
    const { name, limit } = part;
    const to = join(project, "build/core", build);
    mkdirSync(to, { recursive: true });
    copyIfChanged(join(folder, build, `${name}.mjs`), join(to, `${name}.mjs`));
    copyIfChanged(join(folder, build, `${name}.wasm`), join(to, `${name}.wasm`));
    copyIfChanged(join(folder, build, `${name}.d.ts`), join(to, `${name}.d.mts`)); // TypeScript looks for the types of .mjs here
    const size = gzipSync(readFileSync(join(to, `${name}.wasm`)), { level: 9 }).length;
    const bound = limit ? `, limit ${limit / 1024} KB` : "";
    say(`  ${name}.wasm (${build}): ${(size / 1024).toFixed(1)} KB gzipped${bound}`);
    if (limit && size > limit)
      throw new SetupError(`${name}.wasm (${build}) is ${size} bytes gzipped, more than ${limit}`);
  }
  for (const { name } of parts.filter((part) => part.builds.length > 1)) {
    const [first, second] = builds.map((build) =>
      readFileSync(join(project, "build/core", build, `${name}.mjs`)),
    );
    if (!first.equals(second))
      throw new SetupError(`${name}.mjs differs between the two builds, and only one is shipped`);
  }
}
