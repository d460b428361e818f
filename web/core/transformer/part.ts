/** The whole core without what makes and prints tensors: what the page fetches for the labs that need it. */
import createModule from "../../../build/core/simd/transformer.mjs";
import { loadPart, type LoadOptions } from "../load.js";
import { transformerFiles } from "../wasm-files.js";
import { TransformerCore } from "./core.js";

const part = { files: transformerFiles, create: createModule, Core: TransformerCore };

/** Throws as load() of the library does. */
export const load = (options: LoadOptions): Promise<TransformerCore> => loadPart(part, options);
