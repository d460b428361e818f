/** What the search looks through, and how it finds. */
import type { LabId } from "../../config/config.js";
import { plainProse } from "../../elements/prose.js";
import { examples, type DocumentId } from "../../examples/index.js";
import { fetchWords } from "../../i18n/fetched.js";
import { wordsIn, type Language, type Words } from "../../i18n/words.js";
import { loadLesson } from "../../labs/lessons.js";
import { list } from "../../labs/list.js";
import { labsInOrder } from "../open-lab.js";
import { documentIds } from "./documents.js";
import { mapWords } from "./words.js";

export const groups = ["labs", "terms", "claims", "lessons", "examples", "documents"] as const;
export type Group = (typeof groups)[number];

/** Where an entry leads: to a lab or a part of its lesson, an example, a document, or the state of a link. */
export type Opening =
  { lab: LabId; lesson?: string } | { example: string } | { document: DocumentId } | { hash: string };

export interface Entry {
  group: Group;
  /** The number of its lab or document; empty if it has none. */
  number: string;
  text: string;
  /** The same in the other language. */
  other: string;
  also?: readonly string[];
  opens: Opening;
}

/** An entry that was found, with the part of its text, or of the other one, that was searched for. */
export interface Found {
  entry: Entry;
  /** Absent: another name was found. */
  match?: { in: "text" | "other"; from: number; to: number };
}

const otherLanguage = (language: Language): Language => (language === "en" ? "zh-CN" : "en");

/** What is there without fetching anything more: labs, examples, documents. */
export function firstEntries(words: Words, otherWords: Words | null): Entry[] {
  const { language } = words;
  const other = otherLanguage(language);
  const lab = (of: Words, id: LabId): string =>
    mapWords(of)("search.lab", { title: of(`contents.lab.${id}`), about: of(`contents.about.${id}`) });
  return [
    ...labsInOrder.map((id): Entry => ({
      group: "labs",
      number: String(list[id].chapter),
      text: lab(words, id),
      other: otherWords?.(`contents.lab.${id}`) ?? "",
      opens: { lab: id },
    })),
    ...examples.map(({ id, title, about, config }): Entry => ({
      group: "examples",
      number: String(list[config.view.lab].chapter),
      text: title[language],
      other: title[other],
      also: [about[language]],
      opens: { example: id },
    })),
    ...documentIds.map((id): Entry => ({
      group: "documents",
      number: id,
      text: mapWords(words)(`document.${id}`),
      other: otherWords ? mapWords(otherWords)(`document.${id}`) : "",
      opens: { document: id },
    })),
  ];
}

/** The claims that the training lab tests, and what can be trained there. */
async function trainingEntries(words: Words, otherWords: Words): Promise<Entry[]> {
  const [{ claimLinks }, { taskLinks }] = await Promise.all([
    import("../../labs/training/claim-links.js"),
    import("../../labs/training/task-links.js"),
  ]);
  const [otherClaims, otherTasks] = [claimLinks(otherWords), taskLinks(otherWords)];
  const number = String(list.training.chapter);
  return [
    ...claimLinks(words).map(({ sentence: text, link }, at): Entry => ({
      group: "claims",
      number,
      text,
      other: otherClaims[at]!.sentence,
      opens: { hash: link },
    })),
    ...taskLinks(words).map(({ title: text, name, link }, at): Entry => ({
      group: "examples",
      number,
      text,
      other: otherTasks[at]!.title,
      also: [name, otherTasks[at]!.name],
      opens: { hash: link },
    })),
  ];
}

/** Everything: terms, claims, the lessons and the names of the other language are fetched. Rejects with the browser's Error. */
export async function allEntries(words: Words): Promise<Entry[]> {
  const { language } = words;
  const other = otherLanguage(language);
  const [{ terms }, lessons] = await Promise.all([
    import("./terms.js"),
    Promise.all(labsInOrder.map(async (lab) => ({ lab, lesson: await loadLesson(lab) }))),
    fetchWords(other),
  ]);
  const otherWords = wordsIn(other);
  const training = await trainingEntries(words, otherWords);
  const numberOf = (lab: LabId): string => String(list[lab].chapter);
  return [
    ...firstEntries(words, otherWords),
    ...terms.map(({ lab, part, example, also = [], ...names }): Entry => ({
      group: "terms",
      number: numberOf(lab),
      text: names[language],
      other: names[other],
      also,
      opens: example ? { example } : { lab, ...(part ? { lesson: part } : {}) },
    })),
    ...training,
    ...lessons.flatMap(({ lab, lesson }) =>
      lesson.parts.map(({ id, heading }): Entry => ({
        group: "lessons",
        number: numberOf(lab),
        text: plainProse(heading[language]),
        other: plainProse(heading[other]),
        opens: { lab, lesson: id },
      })),
    ),
  ];
}

/** Lower case, so that the positions of letters stay the same. */
const plain = (text: string): string => text.toLowerCase();

/** Where a text has what is searched for, and how well: at its beginning, at that of a word, or inside one. */
function find(text: string, sought: string): { at: number; cost: number } | null {
  const at = plain(text).indexOf(sought);
  if (at < 0) return null;
  const wordAt = [...plain(text).matchAll(/[\p{L}\p{N}]+/gu)].find(
    ({ 0: word, index }) => word.startsWith(sought) && index >= at,
  );
  if (at === 0) return { at, cost: text.length === sought.length ? 0 : 1 };
  return wordAt ? { at: wordAt.index, cost: 2 } : { at, cost: 3 };
}

/** All names of an entry. */
const namesOf = ({ text, other, also = [] }: Entry): string => plain([text, other, ...also].join(" "));

/** The words of a text, without the "s" of a plural; of Chinese, which has no spaces, every two signs that follow each other. */
function wordsOf(text: string): string[] {
  return (text.match(/\p{Script=Han}+|[^\P{L}\p{Script=Han}]+|\p{N}+/gu) ?? []).flatMap((word) =>
    /\p{Script=Han}/u.test(word) && word.length > 1
      ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
      : [word.replace(/(?<=\p{L}{4})s$/u, "")],
  );
}

/** Whether a text has several words, or four Chinese signs: where nothing has all of it, the entries nearest to its words are found. */
const isQuestion = (text: string): boolean =>
  /\S\s+\S|\p{Script=Han}{4}|\p{Script=Han}[a-z]|[a-z]\p{Script=Han}/u.test(text);

/** An entry answers a question if its score is at least this share of the best one. */
const NEAR = 0.6;
/** What a word counts that stands in another name of the entry, such as the sentence about an example, and not in its text. */
const ALSO = 0.8;

/**
 * The entries nearest to a question: those that have its rarest words, so that "is", "the" and "吗" count little. Of a word that none of
 * them has, the beginning that is found counts, and less the shorter it is. The best stands first.
 */
function answers(entries: readonly Entry[], question: string): Found[] {
  const names = entries.map(namesOf);
  const texts = entries.map(({ text }) => plain(text));
  const scores = new Float64Array(entries.length);
  for (const word of new Set(wordsOf(question))) {
    let part = word;
    const having = (): number[] => names.flatMap((name, at) => (name.includes(part) ? [at] : []));
    let at = having();
    while (at.length === 0 && part.length > 4) {
      part = part.slice(0, -1);
      at = having();
    }
    const weight = (1 - at.length / entries.length) ** 3 * (part.length / word.length);
    for (const one of at) scores[one]! += texts[one]!.includes(part) ? weight : ALSO * weight;
  }
  const most = Math.max(0, ...scores);
  return entries
    .map((entry, at) => ({ entry, score: scores[at]! }))
    .filter(({ score }) => score > 0 && score >= NEAR * most)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => ({ entry }));
}

/** The entries that have what is searched for, group by group and the best of each first; else those that are nearest to it as a question, the best first. */
export function search(entries: readonly Entry[], sought: string): Found[] {
  const text = plain(sought.trim());
  if (text === "") return [];
  const found = entries.flatMap((entry): { found: Found; cost: number }[] => {
    for (const [place, extra] of [
      ["text", 0],
      ["other", 4],
    ] as const) {
      const hit = find(entry[place], text);
      if (!hit) continue;
      const match = { in: place, from: hit.at, to: hit.at + text.length };
      return [{ found: { entry, match }, cost: hit.cost + extra }];
    }
    // Other names of terms count, and all words of a longer search.
    const whole = namesOf(entry);
    return text.split(/\s+/).every((word) => whole.includes(word)) ? [{ found: { entry }, cost: 9 }] : [];
  });
  if (found.length === 0) return isQuestion(text) ? answers(entries, text) : [];
  const rank = ({ found: one, cost }: (typeof found)[number]): number =>
    100 * groups.indexOf(one.entry.group) + cost;
  return found.sort((one, other) => rank(one) - rank(other)).map((one) => one.found);
}

/** The number of letters to change, add or leave out between two words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++)
      next.push(
        Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length]!;
}

/** The term or lab whose name is nearest to what is searched for; null if none has anything in common with it. */
export function nearest(entries: readonly Entry[], sought: string): Entry | null {
  const text = plain(sought.trim());
  let best: Entry | null = null;
  let least = text.length;
  for (const entry of entries) {
    if (entry.group !== "terms" && entry.group !== "labs") continue;
    const names = [entry.text, entry.other, ...(entry.also ?? [])].map(plain);
    for (const name of [...names, ...names.flatMap((one) => one.split(/[^\p{L}\p{N}]+/u))]) {
      if (name === "") continue;
      const away = distance(text, name);
      if (away < least) [best, least] = [entry, away];
    }
  }
  return best;
}
