/** Labs told with lines on their stage. */
import type { LabId } from "../config/config.js";
import { flowScene, flowStrip } from "../stage/flow.js";
import type { Lab } from "./lab.js";
import { toldWith, type Telling, type Tellings } from "./telling.js";

export const told = <L extends LabId>(lab: Telling<L> | Tellings<L>): Lab<L> =>
  toldWith({ flowScene, flowStrip }, lab);
