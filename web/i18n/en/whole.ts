/** All that the page says in English. */
import { en } from "../en.js";
import { app } from "./app.js";

export const whole = { ...en, ...app };
