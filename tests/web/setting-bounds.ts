// The bounds of a lab's settings, as its table has them.
import type { Range } from "../../web/config/bounds.js";
import type { LabId, NumbersOf } from "../../web/config/config.js";
import { settingsOf } from "../../web/config/labs.js";

const editor = <L extends LabId>(lab: L, key: keyof NumbersOf[L] & string) => {
  const found = settingsOf(lab).editors[key];
  if (!found) throw new Error(`${lab}: ${key} has no bounds of its own`);
  return found;
};

/** The range of a number, or of how many words there are. */
export function rangeOf<L extends LabId>(lab: L, key: keyof NumbersOf[L] & string): Range {
  const found = editor(lab, key);
  if (!("range" in found)) throw new Error(`${lab}: ${key} has no range`);
  return found.range;
}

/** What may be chosen. */
export function optionsOf<L extends LabId, K extends keyof NumbersOf[L] & string>(
  lab: L,
  key: K,
): NonNullable<NumbersOf[L][K]>[] {
  const found = editor(lab, key);
  if (found.kind !== "choice") throw new Error(`${lab}: ${key} is no choice`);
  return [...found.options] as NonNullable<NumbersOf[L][K]>[];
}
