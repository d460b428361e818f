/** What was read from a link and could not be used as sent, in words. */
import type { ConfigNotice } from "../config/config.js";
import type { Key, Words } from "../i18n/words.js";

export interface NoticeWords {
  title: string;
  body: string;
}

/** Fields whose whole numbers fail because they divide something unevenly. */
const divisors: Readonly<Record<string, Key>> = { heads: "notice.field_heads", patch: "notice.field_patch" };

/** Long values are cut; the whole link can be shown. */
const short = (text: string | undefined): string =>
  text === undefined ? "" : text.length > 48 ? `${text.slice(0, 48)}…` : text;

export function noticeWords(notice: ConfigNotice, words: Words): NoticeWords {
  const slots = { field: notice.field ?? "", given: short(notice.given), used: short(notice.used) };
  const whole = /^[1-9]\d*$/.test(notice.given ?? "");
  const said: Record<ConfigNotice["kind"], [Key, Key]> = {
    cut: ["notice.cut", "notice.cut_body"],
    edited: ["notice.edited", "notice.edited_body"],
    newer: ["notice.newer", "notice.newer_body"],
    field: [
      "notice.field",
      whole ? (divisors[notice.field ?? ""] ?? "notice.field_body") : "notice.field_body",
    ],
    "unknown-field": ["notice.unknown_field", "notice.unknown_field_body"],
    "too-large": ["notice.too_large", notice.field ? "notice.too_large_body" : "notice.too_large_whole"],
    unreadable: ["notice.unreadable", notice.field ? "notice.unreadable_field" : "notice.unreadable_body"],
  };
  const [title, body] = said[notice.kind];
  return { title: words(title), body: words(body, slots) };
}
