/** What a lab does on the page only, not in a frame or as an element elsewhere. */
import type { ApLab } from "../lab-view.js";
import { LabPaper } from "./paper.js";
import { LabSight } from "./sight.js";

export function onPage(lab: ApLab): LabSight {
  new LabPaper(lab);
  return new LabSight(lab);
}
