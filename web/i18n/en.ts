/** English. One file per room merges here; keys are "room.thing". */
import { labs } from "./en/labs.js";
import { note } from "./en/note.js";
import { page } from "./en/page.js";

export const en = { ...page, ...note, ...labs } as const;
