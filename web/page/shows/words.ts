/**
 * A description of what a lab shows, for readers who cannot see it. It is fetched with the lesson and is not
 * part of frames.
 */
import type { LabId } from "../../config/config.js";
import { ownStrings, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export function descriptionOf(lab: LabId, words: Words): string {
  const text = ownStrings(words, { en, "zh-CN": zhCN });
  return `${text(lab)} ${text("keys")}`;
}
