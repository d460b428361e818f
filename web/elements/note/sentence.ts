/** The sentence of a note for screen readers. */
import { formatNote } from "../../marks/numbers.js";
import type { NoteLine } from "./layout.js";
import { addressText, placeName, plainText, rowName } from "./places.js";
import { ops } from "./rows.js";
import { firstFilled, slotsOf } from "./slots.js";
import type { Context, Slots } from "./slots.js";

/** One sentence: "0.749 = softmax of row word 1 at word 3". */
export function sentenceOf(lines: readonly NoteLine[], operation: string, context: Context): string {
  const { explanation, nodeWords, words, axis } = context;
  const terms = lines.filter((line) => line.role !== "names");
  const wave = explanation.rows.find(({ role }) => role === "sin" || role === "cos")?.role;
  const slots: Slots = {
    ...slotsOf(explanation, explanation.rows[1] ?? explanation.rows[0] ?? { role: "", operands: [] }),
    address: addressText(explanation),
    value: formatNote(explanation.value),
    operation,
    row: rowName(explanation, axis, nodeWords, words),
    column:
      placeName(nodeWords(explanation.node), axis, explanation.index[axis] ?? 0) ??
      String(explanation.index[axis] ?? 0),
    ...(wave && { wave }),
  };
  const of = (line: NoteLine | undefined, label: string, value: string, sign?: string): void => {
    if (!line) return;
    slots[label] = plainText(line.label);
    if (line.cells[0]) slots[value] = line.cells[0].text;
    if (sign && line.sign) slots[sign] = line.sign;
  };
  const runs = terms.find((line) => line.role === "pair");
  of(runs ?? terms[0], "first", "a");
  of(terms[1], "second", "b", "sign");
  const reason = terms.find((line) => line.role === "mask")?.cells[0]?.text;
  if (reason) slots["reason"] = reason;
  const say = ops[explanation.op]?.say;
  return firstFilled([...(say ? [say] : []), "note.say.plain"], slots, words) ?? addressText(explanation);
}
