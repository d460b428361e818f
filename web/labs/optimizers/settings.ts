/** The settings of the optimizers lab as a sentence. */
import type { NumbersOf } from "../../config/config.js";
import { bounds, optimizers } from "../../config/labs/optimizers.js";
import type { Range } from "../../config/bounds.js";
import { labControls, type ControlOf } from "../../telling/controls.js";
import { rateOf, settingText } from "./settings-text.js";
import { sayIn, type Key } from "./strings.js";
import { windows } from "./windows.js";

type Numbers = NumbersOf["optimizers"];

/** 1, 2, 5, 10 …: where − and + take a rate. */
const RATES = [
  1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,
  2, 5, 10,
];
const KEPT = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 0.9999];

/** The next smaller rate on the list. */
export const smaller = (rate: number): number | undefined => RATES.findLast((one) => one < rate);

/** What an optimizer has besides a rate, and so its sentence. */
const kinds = {
  sgd: "rate",
  momentum: "momentum",
  adagrad: "rate",
  rmsprop: "alpha",
  adam: "betas",
} as const;

const decimal = /^[-\u2212]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Numbers written after each other, or null where one is none or out of range. */
function numbersIn(typed: string, { min, max }: Range): number[] | null {
  const pieces = typed.split(/[\s,，、;；()（）]+/).filter(Boolean);
  if (!pieces.every((piece) => decimal.test(piece))) return null;
  const values = pieces.map((piece) => Number(piece.replace("\u2212", "-")));
  return values.every((value) => value >= min && value <= max) ? values : null;
}

/** A walk begins anew where its surface or its kind does. */
const begun = (numbers: Numbers): Numbers => {
  if (numbers.topic !== "surface") return { ...numbers, step: 0 };
  return { ...numbers, ...windows[numbers.surface].begin, step: 0 };
};

const kept = (id: "momentum" | "alpha" | "beta1" | "beta2"): ControlOf<"optimizers"> => ({
  stops: KEPT,
  label: ({ numbers }) => settingText(numbers[id]),
});

/** So many steps. */
const counted = (id: "length" | "warmup"): ControlOf<"optimizers"> => ({
  label: ({ numbers }, words) =>
    sayIn(words)(numbers[id] === 1 ? "steps.one" : "steps.many", { n: numbers[id] }),
});

export const settings = labControls({
  id: "optimizers",
  say: sayIn,
  sentence({ numbers }, words) {
    const { topic, schedule, optimizer } = numbers;
    const kind = topic === "schedule" ? schedule : kinds[optimizer];
    return sayIn(words)(`sentence.${topic}.${kind}` as Key);
  },
  controls: {
    topic: {
      essential: true,
      then(after, before) {
        if (after.topic === before.topic) return before;
        if (after.topic === "schedule") return after;
        if (after.topic === "surface") return begun(after);
        return begun({ ...after, start: [0, 0], rates: optimizers.map(() => 0.01), steps: 100 });
      },
    },
    surface: { then: (after, before) => (after.surface === before.surface ? before : begun(after)) },
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
    length: counted("length"),
    warmup: counted("warmup"),
    momentum: kept("momentum"),
    alpha: kept("alpha"),
    beta1: kept("beta1"),
    beta2: kept("beta2"),
    peak: { stops: RATES, label: ({ numbers }) => settingText(numbers.peak) },
    step: { range: ({ steps }) => ({ min: 0, max: steps - 1 }) },
    start: {
      kind: "words",
      label: ({ numbers: { start } }, words) =>
        sayIn(words)("start", { x: settingText(start[0]!), y: settingText(start[1]!) }),
      set(numbers, typed, _reading, words) {
        const start = numbersIn(typed, bounds.coordinate);
        return start?.length === 2
          ? { ...numbers, start }
          : { refused: sayIn(words)("refused.start", { given: typed }) };
      },
    },
    points: {
      kind: "words",
      value: ({ numbers }) => numbers.points.map((point) => point.join(" ")).join(", "),
      label: ({ numbers }, words) => sayIn(words)("points", { n: numbers.points.length }),
      set(numbers, typed, _reading, words) {
        const flat = numbersIn(typed, bounds.coordinate);
        const { min, max } = bounds.points;
        if (!flat || flat.length % 2 === 1 || flat.length < 2 * min || flat.length > 2 * max)
          return { refused: sayIn(words)("refused.points", { given: typed }) };
        const points = Array.from({ length: flat.length / 2 }, (_, at) => flat.slice(2 * at, 2 * at + 2));
        return { ...numbers, points };
      },
    },
  },
});
