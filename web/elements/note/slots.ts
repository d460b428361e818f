/** The slots that the note's wordings may contain: the numbers of an explanation as short text, by name. */
import type { Explanation } from "../../core/attention.js";
import type { Key, Words } from "../../i18n/words.js";
import { formatNote } from "../../marks/numbers.js";
import type { NodeWordsOf } from "./places.js";

export type Row = Explanation["rows"][number];
export type Slots = Record<string, string>;

/** The values that the parts of a note are made from. */
export interface Context {
  explanation: Explanation;
  nodeWords: NodeWordsOf;
  words: Words;
  slots: Slots;
  /** Index of the explained cell's term among the operands of a slice; -1 for none. */
  own: number;
  axis: number;
}

/** A square root is written as such, √3, unless it is a whole number. */
function amountText(value: number, rootOf: number | undefined): string {
  return rootOf === undefined || Number.isInteger(value) ? formatNote(value) : `√${rootOf}`;
}

function firstValue(row: Row): number | undefined {
  return row.operands[0]?.value ?? row.value;
}

/** The slots for a row: its value, its operands v0, v1, …, other rows by role, attributes by name. */
export function slotsOf(explanation: Explanation, row: Row): Slots {
  const slots: Slots = {};
  for (const [name, value] of Object.entries(explanation.attributes)) {
    if (typeof value === "number") slots[name] = formatNote(value);
    if (typeof value === "string") slots[name] = value;
  }
  for (const other of explanation.rows) {
    const value = other.value ?? other.operands[0]?.value;
    if (value !== undefined) slots[other.role] = formatNote(value);
  }
  row.operands.forEach((operand, place) => (slots[`v${place}`] = formatNote(operand.value)));
  if (row.value !== undefined) slots["value"] = formatNote(row.value);
  const amount = firstValue(row);
  if (amount !== undefined) slots["amount"] = amountText(amount, row.operands[0]?.rootOf);
  return slots;
}

/** The text of the first of `keys` whose slots are all known. */
export function firstFilled(keys: readonly Key[], slots: Slots, words: Words): string | undefined {
  const known = (key: Key) =>
    [...words(key).matchAll(/\{(\w+)\}/g)].every(([, name]) => name !== undefined && name in slots);
  const key = keys.find(known);
  return key && words(key, slots);
}
