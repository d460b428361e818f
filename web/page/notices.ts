/** What the page says under its header: of a link that could not be used as sent, of numbers that could not be had, of an image. */
import { html, type TemplateResult } from "lit";
import type { ConfigNotice } from "../config/config.js";
import "../elements/notice.js";
import type { Key, Words } from "../i18n/words.js";
import { noticeWords } from "./notice-words.js";
import type { Playground } from "./playground.js";

export interface Notice {
  heading: string;
  body: string;
  code?: string;
  actions: readonly { label: string; act: () => void }[];
}

export function noticeElement({ heading, body, code, actions }: Notice): TemplateResult {
  return html`<ap-notice
    .heading=${heading}
    .body=${body}
    .code=${code ?? ""}
    .actions=${actions.map(({ label }) => label)}
    @notice-action=${(event: CustomEvent<{ action: number }>) => actions[event.detail.action]?.act()}
  ></ap-notice>`;
}

/** The address as it came, whether it is shown, and what the reader can do about it. */
export interface SentLink {
  link: string;
  shown: boolean;
  show: () => void;
  dismiss: () => void;
}

export function linkNotices(
  notices: readonly ConfigNotice[],
  { link, shown, show, dismiss }: SentLink,
  words: Words,
): Notice[] {
  return notices.map((notice, place) => {
    const { title, body } = noticeWords(notice, words);
    const last = place === notices.length - 1;
    const reload = { label: words("notice.reload"), act: () => location.reload() };
    const showing = { label: words(shown ? "notice.hide_link" : "notice.show_link"), act: show };
    const dismissing = { label: words("notice.dismiss"), act: dismiss };
    return {
      heading: title,
      body,
      code: last && shown ? link : "",
      actions: [...(notice.kind === "newer" ? [reload] : []), ...(last ? [showing, dismissing] : [])],
    };
  });
}

/** Why the numbers are not those of the settings, and the way on. */
export function troubleNotices(playground: Playground, openContents: () => void, words: Words): Notice[] {
  const { trouble } = playground;
  if (!trouble) return [];
  const kinds = {
    refused: playground.shown
      ? ["notice.refused", "notice.refused_body", "notice.undo", () => playground.revert()]
      : ["notice.refused", "notice.start_failed_body", "page.contents", openContents],
    died: ["notice.died", "notice.died_body", "notice.retry", () => void playground.compute()],
    restarted: ["notice.died", "notice.restarted_body", "notice.dismiss", () => playground.understood()],
    start: ["notice.start_failed", "notice.start_failed_body", "notice.reload", () => location.reload()],
    lab: ["notice.lab", "notice.lab_body", "notice.retry", () => playground.retry()],
  } as const;
  const missed = (playground.missed ?? playground.config).view.lab;
  const [title, body, action, act] = kinds[trouble.kind] as readonly [Key, Key, Key, () => void];
  return [
    {
      heading: words(title, { lab: words(`contents.lab.${missed}`) }),
      body: words(body, { reason: trouble.reason }),
      actions: [{ label: words(action), act }],
    },
  ];
}

export function imageNotices(reason: string, dismiss: () => void, words: Words): Notice[] {
  if (!reason) return [];
  const body = words("notice.image_body", { reason });
  return [
    { heading: words("notice.image"), body, actions: [{ label: words("notice.dismiss"), act: dismiss }] },
  ];
}
