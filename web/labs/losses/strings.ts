/** The strings of the losses lab, and the names of its rows and columns. */
import type { LossesNumbers } from "../../config/labs/losses.js";
import { own, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type Say = OwnWords<typeof en>;
export type Key = keyof typeof en;

export const say = (words: Words): Say => own(words, { en, "zh-CN": zhCN });

export const rowNames = ({ targets }: LossesNumbers, said: Say): string[] =>
  targets.map((_, at) => said("row", { n: at }));

/** "1 row", "2 rows": keys end in ".one" or ".many". */
export const counted = (said: Say, key: "rows" | "classes" | "draws", n: number): string =>
  said(key === "classes" ? "classes.many" : `${key}.${n === 1 ? "one" : "many"}`, { n });
