/** The Valibot schemas of Configs, made from the labs' settings. */
import * as v from "valibot";
import type { ConfigOf, LabId, NumbersOf } from "./config.js";
import { labIds, settingsOf } from "./labs.js";
import { viewEntries } from "./view.js";

const configOf = (lab: LabId) => {
  const numbers = v.strictObject(settingsOf(lab).entries);
  const config = v.strictObject({
    version: v.literal(1, "1"),
    example: v.nullable(
      v.custom<string>(
        (value) => typeof value === "string" && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value),
        "the id of an example",
      ),
    ),
    numbers,
    view: v.strictObject({ lab: v.literal(lab), ...viewEntries, before: v.optional(numbers) }),
  });
  return { numbers, config };
};

const schemas = Object.fromEntries(labIds.map((lab) => [lab, configOf(lab)])) as unknown as {
  readonly [L in LabId]: {
    readonly numbers: v.GenericSchema<NumbersOf[L]>;
    /** The path of an issue names the field. */
    readonly config: v.GenericSchema<ConfigOf<L>>;
  };
};

/** The schemas of a lab's numbers, and of its whole Config. */
export const schemasOf = <L extends LabId>(lab: L): (typeof schemas)[L] => schemas[lab];
