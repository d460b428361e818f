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

/** The parts of the core: what a page opens with has a limit; frames carry the plain build alone. */
export const coreParts = [
  { name: "attention", limit: 150 * 1024 },
  { name: "transformer" },
  { name: "labs", builds: ["simd"] },
];

const partsOf = (build) => coreParts.filter(({ builds }) => builds?.includes(build) ?? true);

function copyIfChanged(from, to) {
  if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) return;
  copyFileSync(from, to);
}

export async function coreWasm() {
  const places = coreBuilds.map(({ name }) => join(project, "build/core", name));
  for (const [place, { name, preset }] of coreBuilds.entries()) {
    const folder = await build(
      preset,
      partsOf(name).map((part) => part.name),
    );
    const to = places[place];
    mkdirSync(to, { recursive: true });
    for (const { name: part, limit } of partsOf(name)) {
      copyIfChanged(join(folder, `${part}.mjs`), join(to, `${part}.mjs`));
      copyIfChanged(join(folder, `${part}.wasm`), join(to, `${part}.wasm`));
      copyIfChanged(join(folder, `${part}.d.ts`), join(to, `${part}.d.mts`)); // where TypeScript looks for types of .mjs
      const size = gzipSync(readFileSync(join(to, `${part}.wasm`)), { level: 9 }).length;
      const bound = limit ? `, limit ${limit / 1024} KB` : "";
      say(`  ${part}.wasm (${name}): ${(size / 1024).toFixed(1)} KB gzipped${bound}`);
      if (limit && size > limit)
        throw new SetupError(`${part}.wasm (${name}) is ${size} bytes gzipped, more than ${limit}`);
    }
  }
  for (const { name: part } of coreParts.filter(({ builds }) => !builds)) {
    const [first, second] = places.map((place) => readFileSync(join(place, `${part}.mjs`)));
    if (!first.equals(second))
      throw new SetupError(`${part}.mjs differs between the two builds, and only one is shipped`);
  }
}
