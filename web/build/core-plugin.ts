/** Replaces the addresses of the core's wasm in web/core/wasm-files.ts, which are valid only in the source tree. */
import type { Plugin } from "vite";

/** "beside": attention-simd.wasm and the others lie beside the bundle. "given": the caller of load() gives their address or their bytes. */
export const parts = ["attention", "transformer"];

/**
 * The name that stands for `new URL("...", import.meta.url)` during the build, because Vite would copy the file. In the finished
 * bundle it is that expression again, so that bundlers find the files.
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
      // The glue always gets its wasm from us. Vite would inline the file at this address, and bundlers for browsers fail at Node's modules.
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
