/** The settings of the optimizers lab as a sentence. */
import type { NumbersOf } from "../../config/config.js";
import {
  batchOf,
  bounds,
  dataOf,
  hasBatches,
  optimizers,
  samplesOf,
  seedOf,
} from "../../config/labs/optimizers.js";
import type { Range } from "../../config/bounds.js";
import { labControls, type ControlOf } from "../../telling/controls.js";
import { rateOf, settingText } from "./settings-text.js";
import { stringsIn } from "./strings.js";
import { windows } from "./windows.js";

type Numbers = NumbersOf["optimizers"];

/** The rates that − and + step to. */
const RATES = [
  1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,
  2, 5, 10,
];
const KEPT_SHARES = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 0.9999];

/** The next smaller rate on the list. */
export const smallerRate = (rate: number): number | undefined => RATES.findLast((one) => one < rate);

/** The settings sentence of each optimizer, named by the settings that it has besides a rate. */
const sentenceKinds = {
  sgd: "rate",
  momentum: "momentum",
  adagrad: "rate",
  rmsprop: "alpha",
  adam: "betas",
} as const;

const decimal = /^[-\u2212]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** The numbers of a text, or null if a piece is not a number or is out of range. */
function numbersIn(typed: string, { min, max }: Range): number[] | null {
  const pieces = typed.split(/[\s,，、;；()（）]+/).filter(Boolean);
  if (!pieces.every((piece) => decimal.test(piece))) return null;
  const values = pieces.map((piece) => Number(piece.replace("\u2212", "-")));
  return values.every((value) => value >= min && value <= max) ? values : null;
}

/** The subjects that the reader chooses from: the topics, and a line with mini-batches. */
const subjects = ["line", "batches", "sparse", "surface", "schedule"] as const;
type Subject = (typeof subjects)[number];

const subjectOf = (numbers: Numbers): Subject =>
  numbers.topic === "line" && hasBatches(numbers) ? "batches" : numbers.topic;

/** The numbers without mini-batches: every step sees all rows of the data. */
function withoutBatches({ batch: _, seed: __, ...numbers }: Numbers): Numbers {
  return numbers;
}

/** The numbers with the start, rates and steps that suit their topic. A schedule has none of these. */
function withStart(numbers: Numbers): Numbers {
  switch (numbers.topic) {
    case "line":
      return { ...numbers, start: [0, 0], rates: optimizers.map(() => 0.01), steps: 100, step: 0 };
    case "sparse":
      return { ...numbers, start: [0, 0], rates: [0.05, 0.02, 0.5, 0.05, 0.1], steps: 40, step: 0 };
    case "surface":
      return { ...numbers, ...windows[numbers.surface].begin, step: 0 };
    case "schedule":
      return numbers;
  }
}

/** The numbers after another subject was chosen. */
function withSubject(numbers: Numbers, subject: Subject): Numbers {
  const topic = subject === "batches" ? "line" : subject;
  const unbatched = withoutBatches(numbers);
  const other = topic === numbers.topic ? { ...unbatched, step: 0 } : withStart({ ...unbatched, topic });
  return subject === "batches" ? { ...other, batch: Math.min(2, numbers.points.length - 1) } : other;
}

/** A control for rows of numbers, typed with a comma between rows. */
const rowsControl = (
  id: "points" | "samples",
  width: number,
  rowsOf: (numbers: Numbers) => readonly (readonly number[])[],
): ControlOf<"optimizers"> => ({
  kind: "words",
  value: ({ numbers }) =>
    rowsOf(numbers)
      .map((row) => row.join(" "))
      .join(", "),
  label: ({ numbers }, words) => stringsIn(words)(id, { n: rowsOf(numbers).length }),
  set(numbers, typed, _reading, words) {
    const flat = numbersIn(typed, bounds.coordinate);
    const { min, max } = bounds.points;
    if (!flat || flat.length % width !== 0 || flat.length < width * min || flat.length > width * max)
      return { refused: stringsIn(words)(`refused.${id}`, { given: typed }) };
    const rows = Array.from({ length: flat.length / width }, (_, at) =>
      flat.slice(width * at, width * (at + 1)),
    );
    return String(rows) === String(rowsOf(numbers)) ? numbers : { ...numbers, [id]: rows };
  },
});

/** A control for the share of a running mean that is kept at each step. */
const shareControl = (id: "momentum" | "alpha" | "beta1" | "beta2"): ControlOf<"optimizers"> => ({
  stops: KEPT_SHARES,
  label: ({ numbers }) => settingText(numbers[id]),
});

/** A control for a number of steps. */
const stepsControl = (id: "length" | "warmup"): ControlOf<"optimizers"> => ({
  label: ({ numbers }, words) =>
    stringsIn(words)(numbers[id] === 1 ? "steps.one" : "steps.many", { n: numbers[id] }),
});

export const settings = labControls({
  id: "optimizers",
  strings: stringsIn,
  sentence({ numbers }, words) {
    const { topic, schedule, optimizer } = numbers;
    const strings = stringsIn(words);
    if (topic === "schedule") return strings(`sentence.schedule.${schedule}`);
    if (topic === "surface") return strings(`sentence.surface.${sentenceKinds[optimizer]}`);
    const data = topic === "sparse" ? "{samples}" : "{points}";
    const batches = hasBatches(numbers) ? "batches" : topic === "sparse" ? "all" : null;
    return strings(`sentence.line.${sentenceKinds[optimizer]}`, {
      points: batches ? strings(`sentence.${batches}`, { data }) : data,
    });
  },
  controls: {
    topic: {
      essential: true,
      value: ({ numbers }) => subjectOf(numbers),
      options: (_config, words) =>
        subjects.map((value) => ({ value, label: stringsIn(words)(`topic.${value}`) })),
      set(numbers, typed, reading) {
        const subject = reading.choice(typed, subjects);
        if (typeof subject !== "string") return subject;
        return subject === subjectOf(numbers) ? numbers : withSubject(numbers, subject);
      },
    },
    surface: { then: (after, before) => (after.surface === before.surface ? before : withStart(after)) },
    optimizer: { essential: true },
    schedule: { essential: true },
    rate: {
      kind: "number",
      essential: true,
      stops: RATES,
      range: () => bounds.rate,
      value: ({ numbers }) => String(rateOf(numbers)),
      label: ({ numbers }) => settingText(rateOf(numbers)),
      set(numbers, typed, reading) {
        const rate = reading.decimal(typed, bounds.rate);
        if (typeof rate !== "number") return rate;
        const rates = numbers.rates.map((old, at) => (optimizers[at] === numbers.optimizer ? rate : old));
        return { ...numbers, rates };
      },
    },
    length: stepsControl("length"),
    warmup: stepsControl("warmup"),
    momentum: shareControl("momentum"),
    alpha: shareControl("alpha"),
    beta1: shareControl("beta1"),
    beta2: shareControl("beta2"),
    peak: { stops: RATES, label: ({ numbers }) => settingText(numbers.peak) },
    step: { range: ({ steps }) => ({ min: 0, max: steps - 1 }) },
    start: {
      kind: "words",
      label: ({ numbers: { start } }, words) =>
        stringsIn(words)("start", { x: settingText(start[0]!), y: settingText(start[1]!) }),
      set(numbers, typed, _reading, words) {
        const start = numbersIn(typed, bounds.coordinate);
        return start?.length === 2
          ? { ...numbers, start }
          : { refused: stringsIn(words)("refused.start", { given: typed }) };
      },
    },
    points: rowsControl("points", 2, ({ points }) => points),
    samples: rowsControl("samples", 3, samplesOf),
    batch: {
      range: (numbers) => ({ min: bounds.batch.min, max: dataOf(numbers).length }),
      value: ({ numbers }) => String(batchOf(numbers)),
      label({ numbers }, words) {
        const strings = stringsIn(words);
        return hasBatches(numbers) ? strings("batch", { n: batchOf(numbers) }) : strings("batch.all");
      },
      then: (after) => (hasBatches(after) ? after : withoutBatches(after)),
    },
    seed: {
      value: ({ numbers }) => String(seedOf(numbers)),
      label: ({ numbers }, words) => words("labs.seed", { n: seedOf(numbers) }),
    },
  },
});
