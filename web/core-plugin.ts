/** How a bundle finds the core's wasm: web/core/wasm-files.ts gives addresses that only the source tree has. */
import type { Plugin } from "vite";

/** "beside": attention-simd.wasm and its like lie beside the bundle. "given": whoever calls load() says where, or gives the bytes. */
export const parts = ["attention", "transformer"];

export function coreFiles(where: "beside" | "given"): Plugin {
  const virtual = "\0core-wasm-files";
  // An address in a constant, for Vite would take new URL("...", import.meta.url) for a file to copy or to inline.
  const beside =
    "const here = import.meta.url;\n" +
    parts
      .map(
        (part) =>
          `export const ${part}Files = { simd: new URL("${part}-simd.wasm", here), relaxed: new URL("${part}-relaxed.wasm", here) };`,
      )
      .join("\n");
  return {
    name: "core-files",
    enforce: "pre",
    resolveId: (id) => (id.endsWith("/wasm-files.js") ? virtual : null),
    load: (id) => {
      if (id !== virtual) return null;
      return where === "beside" ? beside : parts.map((part) => `export const ${part}Files = {};`).join("\n");
    },
    transform(code, id) {
      const part = /\/core\/simd\/(\w+)\.mjs$/.exec(id)?.[1];
      if (part === undefined) return null;
      // The glue is always given its wasm, and this address of it would make Vite inline the file.
      const glue = code.replace(/new URL\("\w+\.wasm",\s*import\.meta\.url\)\.href/, `"${part}.wasm"`);
      if (glue === code) this.error(`${part}.mjs does not look as it did: where does it name its wasm?`);
      return { code: glue, map: null };
    },
  };
}
