/**
 * The static pages that are shared in place of a link, because link previews cannot read the state in a link:
 * the address of each, and which of them a site has. `npm run share-pages` makes them; a site without them
 * has an empty list.
 */
import type { Config } from "../config/config.js";
import type { Language } from "../i18n/words.js";

export const folderOf = (language: Language): string => `share/${language === "en" ? "en" : "zh"}`;

/** The file with the names of a site's pages, as JSON. */
export const listFile = "share/pages.json";

/**
 * The names of a state's pages, the one with the best picture first: that of its example, then that of its
 * lab.
 */
const namesOf = ({ example, view }: Config): string[] => [...(example ? [example] : []), `lab-${view.lab}`];

/**
 * The address of a state's page, which opens the state after its #; null when the site has none. `base` ends
 * in "/".
 */
export async function pageFor(
  config: Config,
  base: string,
  language: Language,
  hash: string,
): Promise<string | null> {
  const answer = await fetch(`${base}${listFile}`).catch(() => null);
  const pageNames: unknown = answer?.ok ? await answer.json().catch(() => null) : null;
  const name = namesOf(config).find((one) => Array.isArray(pageNames) && pageNames.includes(one));
  return name === undefined ? null : `${base}${folderOf(language)}/${name}.html#${hash}`;
}
