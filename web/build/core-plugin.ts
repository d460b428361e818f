/** How a bundle finds the core's wasm: web/core/wasm-files.ts gives addresses that only the source tree has. */
import type { Plugin } from "vite";

/** "beside": attention-simd.wasm and its like lie beside the bundle. "given": whoever calls load() says where, or gives the bytes. */
export const parts = ["attention", "transformer"];

/**
 * The address of the module, under another name until it is built: of new URL("...", import.meta.url) Vite would make a copy here. In what is
 * built it is what bundlers look for, so that they take the files along.
 */
const own = "coreModuleAddress";

export function coreFiles(where: "beside" | "given"): Plugin {
  const virtual = "\0core-wasm-files";
  const beside = parts
    .map(
      (part) =>
        `export const ${part}Files = { simd: new URL("${part}-simd.wasm", ${own}), relaxed: new URL("${part}-relaxed.wasm", ${own}) };`,
    )
    .join("\n");
  return {
    name: "core-files",
    enforce: "pre",
    resolveId: (id) => (id.endsWith("/wasm-files.js") ? virtual : null),
    load: (id) => {
      if (id !== virtual) return null;
      if (where === "beside") return beside;
      return [
        "export const openingFile = undefined;",
        ...parts.map((part) => `export const ${part}Files = {};`),
      ].join("\n");
    },
    transform(code, id) {
      const part = /\/core\/simd\/(\w+)\.mjs$/.exec(id)?.[1];
      if (part === undefined) return null;
      // The glue is always given its wasm. This address of it would make Vite inline the file, and bundlers for browsers fail at Node's modules.
      const glue = code
        .replace(/new URL\("\w+\.wasm",\s*import\.meta\.url\)\.href/, `"${part}.wasm"`)
        .replace(/var ENVIRONMENT_IS_NODE\s*=[^;]*;/, "")
        .replaceAll("ENVIRONMENT_IS_NODE", "false");
      if (!code.includes("var ENVIRONMENT_IS_NODE") || glue.includes(`URL("${part}.wasm"`))
        this.error(
          `${part}.mjs does not look as it did: where does it name its wasm, where does it ask for Node?`,
        );
      return { code: glue, map: null };
    },
    renderChunk: (code) => ({ code: code.replaceAll(own, "import.meta.url"), map: null }),
  };
}
