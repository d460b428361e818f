/** The whole core without the functions that make and print tensors: the page fetches it for the labs that need it. */
import createModule from "../../../build/core/simd/transformer.mjs";
import { loadPart, type LoadOptions } from "../load.js";
import { transformerFiles } from "../wasm-files.js";
import { TransformerCore } from "./core.js";

const part = { files: transformerFiles, create: createModule, Core: TransformerCore };

/** Throws Error in the same cases as load() of the library. */
export const load = (options: LoadOptions): Promise<TransformerCore> => loadPart(part, options);
