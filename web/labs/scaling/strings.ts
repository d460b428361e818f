/** The strings of the scaling lab, and the names of its rows and columns. */
import { own, type OwnWords, type Words } from "../../i18n/words.js";
import { WIDTHS } from "./build.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type Say = OwnWords<typeof en>;
export type Key = keyof typeof en;

export const say = (words: Words): Say => own(words, { en, "zh-CN": zhCN });

export const widthNames = (said: Say): string[] => WIDTHS.map((width) => said("width", { n: width }));

export const keyNames = (said: Say, keys: number): string[] =>
  Array.from({ length: keys }, (_, at) => said("key", { n: at }));
