/** The attention part of the core: attention, positions and patches, in fewer bytes. See README.md. */
import { exact } from "./arguments.js";
import createModule from "../../build/core/simd/attention.mjs";
import { Core as AttentionCore } from "./core.js";
import { loadPart, type LoadOptions } from "./load.js";
import { ones, tensor, zeros } from "./nested.js";
import { array2string, print } from "./print.js";
import { attentionFiles } from "./wasm-files.js";

export type { Graph } from "./graph.js";
export * from "./exports.js";

/** The loaded core, made by `load()`. */
class Core extends AttentionCore {
  readonly tensor = tensor;
  readonly zeros = zeros;
  readonly ones = ones;
  readonly array2string = array2string;
  readonly print = print;
}
export type { Core };

const part = { files: attentionFiles, create: createModule, Core };

/** Throws Error when the engine lacks the build asked for, when the file cannot be fetched, or when it is no core. */
export const load = exact("load", (options?: LoadOptions): Promise<Core> => loadPart(part, options));
