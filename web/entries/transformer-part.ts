/** Where the whole core lies: a chunk of its own, so that the first load has none of its addresses. */
import wasm from "../../build/core/simd/transformer.wasm?url";
import script from "../../build/page/transformer-worker.js?url";

export const transformerPart = { script, wasm };
