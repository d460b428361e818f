/** The settings sentence of the words lab and its controls. */
import { bounds as all } from "../../config/bounds.js";
import {
  STOP,
  bounds,
  distinct,
  lookupOf,
  sentencesOf,
  textWords,
  vocabularyOf,
  withinVocabulary,
} from "../../config/labs/words.js";
import { printable } from "../../config/shortened.js";
import { composeUnicode, isWord, tokenize } from "../../config/tokens.js";
import { parseNumber } from "../../marks/numbers.js";
import { labControls, withoutDefaults, type ControlOf } from "../../telling/controls.js";
import { stringsIn, type Key } from "./strings.js";

const RATES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** The longest sentence, in characters, that the settings sentence quotes. A longer one is a number of words there. */
const MOST_QUOTED = 26;

/** The control of one of the two sentences whose words are counted. */
const sentenceControl = (id: "tokens" | "other"): ControlOf<"words"> => ({
  label({ numbers }, words) {
    const quoted = numbers[id].join(" ");
    const n = numbers[id].length;
    if (quoted.length <= MOST_QUOTED) return stringsIn(words)("words.quoted", { words: quoted });
    return stringsIn(words)(n === 1 ? "words.one" : "words.many", { n });
  },
  help: (_config, words) => stringsIn(words)("help.sentence"),
  set(numbers, typed, _reading, words) {
    const read = tokenize(typed);
    const { min, max } = bounds.sentence;
    if (read.length >= min && read.length <= max) return { ...numbers, [id]: read };
    const text = stringsIn(words);
    return { refused: text("refused.sentence", { field: text(`field.${id}`), given: read.length }) };
  },
});

/** The control of one word of the analogy: the first less the second plus the third. */
const analogyControl = (at: number): ControlOf<"words"> => ({
  kind: "choice",
  essential: true,
  value: ({ numbers }) => String(numbers.analogy[at]),
  label: ({ numbers }) => numbers.names[numbers.analogy[at]!] ?? "",
  options: ({ numbers }) => numbers.names.map((label, place) => ({ value: String(place), label })),
  set(numbers, typed, reading) {
    const place = reading.whole(typed, { min: 0, max: numbers.names.length - 1 });
    if (typeof place !== "number") return place;
    return { ...numbers, analogy: numbers.analogy.map((old, other) => (other === at ? place : old)) };
  },
});

/** Reads a pasted text: its words in lower case and without punctuation, with a full stop between sentences. */
function readText(typed: string): string[] {
  const plain = typed
    .toLowerCase()
    .replace(/[.!?;:。！？；：…\n]+/g, ` ${STOP} `)
    .replace(/[,，、"“”‘’()（）《》[\]{}]|(?<!\p{L})'|'(?!\p{L})/gu, " ");
  // A text without spaces between its words is cut into words by `tokenize`.
  const hasSpaces = /\S[^\S\n]+\S/.test(typed);
  const runs = plain.trim().split(/\s+/).filter(Boolean);
  const allWords = runs.flatMap((run) =>
    hasSpaces && isWord(run, 1, all.wordLength.max) ? [run] : tokenize(run),
  );
  const words = allWords.filter((word, at) => word !== STOP || (at > 0 && allWords[at - 1] !== STOP));
  return words.at(-1) === STOP ? words.slice(0, -1) : words;
}

/** Reads "king 0.9 0.1, queen 0.9 0.9" as words and rows; null if the text has another form. */
function readVectors(typed: string): { names: string[]; x: number[][] } | null {
  const entries = typed
    .split(/[,，;；\n]/)
    .map((entry) => entry.trim().split(/\s+/).filter(Boolean))
    .filter((entry) => entry.length > 0);
  const names = entries.map(([name]) => composeUnicode(name!));
  const rows = entries.map(([, ...numbers]) => numbers.map(parseNumber));
  const width = rows[0]?.length ?? 0;
  const isValid =
    entries.length >= bounds.names.min &&
    entries.length <= bounds.names.max &&
    distinct(names).length === names.length &&
    names.every((name) => isWord(name, all.wordLength.min, all.wordLength.max)) &&
    width >= bounds.width.min &&
    width <= bounds.width.max &&
    rows.every((row) => row.length === width && !row.includes(null));
  return isValid ? { names, x: rows as number[][] } : null;
}

/** The control of the token ids, which are typed with commas or spaces between them. */
const idsControl: ControlOf<"words"> = {
  kind: "words",
  essential: true,
  value: ({ numbers }) => lookupOf(numbers).ids.join(", "),
  label: ({ numbers }) => lookupOf(numbers).ids.join(", "),
  set(numbers, typed, reading, words) {
    const { ids: before, rows } = lookupOf(numbers);
    const list = typed.split(/[\s,，、;；]+/).filter(Boolean);
    const { min, max } = bounds.ids;
    if (list.length < min || list.length > max)
      return { refused: stringsIn(words)("refused.ids", { given: list.length }) };
    const read: number[] = [];
    for (const text of list) {
      const id = reading.whole(text, { min: 0, max: Number.MAX_SAFE_INTEGER });
      if (typeof id !== "number" || id >= rows)
        return { refused: stringsIn(words)("refused.id", { rows, max: rows - 1, given: printable(text) }) };
      read.push(id);
    }
    if (read.join() === before.join()) return numbers;
    return withoutDefaults({ ...numbers, ids: read }, lookupOf({}));
  },
};

export const settings = labControls({
  id: "words",
  strings: stringsIn,
  sentence: ({ numbers: { topic, loss } }, words) =>
    stringsIn(words)((topic === "learn" ? `sentence.learn.${loss}` : `sentence.${topic}`) as Key),
  controls: {
    topic: { essential: true },
    tokens: sentenceControl("tokens"),
    other: sentenceControl("other"),
    names: {
      value: ({ numbers }) => numbers.names.map((name, at) => [name, ...numbers.x[at]!].join(" ")).join(", "),
      label: ({ numbers }, words) => stringsIn(words)("words.many", { n: numbers.names.length }).trim(),
      set(numbers, typed, _reading, words) {
        const read = readVectors(typed);
        if (!read) return { refused: stringsIn(words)("refused.names", { given: typed }) };
        const inside = numbers.analogy.every((place) => place < read.names.length);
        return { ...numbers, ...read, analogy: inside ? numbers.analogy : [0, 1, 2] };
      },
    },
    a: analogyControl(0),
    b: analogyControl(1),
    c: analogyControl(2),
    text: {
      label: ({ numbers }, words) => stringsIn(words)("text.many", { n: textWords(numbers.text).length }),
      set(numbers, typed, _reading, words) {
        const read = readText(typed);
        const text = withinVocabulary(read.slice(0, bounds.text.max));
        const fits =
          read.length <= bounds.text.max &&
          vocabularyOf(read).length <= bounds.vocabulary.max &&
          vocabularyOf(text).length >= bounds.vocabulary.min &&
          sentencesOf(text).some((one) => one.length > 1) &&
          text.every((word) => isWord(word, all.wordLength.min, all.wordLength.max));
        if (!fits) return { refused: stringsIn(words)("refused.text", { given: textWords(read).length }) };
        return { ...numbers, text, at: Math.min(numbers.at, textWords(text).length - 1) };
      },
    },
    method: { essential: true },
    rate: { stops: RATES },
    // While the last step is shown, a change of `steps` shows the new last step.
    steps: {
      then: (after, before) => ({
        ...after,
        step: before.step === before.steps ? after.steps : Math.min(after.step, after.steps),
      }),
    },
    step: { range: ({ steps }) => ({ min: 0, max: steps }) },
    ids: idsControl,
    rows: {
      value: ({ numbers }) => String(lookupOf(numbers).rows),
      label: ({ numbers }, words) => stringsIn(words)("rows.many", { n: lookupOf(numbers).rows }),
      range: (numbers) => ({
        min: Math.max(bounds.rows.min, ...lookupOf(numbers).ids.map((id) => id + 1)),
        max: bounds.rows.max,
      }),
      then: (after) => withoutDefaults(after, lookupOf({})),
    },
    at: {
      kind: "choice",
      essential: true,
      range: ({ text }) => ({ min: 0, max: textWords(text).length - 1 }),
      label: ({ numbers }) => textWords(numbers.text)[numbers.at] ?? "",
      // Each word stands for its first place in the text, and the selected word for the selected place.
      options({ numbers }) {
        const wordsOfText = textWords(numbers.text);
        return vocabularyOf(numbers.text).map((label) => {
          const place = label === wordsOfText[numbers.at] ? numbers.at : wordsOfText.indexOf(label);
          return { value: String(place), label };
        });
      },
    },
  },
});
