/** What the worker of the whole core needs of the labs: all of them, for it also answers about those of the attention part. */
import type { LabId, NumbersOf } from "../config/config.js";
import type { Graph } from "../core/index.js";
import type { TransformerCore as Core } from "../core/transformer/core.js";
import { build as attention } from "./attention/additive-build.js";
import { build as bert } from "./bert/build.js";
import { build as block } from "./block/build.js";
import { builds } from "./builds.js";
import { build as complexity } from "./complexity/build.js";
import { build as encoderDecoder } from "./encoder-decoder/build.js";
import { build as optimizers } from "./optimizers/build.js";
import { build as losses } from "./losses/build.js";
import { build as scaling } from "./scaling/build.js";
import { build as words } from "./words/build.js";
import { build as vit } from "./vit/encoder/build.js";

export const transformerBuilds: {
  [L in LabId]: (core: Core, graph: Graph, numbers: NumbersOf[L]) => void;
} = {
  ...builds,
  attention,
  vit,
  "encoder-decoder": encoderDecoder,
  optimizers,
  block,
  losses,
  complexity,
  scaling,
  bert,
  words,
};
