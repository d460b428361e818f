/**
 * The builds, by name: `vite build --config web/build/vite.config.ts --mode NAME` makes one of them, and toolchain/build.mjs all of them
 * in order. `vite` alone serves the page's sources.
 */
import { defineConfig, type UserConfig } from "vite";
import { bench } from "./bench.js";
import configs from "./configs-plugin.js";
import { element } from "./element.js";
import { embed } from "./embed.js";
import { library } from "./library.js";
import { page } from "./page.js";
import { classicScript, pagePlugins, workerScript } from "./script.js";
import { serviceWorker } from "./service-worker.js";

const frame = (name: string): UserConfig =>
  classicScript(name, { outDir: "../build/page", plugins: [configs(), ...pagePlugins()] });

const builds: Readonly<Record<string, () => UserConfig>> = {
  // The worker of the attention part.
  worker: () => workerScript("worker"),
  // The worker of the whole core.
  "transformer-worker": () => workerScript("transformer-worker"),
  // The worker of frames and elements.
  "labs-worker": () => workerScript("labs-worker"),
  // The worker of bench.html.
  "bench-worker": () => workerScript("bench-worker"),
  page: () => page,
  bench: () => bench,
  // The page's code of each frame, which the embeds pack.
  frame: () => frame("frame"),
  "frame-training": () => frame("frame-training"),
  embed: () => embed("embed"),
  "embed-training": () => embed("embed-training"),
  element: () => element,
  "library-attention": () => library("attention"),
  "library-index": () => library("index"),
  "service-worker": serviceWorker,
};

export default defineConfig(({ command, mode }) => {
  const build = command === "serve" ? builds.page : builds[mode];
  if (!build) throw new Error(`--mode names no build: ${Object.keys(builds).join(", ")}`);
  return build();
});
