/** Loads the strings of both languages, for pages in a single file: frames, elements, the benchmark. */
import { en } from "./en.js";
import { addStrings } from "./words.js";
import { zhCN } from "./zh-CN.js";

addStrings("en", en);
addStrings("zh-CN", zhCN);
