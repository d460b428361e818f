/** The core that the page opens with: the attention part in float64 only, without the functions that make and print tensors. */
import createModule from "../../build/core/simd/opening.mjs";
import { Core } from "./core.js";
import { loadPart, type LoadOptions } from "./load.js";
import { openingFile } from "./wasm-files.js";
import type { CreateModule, WasmModule } from "./wasm.js";

// Replays are left out: no lab uses them.
const create = createModule as unknown as CreateModule<WasmModule>;
const part = { files: { simd: openingFile, relaxed: undefined }, create, Core };

/** Throws Error in the same cases as load() of the library. */
export const load = (options: LoadOptions): Promise<Core> => loadPart(part, options);
