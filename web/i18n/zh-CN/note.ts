/** 简体中文：算式卡。 */
export const note = {
  "note.copy": "复制完整数值",
} as const;
