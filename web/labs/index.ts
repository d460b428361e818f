/** The labs, by id. */
import type { LabId } from "../config/config.js";
import { attention } from "./attention.js";
import type { Lab } from "./lab.js";
import { multiHead } from "./multi-head.js";
import { positions } from "./positions.js";
import { vit } from "./vit.js";

export const labs: { [L in LabId]: Lab<L> } = { attention, "multi-head": multiHead, positions, vit };

export type * from "./lab.js";
