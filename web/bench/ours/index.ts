/** Every task in our core, through the public interface of web/core. */
import type { Core } from "../../core/index.js";
import type { Makers } from "../works.js";
import { greedyDecoding } from "./decoding.js";
import { forward } from "./forward.js";
import { trainingStep } from "./learning.js";

export const makersOf = (core: Core): Makers => ({
  ...forward(core),
  training: (sizes) => trainingStep(core, sizes),
  decoding: (sizes) => greedyDecoding(core, sizes),
});
