/** The Chinese strings of the stage of any graph. */
import type { en } from "./en.js";

export const zhCN: { [Key in keyof typeof en]: string } = {
  "legend.activation": "激活值共用一个色标",
  "legend.norm": "增益与偏移",
  "legend.parameter": "参数共用一个色标",
  "legend.probability": "概率",
  layer: "第 {n} 层",
  "layer.open": "第 {n} 层，已展开",
  "layer.of": "第 {n} 层，共 {count} 层",
  layers: "{name}：{count} 层，运算相同",
  step: "第 {n} 步",
  "step.open": "第 {n} 步，已展开",
  "step.of": "第 {n} 步，共 {count} 步",
  steps: "{name}：{count} 步，运算相同",
  page: "{at}，共 {sizes} 页",
  sources: "输入与参数",
};
