/** The notices about a link or file that could not be used as sent, as texts. */
import type { ConfigNotice } from "../config/config.js";
import type { Key, Words } from "../i18n/words.js";

export interface NoticeWords {
  title: string;
  body: string;
}

/** Long values are shortened; the notice offers to show the whole link. */
const short = (text: string | undefined, most = 48): string =>
  text === undefined ? "" : text.length > most ? `${text.slice(0, most)}…` : text;

/** The longest text of expected values in a notice. */
const readable = 160;

export function noticeWords(notice: ConfigNotice, words: Words): NoticeWords {
  const { field = "", used, expected, actual } = notice;
  const slots = { field, given: short(notice.given), used: short(used) };
  const kinds: Record<ConfigNotice["kind"], [Key, Key]> = {
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
  const [title, body] = kinds[notice.kind];
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
