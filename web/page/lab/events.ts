/**
 * The events that ap-lab dispatches to the page or frame around it; all of them bubble and cross shadow
 * roots.
 */
import type { LabId } from "../../config/config.js";
import type { Cell } from "../../marks/board.js";
import type { ReportedAct } from "../act-reporter.js";

export interface LabEvents {
  "lab-restart": null;
  "lab-act": ReportedAct;
  "lesson-open": null;
  /** The reader has scrolled to a paragraph of the lesson; `anchor` is its place, as in links. Null when the lesson is left. */
  "lesson-read": { anchor: string | null };
  "open-lab": { lab: LabId };
  /** The header dispatches it too. */
  "open-contents": { part: "map" | "search" | "examples" };
  /** The reader opens a state that the lab leads to. */
  "open-state": { hash: string };
  /** The reader goes back from the lesson's line to its place in the lesson. */
  "line-back": null;
  /** The reader asks for the gradient of a cell, or ends it. */
  "reading-gradient": Cell;
  "reading-stop": null;
  /** The reader goes to another step of the story, or leaves it. */
  "story-go": { place: number };
  "story-leave": null;
}

export function dispatch<Name extends keyof LabEvents>(
  from: EventTarget,
  name: Name,
  detail: LabEvents[Name],
): void {
  from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
