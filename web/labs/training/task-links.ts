/** The tasks of the training lab, each with the link of a run that is known to learn it. */
import { encode } from "../../config/codec.js";
import { presetOf, tasks } from "../../config/labs/training.js";
import type { Words } from "../../i18n/words.js";
import { configOf } from "./config-of.js";
import { stringsIn } from "./strings.js";

/** `name` is what the settings call the task. */
export interface TaskLink {
  title: string;
  name: string;
  link: string;
}

export const taskLinks = (words: Words): TaskLink[] =>
  tasks.map((task) => ({
    title: stringsIn(words)(`title.${task}`),
    name: stringsIn(words)(`task.${task}`),
    link: encode(configOf("training", presetOf({ seed: 7, beside: [] }, task))),
  }));
