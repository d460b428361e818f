/** The address of the wasm of each part. The library's own build puts the wasm of its two parts beside its modules. */
import type { Build } from "./load.js";

export const openingFile = new URL("../../build/core/simd/opening.wasm", import.meta.url);

export const attentionFiles: Record<Build, URL> = {
  simd: new URL("../../build/core/simd/attention.wasm", import.meta.url),
  relaxed: new URL("../../build/core/relaxed/attention.wasm", import.meta.url),
};
export const transformerFiles: Record<Build, URL> = {
  simd: new URL("../../build/core/simd/transformer.wasm", import.meta.url),
  relaxed: new URL("../../build/core/relaxed/transformer.wasm", import.meta.url),
};
