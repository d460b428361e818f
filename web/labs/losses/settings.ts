/** The settings of the losses lab as a sentence, and how each is changed. */
import type { ConfigOf, Matrix } from "../../config/config.js";
import { lossesBounds, lossesChoices, type LossesNumbers } from "../../config/labs/losses.js";
import { isWord } from "../../config/tokens.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { changing, type Refused } from "../settings.js";
import { counted, say, type Key, type Say } from "./words.js";

const SHARES = [0, 0.05, 0.1, 0.2, 0.3, 0.5];

export function title({ numbers }: ConfigOf<"losses">, words: Words): string {
  return say(words)(numbers.topic === "smoothing" ? "title" : `title.${numbers.topic}`);
}

export function lede({ numbers }: ConfigOf<"losses">, words: Words, narrow: boolean): string {
  const key = numbers.topic === "smoothing" ? "lede" : (`lede.${numbers.topic}` as const);
  return say(words)(narrow ? `${key}.narrow` : key);
}

/** A share as one of a list; one that came with a link stands among them. */
function share(id: "smoothing" | "dropout", value: number, said: Say): Control {
  const all = [...new Set([...SHARES, value])].sort((a, b) => a - b);
  return {
    id,
    kind: "choice",
    essential: true,
    title: said(`field.${id}`),
    help: said(`help.${id}`),
    value: String(value),
    label: String(value),
    options: all.map((one) => ({ value: String(one), label: String(one) })),
  };
}

export function sentence(
  { numbers }: ConfigOf<"losses">,
  words: Words,
): { text: string; controls: Control[] } {
  const said = say(words);
  const { topic, classes, targets, spread, draws, seed, logits } = numbers;
  const number = (
    id: "rows" | "draws" | "seed",
    value: number,
    label: string,
    title: Key = `field.${id}`,
    help: Key = `help.${id}`,
  ): Control => ({
    id,
    kind: "number",
    title: said(title),
    help: said(help),
    value: String(value),
    ...lossesBounds[id],
    label,
  });
  const spreadLabel = (rule: "all" | "others") =>
    said(`spread.${rule}`, { n: rule === "all" ? classes.length : classes.length - 1 });
  const controls: Control[] = [
    {
      id: "topic",
      kind: "choice",
      essential: true,
      title: said("field.topic"),
      help: said("help.topic"),
      value: topic,
      label: said(`topic.${topic}`),
      options: lossesChoices.topic.map((value) => ({ value, label: said(`topic.${value}`) })),
    },
    number("rows", targets.length, counted(said, "rows", targets.length)),
    {
      id: "classes",
      kind: "words",
      title: said("field.classes"),
      help: said("help.classes"),
      value: classes.join(" "),
      label: counted(said, "classes", classes.length),
    },
    {
      id: "targets",
      kind: "words",
      title: said("field.targets"),
      help: said("help.targets"),
      value: targets.map((target) => classes[target]).join(" "),
      label: targets.map((target) => classes[target]).join(", "),
    },
    share("smoothing", numbers.smoothing, said),
    {
      id: "spread",
      kind: "choice",
      title: said("field.spread"),
      help: said("help.spread"),
      value: spread,
      label: spreadLabel(spread),
      options: lossesChoices.spread.map((value) => ({ value, label: spreadLabel(value) })),
    },
    share("dropout", numbers.dropout, said),
    number("draws", draws, counted(said, "draws", draws)),
    topic === "dropout"
      ? number("seed", seed, words("labs.seed", { n: seed }))
      : number(
          "seed",
          seed,
          logits ? said("logits.given") : said("logits.seed", { n: seed }),
          "field.logits",
          "help.logits",
        ),
  ];
  const text = said(`sentence.${topic}`);
  return { text, controls: controls.filter(({ id }) => text.includes(`{${id}}`)) };
}

/** The rows and columns that stay, keep their logits; new ones begin at 0. */
function resized(logits: Matrix | null, rows: number, columns: number): Matrix | null {
  if (!logits) return null;
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => logits[i]?.[j] ?? 0),
  );
}

function withRows(numbers: LossesNumbers, targets: number[]): LossesNumbers {
  const logits = resized(numbers.logits, targets.length, numbers.classes.length);
  return { ...numbers, targets, logits };
}

const namesIn = (typed: string): string[] => typed.split(/[\s,，、]+/).filter(Boolean);

function set(numbers: LossesNumbers, control: string, value: string, words: Words): LossesNumbers | Refused {
  const said = say(words);
  const chosen = <T extends string>(options: readonly T[], key: Key): T | Refused =>
    options.find((option) => option === value) ?? {
      refused: words("labs.refused.choice", { field: said(key), options: options.join(", "), given: value }),
    };
  const whole = (id: "rows" | "draws" | "seed"): number | Refused => {
    const { min, max } = lossesBounds[id];
    const typed = Number(value.trim());
    if (/^\d+$/.test(value.trim()) && typed >= min && typed <= max) return typed;
    return { refused: words("labs.refused.whole", { field: said(`field.${id}`), min, max, given: value }) };
  };
  switch (control) {
    case "topic": {
      const topic = chosen(lossesChoices.topic, "field.topic");
      return typeof topic === "string" ? { ...numbers, topic } : topic;
    }
    case "spread": {
      const spread = chosen(lossesChoices.spread, "field.spread");
      return typeof spread === "string" ? { ...numbers, spread } : spread;
    }
    case "smoothing":
    case "dropout": {
      const { min, max } = lossesBounds[control];
      const part = Number(value);
      if (value.trim() !== "" && part >= min && part <= max) return { ...numbers, [control]: part };
      return chosen(SHARES.map(String), `field.${control}`) as Refused;
    }
    case "rows": {
      const rows = whole("rows");
      if (typeof rows !== "number") return rows;
      return withRows(
        numbers,
        Array.from({ length: rows }, (_, at) => numbers.targets[at] ?? 0),
      );
    }
    case "classes": {
      const classes = namesIn(value);
      const { min, max } = lossesBounds.classes;
      if (
        classes.length < min ||
        classes.length > max ||
        new Set(classes).size < classes.length ||
        !classes.every((name) => isWord(name, 1, 40))
      )
        return { refused: said("refused.classes", { min, max, given: value.trim() || "0" }) };
      const targets = numbers.targets.map((target) => Math.min(target, classes.length - 1));
      return withRows({ ...numbers, classes }, targets);
    }
    case "targets": {
      const targets = namesIn(value).map((name) => numbers.classes.indexOf(name));
      const { max } = lossesBounds.rows;
      if (targets.length < 1 || targets.length > max || targets.includes(-1)) {
        const names = numbers.classes.join(", ");
        return { refused: said("refused.targets", { max, names, given: value.trim() || "0" }) };
      }
      return withRows(numbers, targets);
    }
    case "draws": {
      const draws = whole("draws");
      return typeof draws === "number" ? { ...numbers, draws } : draws;
    }
    case "seed": {
      const seed = whole("seed");
      if (typeof seed !== "number") return seed;
      if (numbers.topic === "dropout") return { ...numbers, seed };
      return { ...numbers, seed, logits: null, edits: [] };
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const change = changing("losses", set);
