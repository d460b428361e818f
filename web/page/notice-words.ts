/** What was read from a link and could not be used as sent, in words. */
import type { ConfigNotice } from "../config/config.js";
import type { Key, Words } from "../i18n/words.js";

export interface NoticeWords {
  title: string;
  body: string;
}

/** Long values are cut; the whole link can be shown. */
const short = (text: string | undefined, most = 48): string =>
  text === undefined ? "" : text.length > most ? `${text.slice(0, most)}…` : text;

/** As much of what is expected as one reads. */
const readable = 160;

export function noticeWords(notice: ConfigNotice, words: Words): NoticeWords {
  const { field = "", used, expected, actual } = notice;
  const slots = { field, given: short(notice.given), used: short(used) };
  const said: Record<ConfigNotice["kind"], [Key, Key]> = {
    cut: ["notice.cut", "notice.cut_body"],
    edited: ["notice.edited", "notice.edited_body"],
    newer: ["notice.newer", "notice.newer_body"],
    field: ["notice.field", "notice.field_body"],
    "unknown-field": ["notice.unknown_field", "notice.unknown_field_body"],
    "too-large": [
      "notice.too_large",
      notice.given === undefined ? "notice.too_large_fields" : "notice.too_large_whole",
    ],
    unseen: ["notice.unseen", "notice.unseen_body"],
    unreadable: ["notice.unreadable", "notice.unreadable_body"],
  };
  const [title, body] = said[notice.kind];
  return {
    title: words(title),
    body: words(body, {
      ...slots,
      expected: expected ? short(words(`expected.${expected.kind}`, expected), readable) : "",
      got: actual === undefined ? "" : words("notice.got", { actual: short(actual) }),
      instead: words(used === undefined ? "notice.left_out" : "notice.using", slots),
    }),
  };
}
