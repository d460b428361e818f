/** How a bundle finds the core's wasm: web/core/wasm-files.ts gives addresses that only the source tree has. */
import type { Plugin } from "vite";

/** "beside": core-simd.wasm and core-relaxed.wasm lie beside the bundle. "given": whoever calls load() says where, or gives the bytes. */
export function coreFiles(where: "beside" | "given"): Plugin {
  const virtual = "\0core-wasm-files";
  // An address in a constant, for Vite would take new URL("...", import.meta.url) for a file to copy or to inline.
  const beside =
    "const here = import.meta.url;\n" +
    'export const wasmFiles = { simd: new URL("core-simd.wasm", here), relaxed: new URL("core-relaxed.wasm", here) };';
  return {
    name: "core-files",
    enforce: "pre",
    resolveId: (id) => (id.endsWith("/wasm-files.js") ? virtual : null),
    load: (id) => {
      if (id !== virtual) return null;
      return where === "beside"
        ? beside
        : "export const wasmFiles = { simd: undefined, relaxed: undefined };";
    },
    transform(code, id) {
      if (!/\/core\/simd\/core\.mjs$/.test(id)) return null;
      // The glue is always given its wasm, and this address of it would make Vite inline the file.
      const glue = code.replace(/new URL\("core\.wasm",\s*import\.meta\.url\)\.href/, '"core.wasm"');
      if (glue === code) this.error("core.mjs does not look as it did: where does it name core.wasm?");
      return { code: glue, map: null };
    },
  };
}
