/** The strings of both languages, for what is one file: frames, elements, the benchmark. */
import { en } from "./en.js";
import { know } from "./words.js";
import { zhCN } from "./zh-CN.js";

know("en", en);
know("zh-CN", zhCN);
