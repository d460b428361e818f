/** Where the two builds of the core lie; the library's own build puts them beside its module. */
export const wasmFiles: Record<"simd" | "relaxed", URL> = {
  simd: new URL("../../build/core/simd/core.wasm", import.meta.url),
  relaxed: new URL("../../build/core/relaxed/core.wasm", import.meta.url),
};
