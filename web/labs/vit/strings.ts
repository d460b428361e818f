/** The strings of the image lab: its own for the encoder and the resized positions, else those of the page. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import { stringsFrom, type StringsIn } from "../../telling/declaration.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type Strings = OwnWords<typeof en>;
export const stringsIn = (words: Words): Strings => ownStrings(words, { en, "zh-CN": zhCN });

const ofPage = stringsFrom("labs.vit.");
/** The strings of the lab, and those of the page for keys that the lab does not have. */
export const labOrPageStringsIn: StringsIn = (words) => {
  const [own, page] = [stringsIn(words), ofPage(words)];
  return Object.assign((key: never, slots = {}) => (own.has(key) ? own : page)(key, slots), {
    has: (key: string) => own.has(key) || page.has(key),
  });
};
