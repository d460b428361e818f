/** Loads all strings of the page, in both languages, before they are looked up. */
import { whole as en } from "../web/i18n/en/whole.js";
import { addStrings } from "../web/i18n/words.js";
import { whole as zhCN } from "../web/i18n/zh-CN/whole.js";

addStrings("en", en);
addStrings("zh-CN", zhCN);
