/** What a lab's own Config file tells: checks, rules, fields of links, leaves that can be edited. */
import type { GenericSchema } from "valibot";
import type { Edit } from "../config.js";
import type { Field } from "../field.js";
import type { Leaves } from "../cells.js";
import type { Rule } from "../rule.js";

export interface LabConfig<N extends { edits: Edit[] }> {
  entries: { readonly [K in keyof N]: GenericSchema<N[K]> };
  rules: Rule<N>[];
  /** In the order of links; an `absent` may look at the fields before its own. */
  fields: readonly Field<N>[];
  leaves(numbers: N): Leaves;
}
