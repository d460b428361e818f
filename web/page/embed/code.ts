/**
 * The code that is pasted into another page: a frame, an element or a picture, in the form that the page's
 * tool reads. EMBEDDING.md.
 */
import type { View } from "../../config/config.js";
import { uiOf, type EmbedPart } from "../../config/frame-fields.js";

export const kinds = ["frame", "element", "picture"] as const;
export type Kind = (typeof kinds)[number];

/** The tools that the other page may be made with. */
export const tools = ["html", "wordpress", "hugo", "vitepress", "vue", "mdx", "react", "jupyter"] as const;
export type Tool = (typeof tools)[number];

/** The values that the code is written from. */
export interface EmbedSource {
  /** The page's folder, ending in "/". */
  readonly base: string;
  /** The file of the frame that contains the lab, in that folder. */
  readonly frame: string;
  readonly title: string;
  /** The base name of the state's files, without extension; another state has another name. */
  readonly name: string;
  /** The picture's width in CSS pixels; null when there is nothing to draw. */
  readonly pictureWidth: number | null;
  /** The text of the state's link in this language and theme. */
  hash(view: Pick<View, "lang" | "theme">): string;
  /** The height of a frame with these parts and tensors. */
  height(parts: ReadonlySet<EmbedPart>, only: readonly string[]): number;
}

export interface EmbedOptions extends Pick<View, "lang" | "theme"> {
  readonly tool: Tool;
  readonly parts: ReadonlySet<EmbedPart>;
  /** Names of the tensors to show; empty for all. */
  readonly only: readonly string[];
  /** Whether the element contains the picture, for readers without JavaScript. */
  readonly within: boolean;
}

/** The name of the picture's file, which is placed beside the page. */
export const pictureFile = ({ name }: EmbedSource): string => `${name}.png`;

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Whether tags are written in JSX, where numbers and styles are JavaScript values. */
const isJsx = (tool: Tool): boolean => tool === "mdx" || tool === "react";

type Attribute = string | number | Readonly<Record<string, string>>;

/** The attributes of a tag as text; a style is given as an object of its properties. */
function attributes(named: Readonly<Record<string, Attribute>>, jsx: boolean): string {
  const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const written = (value: Attribute): string => {
    if (typeof value === "object") {
      const properties = Object.entries(value);
      return jsx
        ? `{{ ${properties.map(([name, text]) => `${camel(name)}: "${text}"`).join(", ")} }}`
        : `"${properties.map(([name, text]) => `${name}:${text}`).join(";")}"`;
    }
    return jsx && typeof value === "number" ? `{${value}}` : `"${escapeHtml(String(value))}"`;
  };
  return Object.entries(named)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ` ${name}=${written(value)}`)
    .join("");
}

export function linkOf(source: EmbedSource, { lang, theme }: Pick<EmbedOptions, "lang" | "theme">): string {
  return `${source.base}#${source.hash({ lang, theme })}`;
}

/**
 * The address of a frame. The frame's own fields come first, because the checksum that detects a cut link is
 * last.
 */
export function frameAddress({ base, frame, hash }: EmbedSource, options: EmbedOptions): string {
  const { parts, only, lang, theme } = options;
  const own = { ui: uiOf(parts), focus: only.map(encodeURIComponent).join(",") };
  const fields = Object.entries(own).flatMap(([name, value]) => (value === "" ? [] : [`${name}=${value}`]));
  return `${base}${frame}#${[...fields, hash({ lang, theme })].join("&")}`;
}

const heightOf = (source: EmbedSource, { parts, only }: EmbedOptions): number => source.height(parts, only);

/**
 * The link as an HTML anchor: shown where the frame or the element cannot run, and in feeds that omit them.
 */
const linkCode = (source: EmbedSource, options: EmbedOptions): string =>
  `<a${attributes({ href: linkOf(source, options) }, false)}>${escapeHtml(source.title)}</a>`;

function frameCode(source: EmbedSource, options: EmbedOptions): string {
  const jsx = isJsx(options.tool);
  const height = heightOf(source, options);
  const address = frameAddress(source, options);
  if (options.tool === "jupyter")
    return `from IPython.display import IFrame\nIFrame("${address}", width="100%", height=${height})`;
  const own = attributes(
    {
      src: address,
      title: source.title,
      width: 680,
      height,
      style: { "max-width": "100%", border: "0" },
      loading: "lazy",
    },
    jsx,
  );
  return jsx ? `<iframe${own} />` : `<iframe${own}>${linkCode(source, options)}</iframe>`;
}

/** The picture inside a link: for feeds, for print, and inside the element where it cannot start. */
function imageCode(source: EmbedSource, options: EmbedOptions): string {
  const jsx = isJsx(options.tool);
  const image = attributes(
    {
      src: `./${pictureFile(source)}`,
      alt: source.title,
      width: source.pictureWidth ?? "",
      style: { "max-width": "100%", height: "auto" },
    },
    jsx,
  );
  return `<a${attributes({ href: linkOf(source, options) }, jsx)}><img${image} /></a>`;
}

/** Whether the tool imports the element from the npm package; the others load its script. */
export const isImported = (tool: Tool): boolean => tool === "react" || tool === "vue" || tool === "vitepress";

function elementCode(source: EmbedSource, options: EmbedOptions): string {
  const { tool } = options;
  const own = attributes(
    {
      src: `#${source.hash({ lang: null, theme: null })}`,
      ui: uiOf(options.parts),
      theme: options.theme ?? "",
      lang: options.lang ?? "",
      only: options.only.join(","),
      // The packaged element has no address of a page of its own.
      page: isImported(tool) ? source.base : "",
      style: { display: "block", "min-height": `${heightOf(source, options)}px` },
    },
    isJsx(tool),
  );
  const within = options.within ? imageCode(source, options) : linkCode(source, options);
  const element = `<attention-playground${own}>${within}</attention-playground>`;
  const script = `<script type="module" src="${escapeHtml(`${source.base}attention-playground.js`)}"></script>`;
  switch (tool) {
    case "react":
      return `import "attention-playground"; // npm install attention-playground\n\n${element}`;
    case "vue":
    case "vitepress":
      return `<script setup>\nimport "attention-playground"; // npm install attention-playground\n</script>\n\n${element}`;
    case "jupyter":
      return `from IPython.display import HTML\nHTML("""${`${script}\n${element}`.replaceAll("\\", "\\\\")}""")`;
    default:
      return `${script}\n${element}`;
  }
}

/** Text escaped for brackets, and an address escaped for parentheses, in Markdown. */
const escapeBrackets = (text: string): string => text.replace(/[\\`*_[\]<>&]/g, "\\$&");
const escapeParentheses = (address: string): string => address.replaceAll("(", "%28").replaceAll(")", "%29");

const writesMarkdown: ReadonlySet<Tool> = new Set(["vitepress", "mdx", "jupyter"]);

const pictureCode = (source: EmbedSource, options: EmbedOptions): string =>
  writesMarkdown.has(options.tool)
    ? `[![${escapeBrackets(source.title)}](./${pictureFile(source)})](${escapeParentheses(linkOf(source, options))})`
    : imageCode(source, options);

export function codeOf(kind: Kind, source: EmbedSource, options: EmbedOptions): string {
  const write = { frame: frameCode, element: elementCode, picture: pictureCode }[kind];
  return write(source, options);
}

/** The script for the page around frames that gives each frame the height that its content requests. */
export function heightScript({ base }: EmbedSource, tool: Tool): string {
  const address = escapeHtml(`${base}frame-height.js`);
  return tool === "vitepress"
    ? `head: [["script", { src: "${address}", async: "" }]]`
    : `<script src="${address}" async></script>`;
}
