/** The Config that a lab opens with in version 1 of links: its first example. It never changes. */
import { exampleById } from "../examples/index.js";
import type { ConfigOf, LabId } from "./config.js";
import { labIds, settingsOf } from "./labs.js";

/** The first example of each lab. */
export const firstExamples = Object.fromEntries(
  labIds.map((lab) => [lab, settingsOf(lab).first]),
) as Readonly<Record<LabId, string>>;

/** A copy of the Config that a lab opens with; the caller may change it. */
export function defaults<L extends LabId>(lab: L): ConfigOf<L> {
  const example = exampleById(firstExamples[lab]);
  if (!example || example.config.view.lab !== lab) throw new Error(`no first example of ${lab}`);
  return structuredClone(example.config) as ConfigOf<L>;
}
