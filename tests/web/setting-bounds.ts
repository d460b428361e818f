// The bounds of a lab's settings, from its table.
import type { Range } from "../../web/config/bounds.js";
import type { LabId, NumbersOf } from "../../web/config/config.js";
import { settingsOf } from "../../web/config/labs.js";

const editor = <L extends LabId>(lab: L, key: keyof NumbersOf[L] & string) => {
  const found = settingsOf(lab).editors[key];
  if (!found) throw new Error(`${lab}: ${key} has no bounds of its own`);
  return found;
};

/** The range of a number, or of the number of words. */
export function rangeOf<L extends LabId>(lab: L, key: keyof NumbersOf[L] & string): Range {
  const found = editor(lab, key);
  if (!("range" in found)) throw new Error(`${lab}: ${key} has no range`);
  return found.range;
}

/** The options of a setting. */
export function optionsOf<L extends LabId, K extends keyof NumbersOf[L] & string>(
  lab: L,
  key: K,
): NonNullable<NumbersOf[L][K]>[] {
  const found = editor(lab, key);
  if (found.kind !== "choice") throw new Error(`${lab}: ${key} is no choice`);
  return [...found.options] as NonNullable<NumbersOf[L][K]>[];
}
