/** The build functions of the labs that the small part of the core computes, for its worker. Scenes and texts stay on the page. */
import type { NumbersOf } from "../config/config.js";
import type { Graph } from "../core/attention.js";
import type { Core } from "../core/core.js";
import { build as attention } from "./attention/build.js";
import { build as multiHead } from "./multi-head/build.js";
import type { SmallLab } from "./list.js";
import { build as positions } from "./positions/build.js";
import { build as vit } from "./vit/build.js";

export const builds: {
  [L in SmallLab]: (core: Core, graph: Graph, numbers: NumbersOf[L]) => void;
} = { attention, "multi-head": multiHead, positions, vit };
