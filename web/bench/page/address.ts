/** Reads the address of bench.html: `#lang=zh-CN&theme=dark&works=matmul 512&quick`, or results: `#results=...&on=a name`. */
import type { View } from "../../config/config.js";
import type { Language } from "../../i18n/words.js";
import { readResults, resultsText, type Shared, type Unreadable } from "../results-link.js";

export interface AddressOptions {
  /** Null: the browser's language. */
  language: Language | null;
  /** Null: the system's theme. */
  theme: View["theme"];
  /** Words that the names of the tasks must contain. */
  only: string;
  /** Whether to take fewer and shorter samples. */
  quick: boolean;
}

/** The longest name of a machine, in characters. */
export const LONGEST_NAME = 80;

/** Results from a link, measured on another machine; `on` is the sender's name for that machine. */
export interface LinkedResults extends Shared {
  on: string;
}

/** The results in an address; null where it has none. */
export function readLinkedResults(hash: string): LinkedResults | Unreadable | null {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const text = given.get("results");
  if (text === null) return null;
  const on = given.get("on") ?? "";
  if (on.length > LONGEST_NAME)
    return { field: "on", expected: `at most ${LONGEST_NAME} characters`, actual: String(on.length) };
  const results = readResults(text);
  return "field" in results ? results : { ...results, on };
}

/** The part of an address that contains results. */
export function resultsHash({ on, ...results }: LinkedResults): string {
  const parts = new URLSearchParams({ results: resultsText(results) });
  if (on) parts.set("on", on);
  return `#${parts.toString()}`;
}

export function readAddress(hash: string): AddressOptions {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const [lang, theme] = [given.get("lang"), given.get("theme")];
  return {
    language: lang === "en" || lang === "zh-CN" ? lang : null,
    theme: theme === "light" || theme === "dark" ? theme : null,
    only: given.get("works") ?? "",
    quick: given.has("quick"),
  };
}

export function addressOf({ language, theme, only, quick }: AddressOptions): string {
  const parts = new URLSearchParams();
  if (language) parts.set("lang", language);
  if (theme) parts.set("theme", theme);
  if (only) parts.set("works", only);
  if (quick) parts.set("quick", "");
  const text = parts.toString();
  return text ? `#${text}` : "";
}
