/** 页面的全部中文文字。 */
import { zhCN } from "../zh-CN.js";
import { app } from "./app.js";

export const whole = { ...zhCN, ...app };
