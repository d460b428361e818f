/** A Config field by field: plain texts, comparison, and the text that the checksum covers. */
import type { Config, LabId, NumbersOf } from "./config.js";
import type { Form } from "./forms.js";
import { settingsOf } from "./labs.js";
import { viewFields } from "./view.js";

/** The prefix of the fields that hold the numbers of a comparison. */
export const beforePrefix = "before.";

/** A field whose key is not known at compile time. */
export interface LooseField {
  key: string;
  name: string;
  form: Form<unknown>;
  absent: (now: unknown, base: unknown) => unknown;
  isEarly: boolean;
}
export type Values = Record<string, unknown>;
export const numberFields = (lab: LabId): readonly LooseField[] =>
  settingsOf(lab).fields as unknown as readonly LooseField[];
/** The same fields for the numbers that a state is compared with. */
export const beforeFields = (lab: LabId): readonly LooseField[] =>
  numberFields(lab).map((field) => ({ ...field, name: beforePrefix + field.name }));
export const lookedFields = viewFields as unknown as readonly LooseField[];
/** Fields in the order in which a link has them and is read: first those on which the absent values of others depend. */
export const readingOrder = (list: readonly LooseField[]): readonly LooseField[] => [
  ...list.filter(({ isEarly }) => isEarly),
  ...list.filter(({ isEarly }) => !isEarly),
];
export const valuesOf = (part: object): Values => part as Values;

export const plainsOf = (list: readonly LooseField[], values: Values): Map<string, string> =>
  new Map(list.map(({ key, form }) => [key, form.plain(values[key])]));

/** Whether other numbers of the same lab have the same plain texts. */
export const sameNumbers = (lab: LabId, plains: Map<string, string>, other: NumbersOf[LabId]): boolean =>
  numberFields(lab).every(({ key, form }) => form.plain(valuesOf(other)[key]) === plains.get(key));

/**
 * The text that the checksum covers: every field of the state in order, as plain text. A field that was added to version 1 later is included
 * only if it differs from the value that its absence means, so older checksums stay valid.
 */
export function stateText(config: Config): string {
  const { lab, before } = config.view;
  const parts = [`v=1`, `lab=${lab}`, `ex=${config.example ?? "none"}`];
  const add = (list: readonly LooseField[], of: object): void => {
    for (const { key, name, form } of list) {
      const value = valuesOf(of)[key];
      if (value !== undefined) parts.push(`${name}=${form.plain(value)}`);
    }
  };
  add(numberFields(lab), config.numbers);
  add(lookedFields, config.view);
  if (before) add(beforeFields(lab), before);
  return parts.join("&");
}
