/** The labs, by id. */
import type { LabId } from "../config/config.js";
import { attention } from "./attention.js";
import type { Lab } from "./lab.js";

export const labs: { [L in LabId]: Lab<L> } = { attention } as { [L in LabId]: Lab<L> };

export type * from "./lab.js";
