/** The part of the core that frames and elements contain: everything that any lab computes with. */
import createModule from "../../build/core/simd/labs.mjs";
import { loadPart, type LoadOptions } from "./load.js";
import { TransformerCore as Core } from "./transformer/core.js";
import type { TransformerModule } from "./transformer/wasm.js";
import type { CreateModule } from "./wasm.js";

// Programs and files are left out: no lab uses them.
const create = createModule as unknown as CreateModule<TransformerModule>;
const part = { files: { simd: undefined, relaxed: undefined }, create, Core };

/** `wasm` is the address of the module. Throws Error in the same cases as load() of the core. */
export const loadLabs = (options: LoadOptions): Promise<Core> => loadPart(part, options);
