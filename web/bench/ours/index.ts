/** Every work on our core, through what web/core offers to anyone. */
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
