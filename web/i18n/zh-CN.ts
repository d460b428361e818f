/** 简体中文。键与英文相同。 */
import type { en } from "./en.js";
import { expected } from "./zh-CN/expected.js";
import { labs } from "./zh-CN/labs.js";
import { note } from "./zh-CN/note.js";
import { page } from "./zh-CN/page.js";
import { reading } from "./zh-CN/reading.js";
import { stage } from "./zh-CN/stage.js";

export const zhCN: Record<keyof typeof en, string> = {
  ...page,
  ...expected,
  ...note,
  ...labs,
  ...stage,
  ...reading,
};
