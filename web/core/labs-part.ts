/** The part of the core that frames and elements carry: what every lab computes with. */
import createModule from "../../build/core/simd/labs.mjs";
import { loadPart, type LoadOptions } from "./load.js";
import { TransformerCore as Core } from "./transformer/core.js";
import type { TransformerModule } from "./transformer/wasm.js";
import type { CreateModule } from "./wasm.js";

// What this part leaves out of the whole core, programs and files, no lab asks for.
const create = createModule as unknown as CreateModule<TransformerModule>;
const part = { files: { simd: undefined, relaxed: undefined }, create, Core };

/** `wasm` says where it is. Throws as load() of the core does. */
export const loadLabs = (options: LoadOptions): Promise<Core> => loadPart(part, options);
