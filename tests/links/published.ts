/** Published links: those of the two READMEs that describe links, and those of the gallery. */
import { readFileSync } from "node:fs";
import { encode } from "../../web/config/codec.js";
import { examples } from "../../web/examples/index.js";

/** The links in a text, without "#": fields joined by "&", up to a character that a link cannot contain. */
export function linksIn(text: string): string[] {
  const found = [...text.matchAll(/#([a-z.]+=[^\s"'`<>()|&…]+(?:&(?:[a-z.]+=[^\s"'`<>()|&…]*|c))*)/g)];
  // Parameters of a frame are not part of the state.
  const links = found.map(([, link]) => link!.replace(/(^|&)(ui=[^&]*|focus=[^&]*|theme=auto)(?=&|$)/g, ""));
  return [...new Set(links.map((link) => link.replace(/^&/, "")))].filter((link) => link !== "");
}

export const readmes = ["README.md", "web/config/README.md"] as const;

export const linksOfReadme = (name: (typeof readmes)[number]): string[] =>
  linksIn(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"));

/** The link of each example, as in the contents. */
export const linksOfGallery = (): string[] => examples.map(({ config }) => encode(config));
