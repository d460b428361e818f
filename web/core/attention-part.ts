/** What the page opens with: the attention part of the core in float64 alone, without what makes and prints tensors. */
import createModule from "../../build/core/simd/opening.mjs";
import { Core } from "./core.js";
import { loadPart, type LoadOptions } from "./load.js";
import { openingFile } from "./wasm-files.js";
import type { CreateModule, WasmModule } from "./wasm.js";

// What it leaves out, replays, no lab asks for.
const create = createModule as unknown as CreateModule<WasmModule>;
const part = { files: { simd: openingFile, relaxed: undefined }, create, Core };

/** Throws as load() of the library does. */
export const load = (options: LoadOptions): Promise<Core> => loadPart(part, options);
