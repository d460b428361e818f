/** The worker as one classic script: it starts from a file and from a Blob, in every engine and in a sandboxed frame. */
import { defineConfig } from "vite";
import { coreFiles } from "./web/core-plugin.js";

export default defineConfig({
  root: "web",
  define: { "process.env.NODE_ENV": '"production"' },
  publicDir: false,
  plugins: [coreFiles("given")],
  build: {
    outDir: "../build/page",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "worker.ts", formats: ["iife"], name: "attentionWorker", fileName: () => "worker.js" },
    reportCompressedSize: false,
  },
});
