/** The English strings that frames contain, merged from one file per room. Keys are "room.thing". */
import { expected } from "./en/expected.js";
import { labs } from "./en/labs.js";
import { note } from "./en/note.js";
import { page } from "./en/page.js";
import { reading } from "./en/reading.js";
import { stage } from "./en/stage.js";

export const en = { ...page, ...expected, ...note, ...labs, ...stage, ...reading } as const;
