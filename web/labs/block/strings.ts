/** The strings of the block lab. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zh } from "./zh-CN.js";

export type Strings = OwnWords<typeof en>;
export const stringsIn = (words: Words): Strings => ownStrings(words, { en, "zh-CN": zh });
