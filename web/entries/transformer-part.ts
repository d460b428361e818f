/** The addresses of the whole core: a chunk of its own, so that the first load does not contain them. */
import wasm from "../../build/core/simd/transformer.wasm?url";
import script from "../../build/page/transformer-worker.js?url";

export const transformerPart = { script, wasm };
