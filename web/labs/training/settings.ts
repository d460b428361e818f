/** The settings sentence of the training lab and its controls. */
import {
  bounds,
  digitsOf,
  fitsModel,
  isOfDigits,
  modelsOf,
  presetOf,
  variants,
  type TaskName,
  type TrainingNumbers,
} from "../../config/labs/training.js";
import { isProblem, parseSelector, selectorText } from "../../config/selector.js";
import { labControls, refuseUnevenHeads, withoutDefaults } from "../../telling/controls.js";
import { selectorsOf } from "./selection.js";
import { stringsIn } from "./strings.js";

const RATES = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.004, 0.01, 0.02, 0.05, 0.1, 0.5, 1];
const SHARES = [0, 0.05, 0.1, 0.2, 0.3, 0.5];
const TEMPERATURES = [0, 0.2, 0.5, 0.8, 1, 1.5, 2];
const DECAYS = [0, 0.01, 0.1, 1];

const retrained = (after: TrainingNumbers): TrainingNumbers => ({
  ...after,
  step: Math.min(after.step, after.steps),
});

export const settings = labControls({
  id: "training",
  strings: stringsIn,
  sentence({ numbers }, words) {
    const say = stringsIn(words);
    const first = isOfDigits(numbers) ? "sentence.digits" : "sentence";
    const asked = numbers.task === "text" ? "sentence.text" : "sentence.asked";
    return `${say(first)}{+}${say(asked)} ${say("sentence.more")}`;
  },
  controls: {
    task: {
      essential: true,
      then: (after) => presetOf(after, after.task as TaskName),
    },
    length: {
      then: (after) => ({ ...after, samples: digitsOf(after.length) }),
    },
    model: {
      options: ({ numbers }, words) =>
        modelsOf[numbers.task].map((value) => ({ value, label: stringsIn(words)(`model.${value}`) })),
    },
    heads: { then: refuseUnevenHeads },
    dim: { then: refuseUnevenHeads },
    rate: { stops: RATES, label: ({ numbers }) => String(numbers.rate) },
    dropout: { stops: SHARES, label: ({ numbers }) => String(numbers.dropout) },
    smoothing: { stops: SHARES, label: ({ numbers }) => String(numbers.smoothing) },
    decay: { stops: DECAYS, label: ({ numbers }) => String(numbers.decay) },
    temperature: {
      value: ({ numbers }) => String(numbers.temperature ?? 0),
      label: ({ numbers }) => String(numbers.temperature ?? 0),
      stops: TEMPERATURES,
    },
    seed: { label: ({ numbers }, words) => words("labs.seed", { n: numbers.seed }) },
    steps: { then: retrained },
    step: { range: ({ steps }) => ({ min: 0, max: steps }) },
    beside: {
      essential: true,
      kind: "choice",
      value: ({ numbers }) => numbers.beside.join(" ") || "none",
      label({ numbers }, words) {
        const [first] = numbers.beside;
        if (first === undefined) return stringsIn(words)("beside.none");
        return numbers.beside.map((one) => stringsIn(words)(`beside.${one}` as never)).join(", ");
      },
      options: ({ numbers }, words) =>
        ["none", ...variants.filter((one) => fitsModel(one, numbers))].map((value) => ({
          value,
          label: stringsIn(words)(`beside.${value}` as never),
        })),
      set: (numbers, typed) => ({ ...numbers, beside: typed === "none" ? [] : typed.split(" ").slice(0, 3) }),
    },
    watch: {
      kind: "words",
      value: ({ numbers }) => (numbers.watch === "none" ? "" : (numbers.watch ?? "")),
      label: ({ numbers: { watch = "none" } }, words) =>
        watch === "none" ? stringsIn(words)("watch.none") : watch,
      options: (_config, _words, snapshots) =>
        selectorsOf(snapshots ?? new Map()).map((value) => ({ value, label: value })),
      set(numbers, typed, _reading, words) {
        const given = typed.trim();
        if (given === "" || given === "none")
          return withoutDefaults({ ...numbers, watch: "none" }, { watch: "none" });
        const selector = parseSelector(given);
        if (!isProblem(selector)) return { ...numbers, watch: selectorText(selector) };
        const say = stringsIn(words);
        const expected = say(`watch.problem.${selector.kind}`, { expected: selector.expected ?? "" });
        return { refused: say("refused.watch", { expected, given: selector.given || given }) };
      },
    },
    samples: {
      kind: "words",
      label: ({ numbers: { samples } }) => samples.join(" "),
      help({ numbers }, words) {
        const say = stringsIn(words);
        if (isOfDigits(numbers)) return say("help.samples");
        if (numbers.task === "text") return say("help.samples.text");
        return say(
          numbers.task === "shapes" || numbers.task === "masked-token"
            ? "help.samples.held"
            : "help.samples.words",
        );
      },
      set(numbers, typed, _reading, words) {
        const samples = typed
          .trim()
          .split(/[\s,，]+/)
          .filter(Boolean)
          .slice(0, bounds.samples.max);
        const { length } = numbers;
        const other =
          isOfDigits(numbers) && samples.find((one) => one.length !== length || !/^\d+$/.test(one));
        if (other || samples.length === 0)
          return { refused: stringsIn(words)("refused.samples", { length, given: other || typed }) };
        return { ...numbers, samples };
      },
    },
  },
});
