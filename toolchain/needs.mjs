// Builds and programs that several steps of a command need. Each is made once in a run.

import { chromium, headlessChromium } from "./browser.mjs";
import { buildAll, buildLibrary } from "./build.mjs";
import { build } from "./cpp.mjs";
import { packages } from "./packages.mjs";
import { makeOnce } from "./steps.mjs";
import { coreWasm } from "./wasm.mjs";

const rooms = ["kernels", "tensor", "ops", "files", "nn", "optim", "program", "training"];
const roomsOf = new Map();

/** The libraries of the core in a preset, which its parts and its tests link. */
export function libraries(preset) {
  if (!roomsOf.has(preset))
    roomsOf.set(
      preset,
      makeOnce(`the core's libraries (${preset})`, () => build(preset, rooms)),
    );
  return roomsOf.get(preset)();
}

export const npmPackages = makeOnce("the npm packages", packages);

/** build/core: the modules of the core with their types. */
export const core = makeOnce("the core as WebAssembly", async () => {
  await npmPackages();
  await libraries("wasm");
  await coreWasm();
});

/** dist/core, the core as a library. */
export const library = makeOnce("the library", async () => {
  await core();
  await buildLibrary();
});

/** dist/, the whole site. */
export const site = makeOnce("the site", async () => {
  await core();
  await buildAll();
});

export const chromiumProgram = makeOnce("Chromium", chromium);
export const headlessProgram = makeOnce("Chromium's headless shell", headlessChromium);
