// The variables that CMake and the compilers need. Run by itself it prints shell lines:
// eval "$(node toolchain/env.mjs)"; cmake --preset wasm; cmake --build --preset wasm

import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { catch2 } from "./catch2.mjs";
import { emscripten } from "./emscripten.mjs";
import { headers } from "./headers.mjs";
import { main } from "./progress.mjs";

export const project = join(import.meta.dirname, "..");

let known = null;

/** Environment variables for CMake: where Emscripten, the headers and Catch2 are. */
export async function environment() {
  if (known) return known;
  const { env, version } = await emscripten();
  const include = await headers();
  known = {
    ...env,
    EMSCRIPTEN_VERSION: version,
    PLAYGROUND_CATCH2: await catch2(),
    ...(include ? { PLAYGROUND_HEADERS: include } : {}),
  };
  return known;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    for (const [name, value] of Object.entries(await environment())) {
      console.log(`export ${name}='${String(value).replaceAll("'", "'\\''")}'`);
    }
  });
}
