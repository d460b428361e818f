/**
 * Adds links to the corpus: those of the READMEs and the gallery, and any others, with the Config they open as and the
 * numbers they produce now. Existing lines never change.
 */
import { writeFileSync } from "node:fs";
import { decode } from "../../web/config/codec.js";
import type { Config } from "../../web/config/config.js";
import { partOf } from "../../web/labs/list.js";
import { attentionPart, wholeCore, type Compute } from "./computing.js";
import {
  fileOf,
  freeze,
  isUnedited,
  storedNotice,
  linesIn,
  pathOf,
  readFrozen,
  readLinks,
  readNumbers,
  textOf,
  writtenLink,
  type FileName,
} from "./corpus.js";
import { storedTensors, type LinkNumbers } from "./numbers.js";
import { linksOfGallery, linksOfReadme, readmes } from "./published.js";

/** The numbers of a Config. Throws if two computations differ, because such a Config cannot be stored. */
function produced(link: string, config: Config, computes: readonly Compute[]): LinkNumbers {
  const lines = computes.map((compute): LinkNumbers => {
    const { snapshots, error } = compute(config);
    if (error !== undefined) return { link, refused: error };
    return { link, tensors: storedTensors(snapshots, config.view.lab === "complexity") };
  });
  const [first, ...others] = lines.map((line) => JSON.stringify(line));
  if (others.some((other) => other !== first))
    throw new Error(`${link}: computed twice, it gave other numbers`);
  return lines[0]!;
}

/** The lines of a file. Throws Error where a frozen line has changed. */
function unedited(name: FileName): string[] {
  const lines = linesIn(textOf(name));
  if (!isUnedited(lines, readFrozen()[name]))
    throw new Error(`tests/links/${name}: a frozen line was edited or removed; none may be. Restore it`);
  return lines;
}

/** Adds `given` and the published links; returns the links that were added to each file. */
async function addLinks(given: readonly string[]): Promise<Record<FileName, string[]>> {
  const openedLines = unedited("version-1.json");
  const numbers = unedited("version-1-numbers.json");
  const known = new Set(readLinks().map(({ link }) => link));
  const published = [...given, ...readmes.flatMap(linksOfReadme), ...linksOfGallery()];
  const added = [...new Set(published)].filter((link) => !known.has(link));
  for (const link of added) {
    const { notices, config } = decode(link);
    openedLines.push(writtenLink({ link, notices: notices.map(storedNotice), config }));
  }

  const numbered = new Set(readNumbers().map(({ link }) => link));
  const missing = [...known, ...added].filter((link) => !numbered.has(link));
  const [whole, part] = [await wholeCore("simd"), await attentionPart("simd")];
  for (const link of missing) {
    const { config } = decode(link);
    const second = partOf(config) === "attention" ? part : whole;
    numbers.push(JSON.stringify(produced(link, config, [whole, second])));
  }

  writeFileSync(pathOf("version-1.json"), fileOf(openedLines));
  writeFileSync(pathOf("version-1-numbers.json"), fileOf(numbers));
  const frozen = { "version-1.json": freeze(openedLines), "version-1-numbers.json": freeze(numbers) };
  writeFileSync(pathOf("frozen.json"), `${JSON.stringify(frozen, null, 2)}\n`);
  return { "version-1.json": added, "version-1-numbers.json": missing };
}

/** The part of a link after "#"; the link may be given with or without its address. */
const stateOf = (link: string): string => link.slice(link.indexOf("#") + 1);

/** Runs when this module is imported, because the core is loaded by its own import. */
export const added = await addLinks(process.argv.slice(2).map(stateOf));
