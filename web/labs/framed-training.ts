/** Adds the lab of the frame that trains. */
import { addLabs } from "./index.js";
import { lab as training } from "./training/index.js";

addLabs({ "./training/index.ts": training });
