// Emscripten builds its system libraries (libc, libc++, ...) when a link first needs them, without output inside that
// link. This builds them ahead, so that the user sees what takes the time.

import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, withLock } from "./cache.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

// The flags that choose between variants of the libraries, as CMakeLists.txt has them for `core` and `core_tests`.
const exceptions = ["-fwasm-exceptions", "-sWASM_LEGACY_EXCEPTIONS=1", "-msimd128"];
const links = [
  [...exceptions, "-lembind", "-sMALLOC=emmalloc", "-sFILESYSTEM=0", "-O3"],
  [...exceptions, "-sNODERAWFS", "-sENVIRONMENT=node", "-O1"],
];

const probe = `
#include <iostream>
#include <stdexcept>
int main(int count, char**) {
  try {
    if (count > 1) throw std::runtime_error("probe");
  } catch (const std::exception& error) {
    std::cout << error.what();
  }
}
`;

export async function warm({ version, root, env }) {
  const key = createHash("sha256")
    .update(JSON.stringify([version, root, links, probe]))
    .digest("hex")
    .slice(0, 16);
  const stamp = join(cacheFolder(), `warmed-${key}`);
  if (existsSync(stamp)) return;
  await withLock(async () => {
    if (existsSync(stamp)) return;
    await step(
      "Emscripten: building its system libraries (about a minute, once per machine)",
      async (update) => {
        const folder = mkdtempSync(join(tmpdir(), "attention-playground-"));
        let built = 0;
        const onLine = (line) => {
          const name = /generating system library: \S*?([^/]+\.a)/.exec(line)?.[1];
          if (name) update(`${++built}: ${name}`);
        };
        try {
          writeFileSync(join(folder, "probe.cpp"), probe);
          for (const flags of links) {
            await run(join(root, "em++"), ["probe.cpp", ...flags, "-o", "probe.js"], {
              cwd: folder,
              env,
              onLine,
            });
          }
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
        writeFileSync(stamp, `${version}\n`);
      },
    );
  });
}
