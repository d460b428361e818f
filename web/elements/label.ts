/** Short labels with a subscript: "√d_k" is set as a letter in italics with its index below; "multihead_attn" is a name as it stands. */
import { html, type TemplateResult } from "lit";

export function labelParts(label: string): (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let from = 0;
  for (const found of label.matchAll(/(?<!\p{Script=Latin})(\p{Script=Latin})_(\w+)/gu)) {
    parts.push(label.slice(from, found.index), html`<i>${found[1]}</i><sub>${found[2]}</sub>`);
    from = found.index + found[0].length;
  }
  return [...parts, label.slice(from)];
}

/** The same label for a screen reader. */
export const plainLabel = (label: string): string => label.replaceAll("_", "");
