/** Unit tests of the web code, under Node: a file of its own, because the page's configuration has the root web/. */
import { defineConfig } from "vitest/config";
import { nodeFlags } from "./toolchain/versions.mjs";
import formulas from "./web/build/formula-plugin.js";

export default defineConfig({
  plugins: [formulas()],
  resolve: {
    alias: { "attention-playground/core": new URL("./web/core/index.ts", import.meta.url).pathname },
  },
  test: {
    include: ["web", "links", "fuzz", "toolchain", "programs", "engines", "soak", "package"].map(
      (folder) => `tests/${folder}/**/*.test.ts`,
    ),
    // What is drawn at random is the same in every run.
    setupFiles: ["tests/words.ts", "tests/random-seed.ts"],
    // Its CommonJS, which Node would load, has no names to import.
    server: { deps: { inline: ["gifenc"] } },
    // Only what hangs is stopped: a slow or busy machine fails no test.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser can die: a test in an engine is tried once more, and named where it passes then.
    retry: process.env.ENGINE ? 1 : 0,
    execArgv: nodeFlags,
  },
});
