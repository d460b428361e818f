/** A worker as one classic script: it starts from a file and from a Blob, in every engine and in a sandboxed frame. */
import { defineConfig } from "vite";
import { coreFiles } from "./web/core-plugin.js";

export function workerScript(name: string) {
  return defineConfig({
    root: "web",
    define: { "process.env.NODE_ENV": '"production"' },
    publicDir: false,
    plugins: [coreFiles("given")],
    build: {
      outDir: "../build/page",
      emptyOutDir: false,
      target: "es2022",
      lib: {
        entry: `${name}.ts`,
        formats: ["iife"],
        name: "attentionWorker",
        fileName: () => `${name}.js`,
      },
      reportCompressedSize: false,
    },
  });
}

export default workerScript("worker");
