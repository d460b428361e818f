/** The whole core without the functions that make and print tensors: the page fetches it for the labs that need it. */
import createModule from "../../../build/core/simd/transformer.mjs";
import { loadPart, type LoadOptions } from "../load.js";
import { transformerFiles } from "../wasm-files.js";
import { TrainingCore } from "./tasks.js";

const part = { files: transformerFiles, create: createModule, Core: TrainingCore };

/** Throws Error in the same cases as load() of the library. */
export const load = (options: LoadOptions): Promise<TrainingCore> => loadPart(part, options);
