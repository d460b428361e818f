/** Loads all strings of the page, in both languages, before they are looked up. */
import { whole as en } from "../web/i18n/en/whole.js";
import { know } from "../web/i18n/words.js";
import { whole as zhCN } from "../web/i18n/zh-CN/whole.js";

know("en", en);
know("zh-CN", zhCN);
