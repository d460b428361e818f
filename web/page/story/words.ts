/** The strings of the story editor. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type StoryWords = OwnWords<typeof en>;

export const storyWords = (words: Words): StoryWords => ownStrings(words, { en, "zh-CN": zhCN });
