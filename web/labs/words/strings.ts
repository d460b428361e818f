/** The strings of the words lab. */
import { own, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type OwnKey = keyof typeof en;
export const said = (words: Words) => own(words, { en, "zh-CN": zhCN });
