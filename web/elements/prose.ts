/**
 * Prose with markup: *Q* is a symbol, *query|W_Q* a symbol in the colour of its role; in a symbol `_` begins
 * a subscript and `^` a superscript. Backquotes enclose code.
 */
import { html, nothing, type TemplateResult } from "lit";

const markup = /\*(?:(\w+)\|)?([^*]+)\*|`([^`]+)`/g;

function symbol(text: string, role: string | undefined): TemplateResult {
  const [base, sub] = text.split("_");
  const [letter, sup] = base!.split("^");
  return html`<i class="symbol" data-role=${role ?? nothing}
    >${letter}${sup ? html`<sup>${sup}</sup>` : nothing}${sub ? html`<sub>${sub}</sub>` : nothing}</i
  >`;
}

export function prose(text: string): (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let from = 0;
  for (const found of text.matchAll(markup)) {
    const [whole, role, letters, code] = found;
    parts.push(text.slice(from, found.index), letters ? symbol(letters, role) : html`<code>${code}</code>`);
    from = found.index + whole.length;
  }
  return [...parts, text.slice(from)];
}

/** The same text without markup, for places that accept only plain text. */
export const plainProse = (text: string): string =>
  text.replaceAll(markup, (_whole, _role, letters: string | undefined, code: string | undefined) =>
    (letters ?? code ?? "").replace(/[_^]/g, ""),
  );
