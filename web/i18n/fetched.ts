/** The strings of one language, fetched by the page: each is as large as a small lab. */
import { isKnown, know, type Language } from "./words.js";

const fetching: Record<Language, () => Promise<void>> = {
  en: async () => know("en", (await import("./en/whole.js")).whole),
  "zh-CN": async () => know("zh-CN", (await import("./zh-CN/whole.js")).whole),
};

/** Resolves once the strings of `language` are known; rejects where they could not be had. */
export async function fetchWords(language: Language): Promise<void> {
  if (!isKnown(language)) await fetching[language]();
}
