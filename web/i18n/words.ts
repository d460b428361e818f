/** Strings of the page: whole sentences with {slots}, the same keys in both languages. */
import type { en } from "./en.js";
import type { app } from "./en/app.js";

export type Language = "en" | "zh-CN";
/** What only the page itself says is no part of a frame: the code of a frame must not ask for it (tests/web/i18n.test.ts). */
export type Key = keyof typeof en | keyof typeof app;

export type Slots = Record<string, string | number>;

/** Looks a string up and fills its slots. */
export interface Words {
  language: Language;
  (key: Key, slots?: Slots): string;
  /** Whether there is such a string. */
  has(key: string): key is Key;
}

type Table = Readonly<Record<Key, string>>;
export type FrameTable = Pick<Table, keyof typeof en>;

const tables = new Map<Language, FrameTable & Partial<Table>>();

/** Makes the strings of a language known: the page fetches one language (fetched.ts), what is one file has both (both.ts). */
export function know(language: Language, table: FrameTable | Table): void {
  tables.set(language, table);
}

export const isKnown = (language: Language): boolean => tables.has(language);

const BORDER =
  /\p{sc=Han}\n[\p{sc=Latn}\p{sc=Grek}\d√−∞<>[\]]|[\p{sc=Latn}\p{sc=Grek}\d√−∞<>[\]]\n\p{sc=Han}/u;

/** The space that Chinese sets between its own characters and Latin letters or digits, where a slot meets its sentence. */
export function gap(before: string, after: string): string {
  return BORDER.test(`${before}\n${after}`) ? " " : "";
}

/** The words of `text` with its slots filled; a slot that nothing fills stays. */
export function filled(text: string, slots: Slots = {}): string {
  return text.split(/\{(\w+)\}/).reduce((said, part, place) => {
    const next = place % 2 ? String(slots[part] ?? `{${part}}`) : part;
    return said + gap(said, next) + next;
  });
}

/** The words of a language that is known; else throws. */
export function wordsIn(language: Language): Words {
  const table = tables.get(language);
  if (!table) throw new Error(`the strings of ${language} are not known yet`);
  const words = (key: Key, slots?: Slots): string => filled(table[key]!, slots);
  const has = (key: string): key is Key => Object.hasOwn(table, key);
  return Object.assign(words, { language, has });
}

/** Words of any language, where not what they say is asked for. */
export const anyWords = (): Words => wordsIn(isKnown("en") ? "en" : "zh-CN");

/** Looks a string of a lab's own up: what is loaded with the lab. */
export interface OwnWords<Table> {
  (key: keyof Table, slots?: Slots): string;
  has(key: string): key is keyof Table & string;
}

/** The strings of a lab in the language of `words`. */
export function own<Table extends Record<string, string>>(
  words: Words,
  own: { en: Table; "zh-CN": { [K in keyof Table]: string } },
): OwnWords<Table> {
  const table: { [K in keyof Table]: string } = own[words.language];
  const has = (key: string): key is keyof Table & string => Object.hasOwn(table, key);
  return Object.assign((key: keyof Table, slots?: Slots) => filled(table[key], slots), { has });
}

/** The reader's language: what the link says, else what the browser prefers. */
export function preferredLanguage(asked: Language | null, browser: readonly string[]): Language {
  if (asked) return asked;
  return browser[0]?.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}
