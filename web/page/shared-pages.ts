/**
 * The static pages that are shared in place of a link, because link previews cannot read the state in a link:
 * one for each lab and each example, in each language.
 */
import { whole as en } from "../i18n/en/whole.js";
import { addStrings, wordsIn, type Language } from "../i18n/words.js";
import { whole as zhCN } from "../i18n/zh-CN/whole.js";
import { exampleById } from "../examples/index.js";
import { frameOf } from "../labs/list.js";
import { Entries } from "./entries.js";
import { folderOf, listFile } from "./share-pages-list.js";

addStrings("en", en);
addStrings("zh-CN", zhCN);

export const languages: readonly Language[] = ["en", "zh-CN"];

export interface SharedPage {
  readonly language: Language;
  /** The base name of its files, in the folder of its language. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The document that an example is from; empty for a lab. */
  readonly source: string;
  /** The file of the frame that contains its lab. */
  readonly frame: string;
  /** The text of its state's link, in its language. */
  readonly hash: string;
  /** The same in the light theme, in which pictures are drawn. */
  readonly lightHash: string;
}

/** Where a page with a picture is hosted, and how high its frame is. */
export interface PageHost {
  /** The site's address, ending in "/"; null when it is not known, and then all that needs it is left out. */
  readonly site: string | null;
  /** The height of its frame, at a width of 680 pixels. */
  readonly height: number;
}

/** The size of the pictures of link previews. */
export const card = { width: 1200, height: 630 } as const;
/** The part of a card for the numbers. */
export const cardRoom = { width: 1104, height: 436 } as const;
export const frameWidth = 680;

export { folderOf, listFile };

export function sharedPages(language: Language): SharedPage[] {
  const listed = (theme: "light" | null) => {
    const { labs, examples } = new Entries().of(wordsIn(language), { lang: language, theme });
    return [
      ...labs.map((lab) => ({ ...lab, name: `lab-${lab.id}`, source: "", frame: frameOf(lab.id) })),
      ...examples.map((one) => ({
        ...one,
        name: one.id,
        frame: frameOf(exampleById(one.id)!.config.view.lab),
      })),
    ];
  };
  const light = listed("light");
  return listed(null).map(({ name, title, subtitle, source, frame, address }, at) => ({
    language,
    name,
    title,
    about: subtitle,
    source,
    frame,
    hash: address.slice(1),
    lightHash: light[at]!.address.slice(1),
  }));
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const strings = {
  en: {
    site: "Attention Playground",
    claim: "Every number inside a Transformer, computed in your browser: see it, change it, check it.",
    open: "Open it in the playground",
    other: "中文",
    picture: (title: string) => `The numbers of “${title}”, drawn as they are in the playground.`,
    locale: "en_US",
  },
  "zh-CN": {
    site: "Attention Playground",
    claim: "Transformer 里的每一个数，都在你的浏览器里计算：看得见，改得动，对得上。",
    open: "在 Attention Playground 里打开",
    other: "English",
    picture: (title: string) => `“${title}”的数字，与页面里画的一样。`,
    locale: "zh_CN",
  },
} as const;

/** The description of a page. */
const descriptionOf = ({ about, source, language }: SharedPage): string =>
  language === "en" ? `${about}. ${source}`.trim() : `${about}。${source}`;

const otherLanguage = (language: Language): Language => (language === "en" ? "zh-CN" : "en");

/**
 * The page: text and picture for readers without scripts, metadata for link previews, and a script that opens
 * the state at once.
 */
export function pageText(page: SharedPage, { site }: PageHost): string {
  const { language, name, title, hash } = page;
  const words = strings[language];
  const description = `${descriptionOf(page)} ${words.claim}`;
  const folder = folderOf(language);
  const at = (file: string): string => `${site}${folder}/${file}`;
  const meta = (attribute: "name" | "property", key: string, content: string): string =>
    `    <meta ${attribute}="${key}" content="${escapeHtml(content)}" />\n`;
  const address = `../../#${hash}`;
  const absolute =
    site === null
      ? ""
      : `    <link rel="canonical" href="${escapeHtml(at(`${name}.html`))}" />\n` +
        `    <link rel="alternate" type="application/json+oembed" href="${escapeHtml(at(`${name}.json`))}" title="${escapeHtml(title)}" />\n` +
        meta("property", "og:url", at(`${name}.html`)) +
        meta("property", "og:image", at(`${name}.png`)) +
        meta("property", "og:image:width", String(card.width)) +
        meta("property", "og:image:height", String(card.height)) +
        meta("property", "og:image:alt", words.picture(title)) +
        meta("name", "twitter:image", at(`${name}.png`));
  const other = otherLanguage(language);
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(title)} · ${words.site}</title>
${meta("name", "description", description)}${meta("property", "og:type", "website")}${meta("property", "og:site_name", words.site)}${meta("property", "og:locale", words.locale)}${meta("property", "og:title", title)}${meta("property", "og:description", description)}${meta("name", "twitter:card", "summary_large_image")}${meta("name", "twitter:title", title)}${meta("name", "twitter:description", description)}${absolute}    <link rel="icon" href="../icon.png" type="image/png" />
    <link rel="stylesheet" href="../page.css" />
    <script src="../open.js"></script>
  </head>
  <body>
    <main>
      <p class="site"><a href="../../">${words.site}</a></p>
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(descriptionOf(page))}</p>
      <a href="${escapeHtml(address)}"><img src="./${name}.png" alt="${escapeHtml(words.picture(title))}" width="${card.width}" height="${card.height}" /></a>
      <p><a class="open" href="${escapeHtml(address)}">${words.open}</a></p>
      <p>${words.claim}</p>
      <p><a hreflang="${other}" lang="${other}" href="../../${folderOf(other)}/${name}.html">${words.other}</a></p>
    </main>
  </body>
</html>
`;
}

/**
 * Opens the state at once: the one after the page's own #, else the page's. Without scripts the page stays as
 * it is.
 */
export const openingScript = `document.addEventListener("DOMContentLoaded", () => {
  const { href } = document.querySelector("a.open");
  location.replace(location.hash.length > 1 ? href.replace(/#.*/s, location.hash) : href);
});
`;

export const pageStyle = `:root { color-scheme: light dark; }
body { margin: 0; font: 17px/1.55 system-ui, sans-serif; background: light-dark(#fcfbf8, #131417); color: light-dark(#1a1c1f, #ecebe6); }
main { max-width: 720px; margin: 0 auto; padding: 24px 20px 48px; }
h1 { margin: 8px 0; font: 600 32px/1.2 Georgia, "Noto Serif", serif; }
.site { margin: 0; }
img { display: block; width: 100%; height: auto; border: 1px solid light-dark(#e2e0d8, #34363b); border-radius: 6px; }
a { color: inherit; }
`;

/**
 * The answer that oEmbed consumers such as WordPress request for a page: a frame of its state. Needs the
 * site's address.
 */
export function oEmbed(page: SharedPage, { site, height }: PageHost): string {
  const { language, name, title, frame, hash } = page;
  const { site: provider } = strings[language];
  const source = `${site}${frame}#${hash}`;
  return JSON.stringify({
    version: "1.0",
    type: "rich",
    title,
    provider_name: provider,
    provider_url: site,
    width: frameWidth,
    height,
    html: `<iframe src="${escapeHtml(source)}" title="${escapeHtml(title)}" width="${frameWidth}" height="${height}" style="max-width:100%;border:0" loading="lazy"></iframe>`,
    thumbnail_url: `${site}${folderOf(language)}/${name}.png`,
    thumbnail_width: card.width,
    thumbnail_height: card.height,
  });
}

/** The page that is drawn as the picture of a link preview: title, frame, address of the site. */
export function cardText(
  { language, title, about, frame, lightHash }: SharedPage,
  base: string,
  site: string | null,
): string {
  const source = `${base}${frame}#ui=formula&${lightHash}`;
  const where = site?.replace(/^https?:\/\/|\/$/g, "") ?? strings[language].site;
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><style>
html { background: #fcfbf8; color: #1a1c1f; }
body { position: relative; box-sizing: border-box; width: ${card.width}px; height: ${card.height}px; margin: 0; padding: 36px 48px; overflow: hidden; }
h1 { margin: 0; font: 600 44px/1.2 "Noto Serif", "Noto Serif CJK SC", "Noto Sans CJK SC", serif; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
p { margin: 4px 0 0; color: #55585f; font: 22px/1.4 "Noto Sans", "Noto Sans CJK SC", sans-serif; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
footer { position: absolute; right: 48px; bottom: 18px; color: #55585f; font: 20px/1.4 "Noto Sans", "Noto Sans CJK SC", sans-serif; }
div { position: absolute; top: 140px; left: 48px; width: ${cardRoom.width}px; height: ${cardRoom.height}px; overflow: hidden; }
iframe { position: absolute; width: ${cardRoom.width}px; height: ${cardRoom.height}px; border: 0; transform-origin: top left; }
</style><h1>${escapeHtml(title)}</h1><p>${escapeHtml(about)}</p><div><iframe src="${escapeHtml(source)}"></iframe></div><footer>${escapeHtml(where)}</footer>`;
}
