/** The core as a library: dist/core/index.js with its declarations and the two wasm builds beside it. */
import { execFile } from "node:child_process";
import { copyFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { defineConfig, type Plugin } from "vite";
import { coreFiles } from "./web/core-plugin.js";

const path = (place: string): string => fileURLToPath(new URL(place, import.meta.url));

/** What stands beside index.js. */
function company(): Plugin {
  return {
    name: "company",
    async closeBundle() {
      for (const build of ["simd", "relaxed"]) {
        await copyFile(path(`build/core/${build}/core.wasm`), path(`dist/core/core-${build}.wasm`));
      }
      const compiler = path("node_modules/typescript/bin/tsc");
      try {
        await promisify(execFile)(process.execPath, [compiler, "-p", path("web/core/tsconfig.json")]);
      } catch (error) {
        throw new Error(`declarations of the core:\n${(error as { stdout: string }).stdout}`, {
          cause: error,
        });
      }
      // What speaks of the wasm module itself is no part of the library.
      for (const file of ["wasm", "wasm-files"]) await rm(path(`dist/core/${file}.d.ts`));
    },
  };
}

export default defineConfig({
  root: "web/core",
  publicDir: false,
  plugins: [coreFiles("beside"), company()],
  build: {
    outDir: "../../dist/core",
    emptyOutDir: true,
    target: "es2022",
    minify: true,
    lib: { entry: "index.ts", formats: ["es"], fileName: () => "index.js" },
    rolldownOptions: { external: [/^node:/] },
    reportCompressedSize: false,
  },
});
