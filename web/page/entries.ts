/**
 * The entries for labs and examples in the header and the contents: titles, addresses, how much is done,
 * computed results.
 */
import { encode } from "../config/codec.js";
import type { Config, LabId, View } from "../config/config.js";
import type { LabEntry } from "../elements/header.js";
import { examples } from "../examples/index.js";
import type { Words } from "../i18n/words.js";
import { list } from "../labs/list.js";
import type { Gallery } from "./gallery.js";
import type { ExampleEntry } from "./map/contents.js";
import { glyphOf } from "./map/places.js";
import { labsInOrder, withView } from "./open-lab.js";
import { exampleIn } from "./in-language.js";
import { openingOf } from "./openings.js";

export interface EntryLists {
  labs: LabEntry[];
  examples: ExampleEntry[];
}

/** The entries for one language and theme; built again only when one of these changes. */
export class Entries {
  #key = "";
  #listed: EntryLists | null = null;

  of(words: Words, { lang, theme }: Pick<View, "lang" | "theme">): EntryLists {
    const key = [words.language, lang, theme].join();
    if (this.#listed && this.#key === key) return this.#listed;
    this.#key = key;
    const address = (config: Config) => `#${encode(withView(config, { lang, theme }))}`;
    return (this.#listed = {
      labs: labsInOrder.map((lab) => ({
        id: lab,
        chapter: list[lab].chapter,
        title: words(`contents.lab.${lab}`),
        subtitle: words(`contents.about.${lab}`),
        address: address(openingOf(lab, words.language)),
        glyph: glyphOf(lab),
      })),
      examples: examples.map((example) => ({
        id: example.id,
        title: example.title[words.language],
        subtitle: example.about[words.language],
        source: example.source[words.language],
        documents: example.documents ?? [],
        printed: example.printed.length,
        address: address(exampleIn(example.id, words.language)!),
        result: null,
      })),
    });
  }
}

/** The examples with the results that the gallery has computed so far, for one language. */
export function withResults(
  listed: readonly ExampleEntry[],
  gallery: Gallery | null,
  { language }: Words,
): ExampleEntry[] {
  const resultOf = (id: string) => gallery?.results.get(exampleIn(id, language)!) ?? null;
  return listed.map((example) => ({ ...example, result: resultOf(example.id) }));
}

/** The labs with how much of their lesson is done. */
export function withProgress(
  listed: readonly LabEntry[],
  countOf: (lab: LabId) => { done: number; count: number },
): LabEntry[] {
  return listed.map((lab) => {
    const count = countOf(lab.id);
    return { ...lab, done: count.done > 0 ? count : null };
  });
}
