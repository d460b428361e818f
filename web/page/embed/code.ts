/** What is pasted into another page: a frame, an element or a picture, as the tool that makes the page reads it. EMBEDDING.md. */
import type { View } from "../../config/config.js";
import { uiOf, type EmbedPart } from "../../config/frame-fields.js";

export const kinds = ["frame", "element", "picture"] as const;
export type Kind = (typeof kinds)[number];

/** What the other page is made with. */
export const tools = ["html", "wordpress", "hugo", "vitepress", "vue", "mdx", "react", "jupyter"] as const;
export type Tool = (typeof tools)[number];

/** What the code is written from. */
export interface EmbedSource {
  /** The page's folder, ending in "/". */
  readonly base: string;
  readonly title: string;
  /** The name of the state's files, without what tells their kind: another state has another. */
  readonly name: string;
  /** The picture's width in CSS pixels; null where there is nothing to draw. */
  readonly pictureWidth: number | null;
  /** The text of the state's link in this language and theme. */
  hash(view: Pick<View, "lang" | "theme">): string;
  /** Of a frame with these parts and tensors. */
  height(parts: ReadonlySet<EmbedPart>, only: readonly string[]): number;
}

export interface EmbedOptions extends Pick<View, "lang" | "theme"> {
  readonly tool: Tool;
  readonly parts: ReadonlySet<EmbedPart>;
  /** Names of tensors; none: all. */
  readonly only: readonly string[];
  /** The element holds the picture, for readers without JavaScript. */
  readonly within: boolean;
}

/** The picture's file, which is put beside the page. */
export const pictureFile = ({ name }: EmbedSource): string => `${name}.png`;

const quoted = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Where tags are JavaScript, numbers and styles are values. */
const isJsx = (tool: Tool): boolean => tool === "mdx" || tool === "react";

type Attribute = string | number | Readonly<Record<string, string>>;

/** The attributes of a tag; a style is given by its properties. */
function attributes(named: Readonly<Record<string, Attribute>>, jsx: boolean): string {
  const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const written = (value: Attribute): string => {
    if (typeof value === "object") {
      const properties = Object.entries(value);
      return jsx
        ? `{{ ${properties.map(([name, text]) => `${camel(name)}: "${text}"`).join(", ")} }}`
        : `"${properties.map(([name, text]) => `${name}:${text}`).join(";")}"`;
    }
    return jsx && typeof value === "number" ? `{${value}}` : `"${quoted(String(value))}"`;
  };
  return Object.entries(named)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ` ${name}=${written(value)}`)
    .join("");
}

export function linkOf(source: EmbedSource, { lang, theme }: Pick<EmbedOptions, "lang" | "theme">): string {
  return `${source.base}#${source.hash({ lang, theme })}`;
}

/** The address of a frame. Its own fields come first: the checksum that tells a cut link stands last. */
export function frameAddress({ base, hash }: EmbedSource, options: EmbedOptions): string {
  const { parts, only, lang, theme } = options;
  const own = { ui: uiOf(parts), focus: only.map(encodeURIComponent).join(",") };
  const fields = Object.entries(own).flatMap(([name, value]) => (value === "" ? [] : [`${name}=${value}`]));
  return `${base}embed.html#${[...fields, hash({ lang, theme })].join("&")}`;
}

const heightOf = (source: EmbedSource, { parts, only }: EmbedOptions): number => source.height(parts, only);

/** A link in words: where the frame or the element cannot run, and in feeds that leave it out. */
const linkCode = (source: EmbedSource, options: EmbedOptions): string =>
  `<a${attributes({ href: linkOf(source, options) }, false)}>${quoted(source.title)}</a>`;

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

/** The picture as a link: in feeds, in print, and inside the element where it cannot start. */
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

/** Whether the tool takes the element from the npm package; the others take its script. */
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
      // What a package holds does not know where the page is.
      page: isImported(tool) ? source.base : "",
      style: { display: "block", "min-height": `${heightOf(source, options)}px` },
    },
    isJsx(tool),
  );
  const within = options.within ? imageCode(source, options) : linkCode(source, options);
  const element = `<attention-playground${own}>${within}</attention-playground>`;
  const script = `<script type="module" src="${quoted(`${source.base}attention-playground.js`)}"></script>`;
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

/** Text between brackets, and an address between parentheses. */
const bracketed = (text: string): string => text.replace(/[\\`*_[\]<>&]/g, "\\$&");
const parenthesized = (address: string): string => address.replaceAll("(", "%28").replaceAll(")", "%29");

const writesMarkdown: ReadonlySet<Tool> = new Set(["vitepress", "mdx", "jupyter"]);

const pictureCode = (source: EmbedSource, options: EmbedOptions): string =>
  writesMarkdown.has(options.tool)
    ? `[![${bracketed(source.title)}](./${pictureFile(source)})](${parenthesized(linkOf(source, options))})`
    : imageCode(source, options);

export function codeOf(kind: Kind, source: EmbedSource, options: EmbedOptions): string {
  const write = { frame: frameCode, element: elementCode, picture: pictureCode }[kind];
  return write(source, options);
}

/** For the page around frames: each gets the height that its content asks for. */
export function heightScript({ base }: EmbedSource, tool: Tool): string {
  const address = quoted(`${base}frame-height.js`);
  return tool === "vitepress"
    ? `head: [["script", { src: "${address}", async: "" }]]`
    : `<script src="${address}" async></script>`;
}
