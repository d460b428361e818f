/**
 * The build functions of all labs but the one that trains, which frames do not contain. The whole core can also compute the labs of the
 * small part.
 */
import type { LabId, NumbersOf } from "../config/config.js";
import type { Graph } from "../core/index.js";
import type { TransformerCore as Core } from "../core/transformer/core.js";
import { build as attention } from "./attention/whole-build.js";
import { buildWhole as vit } from "./vit/build.js";

type Build<L extends LabId> = (core: Core, graph: Graph, numbers: NumbersOf[L]) => void | (() => void);

const files = import.meta.glob<Build<LabId>>(["./*/build.ts", "!./training/build.ts"], {
  eager: true,
  import: "build",
});
const all = Object.entries(files).map(([file, build]) => [file.split("/")[1], build]);

export const transformerBuilds = {
  ...Object.fromEntries(all),
  // These labs have settings that the small part of the core cannot compute.
  attention,
  vit,
} as { [L in Exclude<LabId, "training">]: Build<L> };
