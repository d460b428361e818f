/** The settings of the words lab as a sentence, and what sets them. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import {
  STOP,
  bounds,
  distinct,
  losses,
  methods,
  sentencesOf,
  textWords,
  topics,
  vocabularyOf,
  withinVocabulary,
} from "../../config/labs/words.js";
import type { Range } from "../../config/bounds.js";
import { composed, isWord, tokenize } from "../../config/tokens.js";
import { bounds as all } from "../../config/bounds.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { decimalNumber, oneOf, wholeNumber, type Refused } from "../settings.js";
import { said, type OwnKey } from "./strings.js";

type Numbers = NumbersOf["words"];

const RATES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** A sentence up to this length is written out in the settings. */
const WRITTEN_OUT = 26;

const RIDDLE = ["a", "b", "c"] as const;
type Riddle = (typeof RIDDLE)[number];
const isRiddle = (control: string): control is Riddle => (RIDDLE as readonly string[]).includes(control);

export function sentence(
  { numbers }: ConfigOf<"words">,
  words: Words,
): { text: string; controls: Control[] } {
  const text = said(words);
  const counted = (key: "words" | "negatives" | "window" | "steps", n: number) =>
    text(`${key}.${n === 1 ? "one" : "many"}`, { n });
  const titled = (id: string, help = `help.${id}`) => ({
    id,
    title: text(`field.${id}` as OwnKey),
    help: text(help as OwnKey),
  });
  const choice = <T extends string>(id: string, value: T, options: readonly T[]): Control => ({
    ...titled(id),
    kind: "choice",
    value,
    label: text(`${id}.${value}` as OwnKey),
    options: options.map((one) => ({ value: one, label: text(`${id}.${one}` as OwnKey) })),
  });
  const number = (id: string, value: number, { min, max }: Range, label: string): Control => ({
    ...titled(id),
    kind: "number",
    value: String(value),
    min,
    max,
    label,
  });
  const typed = (id: "tokens" | "other"): Control => {
    const whole = numbers[id].join(" ");
    return {
      ...titled(id, "help.sentence"),
      kind: "words",
      value: whole,
      label:
        whole.length <= WRITTEN_OUT
          ? text("words.quoted", { words: whole })
          : counted("words", numbers[id].length),
    };
  };
  const riddle = (id: Riddle, at: number): Control => ({
    id,
    kind: "choice",
    title: text(`field.${id}`),
    value: String(numbers.analogy[at]),
    label: numbers.names[numbers.analogy[at]!] ?? "",
    options: numbers.names.map((name, place) => ({ value: String(place), label: name })),
    essential: true,
  });
  const spoken = textWords(numbers.text);
  const controls: Control[] = [
    { ...choice("topic", numbers.topic, topics), essential: true },
    typed("tokens"),
    typed("other"),
    {
      ...titled("names"),
      kind: "words",
      value: numbers.names.map((name, at) => [name, ...numbers.x[at]!].join(" ")).join(", "),
      label: counted("words", numbers.names.length).trim(),
    },
    ...RIDDLE.map(riddle),
    {
      ...titled("text"),
      kind: "words",
      value: numbers.text.join(" "),
      label: text("text.many", { n: spoken.length }),
    },
    { ...choice("method", numbers.method, methods), essential: true },
    choice("loss", numbers.loss, losses),
    number("negatives", numbers.negatives, bounds.negatives, counted("negatives", numbers.negatives)),
    number("window", numbers.window, bounds.window, counted("window", numbers.window)),
    number("dim", numbers.dim, bounds.dim, text("dim.many", { n: numbers.dim })),
    number("seed", numbers.seed, bounds.seed, text("seed", { n: numbers.seed })),
    { ...number("rate", numbers.rate, bounds.rate, String(numbers.rate)), stops: RATES },
    number("steps", numbers.steps, bounds.steps, counted("steps", numbers.steps)),
    {
      ...titled("at"),
      kind: "choice",
      value: String(numbers.at),
      label: spoken[numbers.at] ?? "",
      essential: true,
      // Each word where it first stands, but the one that is looked at where it is.
      options: vocabularyOf(numbers.text).map((word) => {
        const place = word === spoken[numbers.at] ? numbers.at : spoken.indexOf(word);
        return { value: String(place), label: word };
      }),
    },
  ];
  const key =
    numbers.topic === "learn" ? (`sentence.learn.${numbers.loss}` as const) : `sentence.${numbers.topic}`;
  const whole = text(key as OwnKey);
  return { text: whole, controls: controls.filter(({ id }) => whole.includes(`{${id}}`)) };
}

/** A pasted text: small letters, marks taken off, sentences ended by a full stop. */
function textIn(typed: string): string[] {
  const plain = typed
    .toLowerCase()
    .replace(/[.!?;:。！？；：…\n]+/g, ` ${STOP} `)
    .replace(/[,，、"“”‘’()（）《》[\]{}]|(?<!\p{L})'|'(?!\p{L})/gu, " ");
  // Where the text itself has no space between two words, every sentence is cut as one without.
  const spaced = /\S[^\S\n]+\S/.test(typed);
  const runs = plain.trim().split(/\s+/).filter(Boolean);
  const cut = runs.flatMap((run) => (spaced && isWord(run, 1, all.wordLength.max) ? [run] : tokenize(run)));
  const whole = cut.filter((word, at) => word !== STOP || (at > 0 && cut[at - 1] !== STOP));
  return whole.at(-1) === STOP ? whole.slice(0, -1) : whole;
}

const decimal = /^[-\u2212]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** "king 0.9 0.1, queen 0.9 0.9" as words and rows; null where it is not that. */
function namesIn(typed: string): { names: string[]; x: number[][] } | null {
  const entries = typed
    .split(/[,，;；\n]/)
    .map((entry) => entry.trim().split(/\s+/).filter(Boolean))
    .filter((entry) => entry.length > 0);
  const names = entries.map(([name]) => composed(name!));
  const rows = entries.map(([, ...numbers]) => numbers);
  const width = rows[0]?.length ?? 0;
  const holds =
    entries.length >= bounds.names.min &&
    entries.length <= bounds.names.max &&
    distinct(names).length === names.length &&
    names.every((name) => isWord(name, all.wordLength.min, all.wordLength.max)) &&
    width >= bounds.dim.min &&
    width <= bounds.dim.max &&
    rows.every((row) => row.length === width && row.every((number) => decimal.test(number)));
  return holds ? { names, x: rows.map((row) => row.map((one) => Number(one.replace("\u2212", "-")))) } : null;
}

export function set(numbers: Numbers, control: string, value: string, words: Words): Numbers | Refused {
  const text = said(words);
  const own = (id: string) => ({ own: text(`field.${id}` as OwnKey) });
  if (isRiddle(control)) {
    const place = wholeNumber(value, own(control), { min: 0, max: numbers.names.length - 1 }, words);
    if (typeof place !== "number") return place;
    const analogy = numbers.analogy.map((old, at) => (RIDDLE[at] === control ? place : old));
    return { ...numbers, analogy };
  }
  switch (control) {
    case "topic": {
      const topic = oneOf(value, own(control), topics, words);
      return typeof topic === "string" ? { ...numbers, topic } : topic;
    }
    case "tokens":
    case "other": {
      const typed = tokenize(value);
      const { min, max } = bounds.sentence;
      if (typed.length < min || typed.length > max)
        return {
          refused: text("refused.sentence", { field: text(`field.${control}`), given: typed.length }),
        };
      return { ...numbers, [control]: typed };
    }
    case "names": {
      const read = namesIn(value);
      if (!read) return { refused: text("refused.names", { given: value }) };
      const analogy = numbers.analogy.every((place) => place < read.names.length)
        ? numbers.analogy
        : [0, 1, 2];
      return { ...numbers, ...read, analogy };
    }
    case "text": {
      const typed = textIn(value);
      const kept = withinVocabulary(typed.slice(0, bounds.text.max));
      const fits =
        typed.length <= bounds.text.max &&
        vocabularyOf(typed).length <= bounds.vocabulary.max &&
        vocabularyOf(kept).length >= bounds.vocabulary.min &&
        sentencesOf(kept).some((one) => one.length > 1) &&
        kept.every((word) => isWord(word, all.wordLength.min, all.wordLength.max));
      if (!fits) return { refused: text("refused.text", { given: textWords(typed).length }) };
      return { ...numbers, text: kept, at: Math.min(numbers.at, textWords(kept).length - 1) };
    }
    case "method": {
      const method = oneOf(value, own(control), methods, words);
      return typeof method === "string" ? { ...numbers, method } : method;
    }
    case "loss": {
      const loss = oneOf(value, own(control), losses, words);
      return typeof loss === "string" ? { ...numbers, loss } : loss;
    }
    case "rate": {
      const rate = decimalNumber(value, own(control), bounds.rate, words);
      return typeof rate === "number" ? { ...numbers, rate } : rate;
    }
    case "steps": {
      const steps = wholeNumber(value, own(control), bounds.steps, words);
      if (typeof steps !== "number") return steps;
      // At the end stays at the end.
      return {
        ...numbers,
        steps,
        step: numbers.step === numbers.steps ? steps : Math.min(numbers.step, steps),
      };
    }
    case "step": {
      const step = wholeNumber(value, own(control), { min: 0, max: numbers.steps }, words);
      return typeof step === "number" ? { ...numbers, step } : step;
    }
    case "at": {
      const last = textWords(numbers.text).length - 1;
      const at = wholeNumber(value, own(control), { min: 0, max: last }, words);
      return typeof at === "number" ? { ...numbers, at } : at;
    }
    case "dim":
    case "seed":
    case "negatives":
    case "window": {
      const whole = wholeNumber(value, own(control), bounds[control], words);
      return typeof whole === "number" ? { ...numbers, [control]: whole } : whole;
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}
