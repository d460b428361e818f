/** The strings of the code for other pages. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type EmbedWords = OwnWords<typeof en>;

export const embedWords = (words: Words): EmbedWords => ownStrings(words, { en, "zh-CN": zhCN });
