/** What the worker needs of the labs: from numbers to a graph. Scenes and words stay on the page. */
import type { Core, Graph } from "../core/attention.js";
import type { LabId, NumbersOf } from "../config/config.js";
import { build as attention } from "./attention.js";
import { build as multiHead } from "./multi-head.js";
import { build as positions } from "./positions.js";
import { build as vit } from "./vit.js";

export const builds: { [L in LabId]: (core: Core, graph: Graph, numbers: NumbersOf[L]) => void } = {
  attention,
  "multi-head": multiHead,
  positions,
  vit,
};
