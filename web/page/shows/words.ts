/** What this screen shows, said for who does not see it: fetched with the lesson, no part of a frame. */
import type { LabId } from "../../config/config.js";
import { own, type Words } from "../../i18n/words.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export function shows(lab: LabId, words: Words): string {
  const said = own(words, { en, "zh-CN": zhCN });
  return `${said(lab)} ${said("keys")}`;
}
