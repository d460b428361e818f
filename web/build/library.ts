/**
 * The core as a library: dist/core/index.js (all of it), dist/core/attention.js (its first part, which is built first), their
 * declarations and wasm. Each is one script, so that the first result needs no second request.
 */
import { execFile } from "node:child_process";
import { copyFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Plugin, UserConfig } from "vite";
import { coreFiles, parts } from "./core-plugin.js";

const path = (place: string): string => fileURLToPath(new URL(`../../${place}`, import.meta.url));

/** Puts the wasm files and the type declarations beside index.js and attention.js. */
function filesBesideScripts(): Plugin {
  return {
    name: "files-beside-scripts",
    async closeBundle() {
      for (const build of ["simd", "relaxed"]) {
        for (const part of parts)
          await copyFile(path(`build/core/${build}/${part}.wasm`), path(`dist/core/${part}-${build}.wasm`));
      }
      const compiler = path("node_modules/typescript/bin/tsc");
      try {
        await promisify(execFile)(process.execPath, [compiler, "-p", path("web/core/tsconfig.json")]);
      } catch (error) {
        throw new Error(`declarations of the core:\n${(error as { stdout: string }).stdout}`, {
          cause: error,
        });
      }
      // Declarations of the wasm module itself, and of code that only the page loads, are not part of the library.
      for (const file of [
        "wasm",
        "wasm-files",
        "transformer/wasm",
        "attention-part",
        "labs-part",
        "transformer/part",
      ])
        await rm(path(`dist/core/${file}.d.ts`));
    },
  };
}

export const library = (part: "attention" | "index"): UserConfig => ({
  root: "web/core",
  publicDir: false,
  plugins: [coreFiles("beside"), ...(part === "index" ? [filesBesideScripts()] : [])],
  build: {
    outDir: "../../dist/core",
    emptyOutDir: part === "attention",
    target: "es2022",
    minify: true,
    lib: {
      entry: `${part}.ts`,
      formats: ["es"],
      fileName: () => `${part}.js`,
    },
    // The script of the whole core contains everything of the first part.
    license: part === "index" && { fileName: "core.licenses.json" },
    // Class names are kept, so that a console shows "Node" and "Graph".
    rolldownOptions: { external: [/^node:/], output: { keepNames: true } },
    reportCompressedSize: false,
  },
});
