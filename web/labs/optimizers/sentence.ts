/** The settings of the optimizers lab as a sentence, and what sets them. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { bounds, optimizers, schedules, surfaces, topics } from "../../config/labs/optimizers.js";
import type { Range } from "../../config/bounds.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { decimalNumber, oneOf, wholeNumber, type Refused } from "../settings.js";
import { rateOf, settingText } from "./settings-text.js";
import { said, type OwnKey } from "./strings.js";
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

export function sentence(
  { numbers }: ConfigOf<"optimizers">,
  words: Words,
): { text: string; controls: Control[] } {
  const text = said(words);
  const choice = <T extends string>(
    id: string,
    value: T,
    options: readonly T[],
    prefix: string,
  ): Control => ({
    id,
    kind: "choice",
    title: text(`field.${id}` as OwnKey),
    help: text(`help.${id}` as OwnKey),
    value,
    label: text(`${prefix}.${value}` as OwnKey),
    options: options.map((one) => ({ value: one, label: text(`${prefix}.${one}` as OwnKey) })),
  });
  const number = (
    id: string,
    value: number,
    { min, max }: Range,
    label: string,
    stops?: number[],
  ): Control => ({
    id,
    kind: "number",
    title: text(`field.${id}` as OwnKey),
    help: text(`help.${id}` as OwnKey),
    value: String(value),
    min,
    max,
    label,
    ...(stops ? { stops } : {}),
  });
  const steps = (n: number) => text(n === 1 ? "steps.one" : "steps.many", { n });
  const { topic, start, points } = numbers;
  const kept = (id: "momentum" | "alpha" | "beta1" | "beta2") =>
    number(id, numbers[id], bounds.kept, settingText(numbers[id]), KEPT);
  const controls: Control[] = [
    { ...choice("topic", topic, topics, "topic"), essential: true },
    {
      id: "points",
      kind: "words",
      title: text("field.points"),
      help: text("help.points"),
      value: points.map((point) => point.join(" ")).join(", "),
      label: text("points", { n: points.length }),
    },
    choice("surface", numbers.surface, surfaces, "surface"),
    {
      id: "start",
      kind: "words",
      title: text("field.start"),
      help: text("help.start"),
      value: start.join(" "),
      label: text("start", { x: settingText(start[0]!), y: settingText(start[1]!) }),
    },
    number("steps", numbers.steps, bounds.steps, steps(numbers.steps)),
    { ...choice("optimizer", numbers.optimizer, optimizers, "optimizer"), essential: true },
    { ...number("rate", rateOf(numbers), bounds.rate, settingText(rateOf(numbers)), RATES), essential: true },
    kept("momentum"),
    kept("alpha"),
    kept("beta1"),
    kept("beta2"),
    choice("compare", numbers.compare ? "on" : "off", ["off", "on"] as const, "compare"),
    { ...choice("schedule", numbers.schedule, schedules, "schedule"), essential: true },
    number("model", numbers.model, bounds.model, String(numbers.model)),
    number("length", numbers.length, bounds.length, steps(numbers.length)),
    number("warmup", numbers.warmup, bounds.warmup, steps(numbers.warmup)),
    number("peak", numbers.peak, bounds.rate, settingText(numbers.peak), RATES),
  ];
  const kind = topic === "schedule" ? numbers.schedule : kinds[numbers.optimizer];
  const sentence = text(`sentence.${topic}.${kind}` as OwnKey);
  return { text: sentence, controls: controls.filter(({ id }) => sentence.includes(`{${id}}`)) };
}

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

export function set(numbers: Numbers, control: string, value: string, words: Words): Numbers | Refused {
  const text = said(words);
  const own = (id: string) => ({ own: text(`field.${id}` as OwnKey) });
  switch (control) {
    case "topic": {
      const topic = oneOf(value, own(control), topics, words);
      if (typeof topic !== "string" || topic === numbers.topic)
        return typeof topic === "string" ? numbers : topic;
      if (topic === "surface") return begun({ ...numbers, topic });
      if (topic === "schedule") return { ...numbers, topic };
      return begun({ ...numbers, topic, start: [0, 0], rates: optimizers.map(() => 0.01), steps: 100 });
    }
    case "surface": {
      const surface = oneOf(value, own(control), surfaces, words);
      if (typeof surface !== "string" || surface === numbers.surface)
        return typeof surface === "string" ? numbers : surface;
      return begun({ ...numbers, surface });
    }
    case "optimizer": {
      const optimizer = oneOf(value, own(control), optimizers, words);
      return typeof optimizer === "string" ? { ...numbers, optimizer } : optimizer;
    }
    case "schedule": {
      const schedule = oneOf(value, own(control), schedules, words);
      return typeof schedule === "string" ? { ...numbers, schedule } : schedule;
    }
    case "compare": {
      const compare = oneOf(value, own(control), ["off", "on"] as const, words);
      return typeof compare === "string" ? { ...numbers, compare: compare === "on" } : compare;
    }
    case "rate": {
      const rate = decimalNumber(value, own(control), bounds.rate, words);
      if (typeof rate !== "number") return rate;
      return {
        ...numbers,
        rates: numbers.rates.map((old, at) => (optimizers[at] === numbers.optimizer ? rate : old)),
      };
    }
    case "momentum":
    case "alpha":
    case "beta1":
    case "beta2": {
      const kept = decimalNumber(value, own(control), bounds.kept, words);
      return typeof kept === "number" ? { ...numbers, [control]: kept } : kept;
    }
    case "peak": {
      const peak = decimalNumber(value, own(control), bounds.rate, words);
      return typeof peak === "number" ? { ...numbers, peak } : peak;
    }
    case "steps":
    case "model":
    case "length":
    case "warmup": {
      const whole = wholeNumber(value, own(control), bounds[control], words);
      return typeof whole === "number" ? { ...numbers, [control]: whole } : whole;
    }
    case "step": {
      const step = wholeNumber(value, own(control), { min: 0, max: numbers.steps - 1 }, words);
      return typeof step === "number" ? { ...numbers, step } : step;
    }
    case "start": {
      const start = numbersIn(value, bounds.coordinate);
      return start?.length === 2
        ? { ...numbers, start }
        : { refused: text("refused.start", { given: value }) };
    }
    case "points": {
      const flat = numbersIn(value, bounds.coordinate);
      const { min, max } = bounds.points;
      if (!flat || flat.length % 2 === 1 || flat.length < 2 * min || flat.length > 2 * max)
        return { refused: text("refused.points", { given: value }) };
      return {
        ...numbers,
        points: Array.from({ length: flat.length / 2 }, (_, at) => flat.slice(2 * at, 2 * at + 2)),
      };
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}
