/** The page's strings: whole sentences with {slots}, with the same keys in both languages. */
import type { en } from "./en.js";
import type { app } from "./en/app.js";

export type Language = "en" | "zh-CN";
/** A key of the page's strings. Those of `app` are not part of frames, so code of frames must not use them (tests/web/i18n.test.ts). */
export type Key = keyof typeof en | keyof typeof app;

export type Slots = Record<string, string | number>;

/** Looks up a string and fills its slots. */
export interface Words {
  language: Language;
  (key: Key, slots?: Slots): string;
  /** Whether there is a string with this key. */
  has(key: string): key is Key;
}

type Table = Readonly<Record<Key, string>>;
export type FrameTable = Pick<Table, keyof typeof en>;

const tables = new Map<Language, FrameTable & Partial<Table>>();

/** Adds the strings of a language. The page loads one language (fetched.ts); pages in a single file contain both (both.ts). */
export function addStrings(language: Language, table: FrameTable | Table): void {
  tables.set(language, table);
}

export const hasStrings = (language: Language): boolean => tables.has(language);

const BORDER =
  /\p{sc=Han}\n[\p{sc=Latn}\p{sc=Grek}\d√−∞<>[\]]|[\p{sc=Latn}\p{sc=Grek}\d√−∞<>[\]]\n\p{sc=Han}/u;

/** The space that Chinese typography sets between Chinese characters and Latin letters or digits, for where a slot's value meets the sentence. */
export function spaceBetween(before: string, after: string): string {
  // A character takes at most two of a string's units.
  return BORDER.test(`${before.slice(-2)}\n${after.slice(0, 2)}`) ? " " : "";
}

/** Fills the slots of a template. A slot without a value is left as it is. */
export function fillSlots(template: string, slots: Slots = {}): string {
  return template.split(/\{(\w+)\}/).reduce((text, part, place) => {
    const next = place % 2 ? String(slots[part] ?? `{${part}}`) : part;
    return text + spaceBetween(text, next) + next;
  });
}

/** The strings of a language. Throws Error if they are not loaded. */
export function wordsIn(language: Language): Words {
  const table = tables.get(language);
  if (!table) throw new Error(`the strings of ${language} are not loaded`);
  const words = (key: Key, slots?: Slots): string => fillSlots(table[key]!, slots);
  const has = (key: string): key is Key => Object.hasOwn(table, key);
  return Object.assign(words, { language, has });
}

/** The strings of any loaded language, for callers that do not show the texts. */
export const anyWords = (): Words => wordsIn(hasStrings("en") ? "en" : "zh-CN");

/** Looks up a string of a lab's own, which is loaded with the lab. */
export interface OwnWords<Table> {
  (key: keyof Table, slots?: Slots): string;
  has(key: string): key is keyof Table & string;
}

/** The strings of a lab or a part of the page, in the language of `words`. */
export function ownStrings<Table extends Record<string, string>>(
  words: Words,
  tables: { en: Table; "zh-CN": { [K in keyof Table]: string } },
): OwnWords<Table> {
  const table: { [K in keyof Table]: string } = tables[words.language];
  const has = (key: string): key is keyof Table & string => Object.hasOwn(table, key);
  return Object.assign((key: keyof Table, slots?: Slots) => fillSlots(table[key], slots), { has });
}

/** The reader's language: that of the link, else the one that the browser prefers. */
export function preferredLanguage(requested: Language | null, browser: readonly string[]): Language {
  if (requested) return requested;
  return browser[0]?.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}
