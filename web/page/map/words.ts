/** The strings of the map and of the search. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type MapWords = OwnWords<typeof en>;

export const mapWords = (words: Words): MapWords => ownStrings(words, { en, "zh-CN": zhCN });
