/** Loads the strings of one language on demand; each is as large as a small lab. */
import { hasStrings, addStrings, type Language } from "./words.js";

const loaders: Record<Language, () => Promise<void>> = {
  en: async () => addStrings("en", (await import("./en/whole.js")).whole),
  "zh-CN": async () => addStrings("zh-CN", (await import("./zh-CN/whole.js")).whole),
};

/** Resolves once the strings of `language` are loaded; rejects if they cannot be fetched. */
export async function fetchWords(language: Language): Promise<void> {
  if (!hasStrings(language)) await loaders[language]();
}
