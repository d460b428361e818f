/**
 * Adds the labs of the frame and of elements: all but the one that trains, which has a frame of its own (framed-training.ts). They are
 * imported at once, because a script that is one file gains nothing from a later import, and the bundler would wrap every module in a
 * function and keep what no module uses.
 */
import type { Lab } from "../telling/lab.js";
import type { LabId } from "../config/config.js";
import { addLabs } from "./index.js";

addLabs(
  import.meta.glob<Lab<LabId>>(["./*/index.ts", "!./training/index.ts"], { eager: true, import: "lab" }),
);
