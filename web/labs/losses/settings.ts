/** The settings of the losses lab as a sentence. */
import type { ConfigOf, Matrix } from "../../config/config.js";
import { lossesBounds, type LossesNumbers } from "../../config/labs/losses.js";
import { isWord } from "../../config/tokens.js";
import type { Words } from "../../i18n/words.js";
import { labControls, type ControlOf } from "../../telling/controls.js";
import { stringsIn } from "./strings.js";

export function title({ numbers }: ConfigOf<"losses">, words: Words): string {
  return stringsIn(words)(numbers.topic === "smoothing" ? "title" : `title.${numbers.topic}`);
}

export function lede({ numbers }: ConfigOf<"losses">, words: Words, isNarrow: boolean): string {
  const key = numbers.topic === "smoothing" ? "lede" : (`lede.${numbers.topic}` as const);
  return stringsIn(words)(isNarrow ? `${key}.narrow` : key);
}

/** The control of a probability: a list of usual values and the present one. */
const probability = (id: "smoothing" | "dropout"): ControlOf<"losses"> => ({
  essential: true,
  options: ({ numbers }) =>
    [...new Set([0, 0.05, 0.1, 0.2, 0.3, 0.5, numbers[id]])]
      .sort((a, b) => a - b)
      .map((one) => ({ value: String(one), label: String(one) })),
});

/** Resizes a matrix of logits: rows and columns that remain keep their values, and new cells are 0. */
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

export const settings = labControls({
  id: "losses",
  strings: stringsIn,
  sentence: ({ numbers }, words) => stringsIn(words)(`sentence.${numbers.topic}`),
  controls: {
    topic: { essential: true },
    rows: {
      kind: "number",
      range: () => lossesBounds.rows,
      value: ({ numbers }) => String(numbers.targets.length),
      label({ numbers }, words) {
        const n = numbers.targets.length;
        return stringsIn(words)(n === 1 ? "rows.one" : "rows.many", { n });
      },
      set(numbers, typed, reading) {
        const rows = reading.whole(typed, lossesBounds.rows);
        if (typeof rows !== "number") return rows;
        return withRows(
          numbers,
          Array.from({ length: rows }, (_, at) => numbers.targets[at] ?? 0),
        );
      },
    },
    classes: {
      set(numbers, typed, _reading, words) {
        const classes = namesIn(typed);
        const { min, max } = lossesBounds.classes;
        if (
          classes.length < min ||
          classes.length > max ||
          new Set(classes).size < classes.length ||
          !classes.every((name) => isWord(name, 1, 40))
        )
          return { refused: stringsIn(words)("refused.classes", { min, max, given: typed.trim() || "0" }) };
        const targets = numbers.targets.map((target) => Math.min(target, classes.length - 1));
        return withRows({ ...numbers, classes }, targets);
      },
    },
    targets: {
      kind: "words",
      value: ({ numbers: { targets, classes } }) => targets.map((target) => classes[target]).join(" "),
      label: ({ numbers: { targets, classes } }) => targets.map((target) => classes[target]).join(", "),
      set(numbers, typed, _reading, words) {
        const targets = namesIn(typed).map((name) => numbers.classes.indexOf(name));
        const { max } = lossesBounds.rows;
        if (targets.length < 1 || targets.length > max || targets.includes(-1)) {
          const names = numbers.classes.join(", ");
          return { refused: stringsIn(words)("refused.targets", { max, names, given: typed.trim() || "0" }) };
        }
        return withRows(numbers, targets);
      },
    },
    smoothing: probability("smoothing"),
    spread: {
      options: ({ numbers }, words) =>
        (["all", "others"] as const).map((value) => ({ value, label: spreadText(numbers, value, words) })),
      label: ({ numbers }, words) => spreadText(numbers, numbers.spread, words),
    },
    dropout: probability("dropout"),
    // A new seed of the logits replaces logits that were given or edited.
    seed: {
      stringsId: ({ topic }) => (topic === "dropout" ? "seed" : "logits"),
      label({ numbers: { topic, seed, logits } }, words) {
        if (topic === "dropout") return words("labs.seed", { n: seed });
        return logits ? stringsIn(words)("logits.given") : stringsIn(words)("logits.seed", { n: seed });
      },
      then: (after) => (after.topic === "dropout" ? after : { ...after, logits: null, edits: [] }),
    },
  },
});

/** The text for the classes over which the smoothing is spread. */
const spreadText = ({ classes }: LossesNumbers, spread: "all" | "others", words: Words): string =>
  stringsIn(words)(`spread.${spread}`, { n: spread === "all" ? classes.length : classes.length - 1 });
