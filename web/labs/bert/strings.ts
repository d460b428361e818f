/** The strings of the BERT lab. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zh } from "./zh-CN.js";

export type Say = OwnWords<typeof en>;
export const stringsIn = (words: Words): Say => ownStrings(words, { en, "zh-CN": zh });
