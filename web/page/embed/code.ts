/** What is pasted into another page: a frame, an element, or Markdown; the picture that stands for them; the script that fits heights. */
import type { View } from "../../config/config.js";
import { uiOf, type EmbedPart } from "../../config/frame-fields.js";

export const kinds = ["frame", "element", "markdown"] as const;
export type Kind = (typeof kinds)[number];

/** What the code is written from. */
export interface EmbedSource {
  /** The page's folder, ending in "/". */
  readonly base: string;
  readonly title: string;
  /** The name of the picture's file. */
  readonly picture: string;
  /** The text of the state's link in this language and theme. */
  hash(view: Pick<View, "lang" | "theme">): string;
  /** Of a frame with these parts and tensors. */
  height(parts: ReadonlySet<EmbedPart>, focus: readonly string[]): number;
}

export interface EmbedOptions extends Pick<View, "lang" | "theme"> {
  readonly parts: ReadonlySet<EmbedPart>;
  /** Names of tensors; none: all. */
  readonly focus: readonly string[];
  /** The element holds the picture, for readers without JavaScript. */
  readonly within: boolean;
}

const quoted = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const attributes = (named: Readonly<Record<string, string | number>>): string =>
  Object.entries(named)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ` ${name}="${quoted(String(value))}"`)
    .join("");

export function linkOf(source: EmbedSource, { lang, theme }: EmbedOptions): string {
  return `${source.base}#${source.hash({ lang, theme })}`;
}

/** The address of a frame. Its own fields come first: the checksum that tells a cut link stands last. */
export function frameAddress({ base, hash }: EmbedSource, options: EmbedOptions): string {
  const { parts, focus, lang, theme } = options;
  const own = { ui: uiOf(parts), focus: focus.map(encodeURIComponent).join(",") };
  const fields = Object.entries(own).flatMap(([name, value]) => (value === "" ? [] : [`${name}=${value}`]));
  return `${base}embed.html#${[...fields, hash({ lang, theme })].join("&")}`;
}

const frameCode = (source: EmbedSource, options: EmbedOptions): string =>
  `<iframe${attributes({
    src: frameAddress(source, options),
    width: 680,
    height: source.height(options.parts, options.focus),
    loading: "lazy",
    title: source.title,
  })}></iframe>`;

/** The picture as a link: in feeds, in print, and inside the element where it cannot start. */
export const pictureCode = (source: EmbedSource, options: EmbedOptions): string =>
  `<a${attributes({ href: linkOf(source, options) })}><img${attributes({ src: source.picture, alt: source.title })}></a>`;

function elementCode(source: EmbedSource, options: EmbedOptions): string {
  const own = attributes({
    src: `#${source.hash({ lang: null, theme: null })}`,
    ui: uiOf(options.parts),
    theme: options.theme ?? "",
    lang: options.lang ?? "",
    focus: options.focus.join(","),
  });
  const within = options.within ? pictureCode(source, options) : "";
  return (
    `<script type="module"${attributes({ src: `${source.base}attention-playground.js` })}></script>\n` +
    `<attention-playground${own}>${within}</attention-playground>`
  );
}

/** Text between brackets, and an address between parentheses. */
const bracketed = (text: string): string => text.replace(/[\\`*_[\]<>&]/g, "\\$&");
const parenthesized = (address: string): string => address.replaceAll("(", "%28").replaceAll(")", "%29");

const markdownCode = (source: EmbedSource, options: EmbedOptions): string =>
  `[![${bracketed(source.title)}](${source.picture})](${parenthesized(linkOf(source, options))})`;

export function codeOf(kind: Kind, source: EmbedSource, options: EmbedOptions): string {
  const write = { frame: frameCode, element: elementCode, markdown: markdownCode }[kind];
  return write(source, options);
}

/** For the page around frames: each gets the height that its own window asks for. */
export const heightScript = `<script>
  addEventListener("message", ({ source, data }) => {
    if (data?.type !== "attention-playground:height") return;
    for (const frame of document.querySelectorAll('iframe[src*="/embed.html#"]'))
      if (frame.contentWindow === source) frame.height = data.height;
  });
</script>`;
