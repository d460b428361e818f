/**
 * The text that the note's copy button puts on the clipboard: every number in full, as JSON or as NumPy
 * prints it.
 */
import type { Explanation } from "../../core/attention.js";
import { isGradientNote } from "../../marks/gradient-reading.js";
import { addressText } from "./places.js";
import { rowWording } from "./rows.js";
import { numpyArray, numpyScalar } from "./numpy-text.js";

export type CopyForm = "json" | "numpy";

/** JSON has no NaN and no infinity: they become the strings "NaN", "Infinity", "-Infinity". */
function asJson(explanation: Explanation): string {
  const { node, op, index, value, rows } = explanation;
  const { of, uses } = isGradientNote(explanation) ? explanation : {};
  return JSON.stringify(
    { node, index, op, of, value, ...(uses ? { uses } : { rows }) },
    (_key, item: unknown) => (typeof item === "number" && !Number.isFinite(item) ? String(item) : item),
    2,
  );
}

function asNumpy(explanation: Explanation): string {
  const rows = explanation.rows.flatMap(({ role, operands, rest, value }) => {
    const values = operands.map((operand) => operand.value);
    const results = value === undefined ? [] : [numpyScalar(value)];
    if (values.length === 0) return results.length > 0 ? [`${role}: ${results[0]}`] : [];
    const first = values[0];
    const terms =
      values.length === 1 && !rest && first !== undefined
        ? numpyScalar(first)
        : numpyArray(
            values,
            rest && (rowWording(explanation.op, role).show === "slice" ? values.length : values.length - 1),
          );
    return [`${role}: ${[terms, ...results.filter((result) => result !== terms)].join(" -> ")}`];
  });
  const address = addressText({ ...explanation, ...(isGradientNote(explanation) && { gradient: true }) });
  return [`${address} = ${numpyScalar(explanation.value)}`, ...rows].join("\n");
}

export function copyText(explanation: Explanation, form: CopyForm): string {
  return form === "json" ? asJson(explanation) : asNumpy(explanation);
}

/**
 * Puts text on the clipboard; where the API is refused, as in some frames, through a selection. Resolves to
 * whether it worked.
 */
export async function putOnClipboard(text: string, near: Node): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.readOnly = true;
    area.ariaHidden = "true";
    area.style.position = "fixed";
    area.style.opacity = "0";
    near.appendChild(area);
    area.select();
    try {
      return document.execCommand("copy");
    } finally {
      area.remove();
    }
  }
}
