/**
 * The notices under the page's header: about a link that could not be used as sent, numbers that could not be
 * computed, an image.
 */
import { html, type TemplateResult } from "lit";
import type { ConfigNotice } from "../config/config.js";
import "../elements/notice.js";
import type { Key, Words } from "../i18n/words.js";
import { noticeWords } from "./notice-words.js";
import type { Playground } from "./playground.js";
import { isTooLarge, type Trouble } from "./trouble.js";

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

/** The address as it came, whether it is shown in full, and the actions the reader has. */
export interface SentLink {
  link: string;
  isShown: boolean;
  show: () => void;
  dismiss: () => void;
  /** Opens the newest version of the site. */
  reload: () => void;
}

export function linkNotices(
  notices: readonly ConfigNotice[],
  { link, isShown, show, dismiss, reload: newest }: SentLink,
  words: Words,
): Notice[] {
  return notices.map((notice, place) => {
    const { title, body } = noticeWords(notice, words);
    const last = place === notices.length - 1;
    const reload = { label: words("notice.reload"), act: newest };
    const showing = { label: words(isShown ? "notice.hide_link" : "notice.show_link"), act: show };
    const dismissing = { label: words("notice.dismiss"), act: dismiss };
    return {
      heading: title,
      body,
      code: last && isShown ? link : "",
      actions: [...(notice.kind === "newer" ? [reload] : []), ...(last ? [showing, dismissing] : [])],
    };
  });
}

/**
 * Why the numbers are not those of the settings, with the actions that may help. Without `openContents` there
 * is no action that leads to the contents.
 */
export function troubleNotices(playground: Playground, words: Words, openContents?: () => void): Notice[] {
  const { trouble } = playground;
  if (!trouble) return [];
  const retry = ["notice.retry", () => void playground.compute()] as const;
  const undo = ["notice.undo", () => playground.revert()] as const;
  const contents = openContents ? [["page.contents", openContents] as const] : [];
  const kinds: Record<Trouble["kind"], [Key, Key, ...(readonly [Key, () => void])[]]> = {
    refused: playground.computedConfig
      ? ["notice.refused", "notice.refused_body", undo]
      : ["notice.refused", "notice.start_failed_body", ...contents],
    died: ["notice.died", "notice.died_body", retry, undo],
    restarted: [
      "notice.died",
      "notice.restarted_body",
      ["notice.dismiss", () => playground.dismissTrouble()],
    ],
    silent: ["notice.silent", "notice.silent_body", ["notice.restart", () => playground.restart()]],
    start: ["notice.start_failed", "notice.start_failed_body", retry],
    memory: ["notice.memory", "notice.memory_body", retry],
    simd: ["notice.start_failed", "notice.simd_body"],
    lab: ["notice.lab", "notice.lab_body", ["notice.retry", () => playground.retry()]],
  };
  const missed = (playground.unavailableConfig ?? playground.config).view.lab;
  const [title, body, ...actions] = kinds[trouble.kind];
  const text = words(body, { reason: trouble.reason });
  return [
    {
      heading: words(title, { lab: words(`contents.lab.${missed}`) }),
      body: isTooLarge(trouble) ? words("notice.smaller", { text }) : text,
      actions: actions.map(([label, act]) => ({ label: words(label), act })),
    },
  ];
}

/** The notice that ticks can no longer be stored beyond this visit. */
export function storeNotices(full: boolean, dismiss: () => void, words: Words): Notice[] {
  if (!full) return [];
  const actions = [{ label: words("notice.dismiss"), act: dismiss }];
  return [{ heading: words("notice.store"), body: words("notice.store_body"), actions }];
}

export function imageNotices(reason: string, dismiss: () => void, words: Words): Notice[] {
  if (!reason) return [];
  const body = words("notice.image_body", { reason });
  return [
    { heading: words("notice.image"), body, actions: [{ label: words("notice.dismiss"), act: dismiss }] },
  ];
}
