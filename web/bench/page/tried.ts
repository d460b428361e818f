/** The list of optimizations that were tried and made nothing faster. */
import { html, type TemplateResult } from "lit";
import type { BenchWords } from "./wording.js";

const attempts = ["tried.packing", "tried.tiles", "tried.builder", "tried.lzma", "tried.plain"] as const;

export const triedList = (words: BenchWords): TemplateResult =>
  html`<section aria-labelledby="tried">
    <h2 id="tried">${words("tried.title")}</h2>
    <ul class="tried">
      ${attempts.map((attempt) => html`<li>${words(attempt)}</li>`)}
    </ul>
  </section>`;
