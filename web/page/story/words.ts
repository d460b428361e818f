/** The strings of the story editor. */
import { own, type OwnWords, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type StoryWords = OwnWords<typeof en>;

export const storyWords = (words: Words): StoryWords => own(words, { en, "zh-CN": zhCN });
