/** The attention part of the core: attention, positions and patches, what the page opens with. See README.md. */
import createModule from "../../build/core/simd/attention.mjs";
import { Core } from "./core.js";
import { loadPart, type LoadOptions } from "./load.js";
import { attentionFiles } from "./wasm-files.js";

export type { Core } from "./core.js";
export type { Graph } from "./graph.js";
export * from "./exports.js";

const part = { files: attentionFiles, create: createModule, Core };

/** Throws Error when the engine lacks the build asked for, or the file cannot be had or is no core. */
export const load = (options: LoadOptions = {}): Promise<Core> => loadPart(part, options);
