/** The strings of words in two orders. */
import type { PositionsNumbers } from "../../../config/config.js";
import { ownStrings, type OwnWords, type Words } from "../../../i18n/words.js";
import { en } from "./en.js";
import { zh } from "./zh-CN.js";

export type Key = keyof typeof en;
export type Strings = OwnWords<typeof en>;
export const stringsIn = (words: Words): Strings => ownStrings(words, { en, "zh-CN": zh });

/** The last part of string keys that differ between words without an encoding and the comparison of encodings. */
export const kindOf = ({ encoding }: PositionsNumbers): "none" | "compare" =>
  encoding === "compare" ? "compare" : "none";
