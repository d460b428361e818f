/** Texts with both languages side by side, so that neither can lack a sentence. */
import type { Language } from "../i18n/words.js";

/** A sentence in every language. `code` is set in backquotes; *Q* is a symbol, *query|W_Q* a symbol in the colour of its role. */
export type Translations = Readonly<Record<Language, string>>;

/** One text for all languages, or one for each language. */
export type Translated = Translations | string;

export const inLanguage = (text: Translated, language: Language): string =>
  typeof text === "string" ? text : text[language];
