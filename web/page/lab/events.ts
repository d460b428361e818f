/** What ap-lab says to the page or frame around it, by the name of its event; all bubble and cross shadow roots. */
import type { LabId } from "../../config/config.js";
import type { Cell } from "../../marks/board.js";
import type { Witnessed } from "../witness.js";

export interface LabEvents {
  "lab-restart": null;
  "lab-act": Witnessed;
  "lesson-open": null;
  "open-lab": { lab: LabId };
  /** The lesson's line was read: back to it. */
  "line-back": null;
  /** The gradient of a cell is asked for, or no longer. */
  "reading-gradient": Cell;
  "reading-stop": null;
  /** Another step of the story is gone to; it is told no more. */
  "story-go": { place: number };
  "story-leave": null;
}

export function tell<Name extends keyof LabEvents>(
  from: EventTarget,
  name: Name,
  detail: LabEvents[Name],
): void {
  from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
