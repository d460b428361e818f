/** Makes a lab whose stage is drawn from lines. */
import type { LabId } from "../config/config.js";
import { flowScene, flowStrip } from "../stage/flow.js";
import { labFrom, type LabDeclaration, type SeveralDeclarations } from "./declaration.js";
import type { Lab } from "./lab.js";

export const declareLab = <L extends LabId>(lab: LabDeclaration<L> | SeveralDeclarations<L>): Lab<L> =>
  labFrom({ flowScene, flowStrip }, lab);
