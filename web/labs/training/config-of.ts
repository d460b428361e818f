/** States of labs that links open. */
import type { Config, ConfigOf, LabId, NumbersOf } from "../../config/config.js";
import { defaults } from "../../config/defaults.js";

/** The state of a lab with these numbers and the defaults of the others, at a cell. */
export function configOf<L extends LabId>(
  lab: L,
  numbers: Partial<NumbersOf[L]>,
  cell: Config["view"]["cell"] = null,
): Config {
  const base = defaults(lab);
  const config: ConfigOf<L> = {
    ...base,
    example: null,
    numbers: { ...base.numbers, ...numbers },
    view: { ...base.view, cell },
  };
  return config as unknown as Config;
}
