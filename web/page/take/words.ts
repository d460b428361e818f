/** The strings for saving and opening files. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type TakeWords = OwnWords<typeof en>;

export const takeWords = (words: Words): TakeWords => ownStrings(words, { en, "zh-CN": zhCN });
