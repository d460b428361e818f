/** What the address of bench.html says: `#lang=zh-CN&theme=dark&works=matmul 512&quick`. */
import type { View } from "../../config/config.js";
import type { Language } from "../../i18n/words.js";

export interface Asked {
  /** Null: the browser's. */
  language: Language | null;
  /** Null: the system's. */
  theme: View["theme"];
  /** Words that the names of the works must have. */
  only: string;
  /** Fewer and shorter samples. */
  quick: boolean;
}

export function readAddress(hash: string): Asked {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const [lang, theme] = [given.get("lang"), given.get("theme")];
  return {
    language: lang === "en" || lang === "zh-CN" ? lang : null,
    theme: theme === "light" || theme === "dark" ? theme : null,
    only: given.get("works") ?? "",
    quick: given.has("quick"),
  };
}

export function addressOf({ language, theme, only, quick }: Asked): string {
  const parts = new URLSearchParams();
  if (language) parts.set("lang", language);
  if (theme) parts.set("theme", theme);
  if (only) parts.set("works", only);
  if (quick) parts.set("quick", "");
  const text = parts.toString();
  return text ? `#${text}` : "";
}
