/** The strings of words in two orders. */
import type { PositionsNumbers } from "../../../config/config.js";
import { ownStrings, type OwnWords, type Words } from "../../../i18n/words.js";
import { en } from "./en.js";
import { zh } from "./zh-CN.js";

export type Key = keyof typeof en;
export type Say = OwnWords<typeof en>;
export const stringsIn = (words: Words): Say => ownStrings(words, { en, "zh-CN": zh });

/** What strings of the two ways to show an order end in. */
export const kindOf = ({ encoding }: PositionsNumbers): "none" | "compare" =>
  encoding === "compare" ? "compare" : "none";
