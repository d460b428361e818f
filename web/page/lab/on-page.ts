/** The behaviour that a lab has on the page only, not in a frame or as an element elsewhere. */
import type { ApLab } from "../lab-view.js";
import { pageStyle } from "./page-style.js";
import { LabPaper } from "./paper.js";
import { LabSight } from "./sight.js";

export function onPage(lab: ApLab): LabSight {
  const { renderRoot } = lab;
  const { styleSheet } = pageStyle;
  if (styleSheet && renderRoot instanceof ShadowRoot && !renderRoot.adoptedStyleSheets.includes(styleSheet))
    renderRoot.adoptedStyleSheets = [...renderRoot.adoptedStyleSheets, styleSheet];
  new LabPaper(lab);
  return new LabSight(lab);
}
