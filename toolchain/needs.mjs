// What several steps of a command need, each made once in a run.

import { chromium } from "./browser.mjs";
import { buildAll, buildLibrary } from "./build.mjs";
import { build } from "./cpp.mjs";
import { packages } from "./packages.mjs";
import { shared } from "./steps.mjs";
import { coreWasm } from "./wasm.mjs";

const presets = ["native", "sanitize", "wasm", "wasm-relaxed"];

/** The libraries of the core, by preset: what its tests link as well. */
export const libraries = Object.fromEntries(
  presets.map((preset) => [
    preset,
    shared(`the core's libraries (${preset})`, () => build(preset, ["nn", "optim", "files", "program"])),
  ]),
);

export const npmPackages = shared("the npm packages", packages);

/** build/core: the modules of the core with their types. */
export const core = shared("the core as WebAssembly", async () => {
  await npmPackages();
  await libraries.wasm();
  await libraries["wasm-relaxed"]();
  await coreWasm();
});

/** dist/core, the core as a library. */
export const library = shared("the library", async () => {
  await core();
  await buildLibrary();
});

/** dist/, the whole site. */
export const site = shared("the site", async () => {
  await core();
  await buildAll();
});

export const chromiumProgram = shared("Chromium", chromium);
