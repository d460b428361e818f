/** The attention part of the core without what makes and prints tensors: what the page opens with. */
import createModule from "../../build/core/simd/attention.mjs";
import { Core } from "./core.js";
import { loadPart, type LoadOptions } from "./load.js";
import { attentionFiles } from "./wasm-files.js";

const part = { files: attentionFiles, create: createModule, Core };

/** Throws as load() of the library does. */
export const load = (options: LoadOptions): Promise<Core> => loadPart(part, options);
