/** The strings of the training lab. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type Say = OwnWords<typeof en>;
export type Key = keyof typeof en;
export const stringsIn = (words: Words): Say => ownStrings(words, { en, "zh-CN": zhCN });
