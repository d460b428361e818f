/** Offers all labs: the page contains the one with which it opens, and fetches each of the others when it is first opened. */
import type { Lab } from "../telling/lab.js";
import type { LabId } from "../config/config.js";
import { lab as attention } from "./attention/index.js";
import { addLabs, offerLabs } from "./index.js";

addLabs({ "./attention/index.ts": attention });
offerLabs(import.meta.glob<{ lab: Lab<LabId> }>(["./*/index.ts", "!./attention/index.ts"]));
