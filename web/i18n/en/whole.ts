/** All English strings of the page. */
import { en } from "../en.js";
import { app } from "./app.js";

export const whole = { ...en, ...app };
