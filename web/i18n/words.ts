/** Strings of the page: whole sentences with {slots}, the same keys in both languages. */
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type Language = "en" | "zh-CN";
export type Key = keyof typeof en;

/** Looks a string up and fills its slots. */
export interface Words {
  language: Language;
  (key: Key, slots?: Record<string, string | number>): string;
}

const tables: Record<Language, Record<Key, string>> = { en, "zh-CN": zhCN };

export function wordsIn(language: Language): Words {
  const table = tables[language];
  const words = (key: Key, slots: Record<string, string | number> = {}): string =>
    table[key].replace(/\{(\w+)\}/g, (whole, name: string) => (name in slots ? String(slots[name]) : whole));
  return Object.assign(words, { language });
}

/** The reader's language: what the link says, else what the browser prefers. */
export function preferredLanguage(asked: Language | null, browser: readonly string[]): Language {
  if (asked) return asked;
  return browser[0]?.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}
