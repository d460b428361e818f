/** 页面的全部中文。 */
import { zhCN } from "../zh-CN.js";
import { app } from "./app.js";

export const whole = { ...zhCN, ...app };
