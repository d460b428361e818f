/**
 * Short labels with a subscript: "√d_k" is set as an italic letter with its index below; a longer name such
 * as "multihead_attn" is left as it is.
 */
import { html, type TemplateResult } from "lit";

/** A single letter with its index. */
const INDEXED = /(?<!\p{Script=Latin})(\p{Script=Latin})_(\w+)/gu;

export function labelParts(label: string): (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let from = 0;
  for (const found of label.matchAll(INDEXED)) {
    parts.push(label.slice(from, found.index), html`<i>${found[1]}</i><sub>${found[2]}</sub>`);
    from = found.index + found[0].length;
  }
  return [...parts, label.slice(from)];
}

/** The same label as plain text, for screen readers. */
export const plainLabel = (label: string): string => label.replaceAll(INDEXED, "$1$2");
