/** Offers all labs, each of which the page fetches when it is first opened. */
import type { Lab } from "../telling/lab.js";
import type { LabId } from "../config/config.js";
import { offerLabs } from "./index.js";

offerLabs(import.meta.glob<{ lab: Lab<LabId> }>(["./*/index.ts", "!./attention/index.ts"]));
