/** The behaviour that a lab has on the page only, not in a frame or as an element elsewhere. */
import type { ApLab } from "../lab-view.js";
import { pageStyle } from "./page-style.js";
import { LabPrint } from "./print.js";
import { LessonStage } from "./lesson-stage.js";

export function onPage(lab: ApLab): LessonStage {
  const { renderRoot } = lab;
  const { styleSheet } = pageStyle;
  if (styleSheet && renderRoot instanceof ShadowRoot && !renderRoot.adoptedStyleSheets.includes(styleSheet))
    renderRoot.adoptedStyleSheets = [...renderRoot.adoptedStyleSheets, styleSheet];
  new LabPrint(lab);
  return new LessonStage(lab);
}
