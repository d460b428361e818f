/** English. One file per room merges here; keys are "room.thing". */
import { labs } from "./en/labs.js";
import { note } from "./en/note.js";
import { page } from "./en/page.js";
import { reading } from "./en/reading.js";
import { stage } from "./en/stage.js";

export const en = { ...page, ...note, ...labs, ...stage, ...reading } as const;
