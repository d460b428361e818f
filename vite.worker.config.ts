/** The worker as one classic script: it starts from a file and from a Blob, in every engine and in a sandboxed frame. */
import { defineConfig, type Plugin } from "vite";

/** The page hands the worker the bytes of the wasm, so its own files are left out. */
function bytesOnly(): Plugin {
  return {
    name: "bytes-only",
    enforce: "pre",
    resolveId: (source) => (source.endsWith("/wasm-files.js") ? "\0wasm-files" : null),
    load: (id) => (id === "\0wasm-files" ? `export const wasmFiles = { simd: "", relaxed: "" };` : null),
  };
}

export default defineConfig({
  root: "web",
  define: { "process.env.NODE_ENV": '"production"' },
  publicDir: false,
  plugins: [bytesOnly()],
  build: {
    outDir: "../build/page",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "worker.ts", formats: ["iife"], name: "attentionWorker", fileName: () => "worker.js" },
    reportCompressedSize: false,
  },
});
