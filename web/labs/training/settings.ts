/** The settings sentence of the training lab and its controls. */
import {
  bounds,
  fitsBeside,
  isOfDigits,
  languagesOf,
  modelsOf,
  partsOf,
  presetOf,
  samplesOf,
  variants,
  type TaskName,
  type TrainingNumbers,
} from "../../config/labs/training.js";
import { bertBounds } from "../../config/labs/bert.js";
import { isProblem, parseSelector, selectorText } from "../../config/selector.js";
import { labControls, refuseUnevenHeads, withoutDefaults } from "../../telling/controls.js";
import { claimById, claimOf, claims, resultsOf, settingsOf } from "./claims.js";
import { runName } from "./charts.js";
import { seedsHelp, seedText } from "./seeds.js";
import { selectorsOf } from "./selection.js";
import { stringsIn, type Say } from "./strings.js";

const RATES = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.004, 0.01, 0.02, 0.05, 0.1, 0.5, 1];
const SHARES = [0, 0.05, 0.1, 0.2, 0.3, 0.5];
const TEMPERATURES = [0, 0.2, 0.5, 0.8, 1, 1.5, 2];
const DECAYS = [0, 0.01, 0.1, 1];
const NORMS = [0, 0.1, 0.5, 1, 5];

/** The settings without those that have the value of a link that lacks them. */
const plain = (numbers: TrainingNumbers): TrainingNumbers =>
  withoutDefaults(numbers, {
    ff: 4 * numbers.dim,
    clip: 1,
    language: "en",
    window: 32,
    held: 0,
    decayEmbedding: true,
  });

/** The runs that can stand beside the first one: each has one thing changed, and those that are shown may have several. */
const besideOptions = (numbers: TrainingNumbers): string[] => [
  ...new Set([...variants.filter((one) => fitsBeside(one, numbers)), ...numbers.beside]),
];

/** The name of a run beside the first one in the list of all: "the same with pre-norm, without warm-up". */
const besideText = (name: string, say: Say): string =>
  partsOf(name)
    .map((part, at) => say(`${at === 0 ? "beside" : "run"}.${part}` as never))
    .join(" + ");

const retrained = (after: TrainingNumbers): TrainingNumbers => ({
  ...after,
  step: Math.min(after.step, after.steps),
});

/** The claim whose settings these are; "none" also for runs that test a claim with other settings than its seeds. */
function chosenClaim(numbers: TrainingNumbers): string {
  const found = claimOf(numbers);
  return found && found.differing.length === 0 ? found.claim.id : "none";
}

export const settings = labControls({
  id: "training",
  strings: stringsIn,
  sentence({ numbers }, words) {
    const say = stringsIn(words);
    const isText = numbers.task === "text";
    return [
      say(isOfDigits(numbers) ? "sentence.digits" : "sentence"),
      say(claimOf(numbers) ? "sentence.seeds" : "sentence.claim"),
      `{+}${say(isText ? "sentence.text" : "sentence.asked")} ${say("sentence.more")}`,
      ...(isText ? [say("sentence.language")] : []),
      ...(numbers.task === "translation" ? [say("sentence.translation")] : []),
    ].join("");
  },
  controls: {
    task: {
      essential: true,
      then: (after, before) =>
        after.task === before.task ? before : presetOf(after, after.task as TaskName),
    },
    length: {
      then: (after) => ({ ...after, samples: samplesOf(after) }),
    },
    model: {
      options: ({ numbers }, words) =>
        modelsOf[numbers.task].map((value) => ({ value, label: stringsIn(words)(`model.${value}`) })),
      // A BERT has its norms as in its paper, and is as narrow as its lab shows it.
      then: (after) =>
        after.model === "bert"
          ? { ...after, norm: "post", dim: Math.min(after.dim, bertBounds.dim.max) }
          : after,
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
    ff: {
      value: ({ numbers }) => String(numbers.ff ?? 4 * numbers.dim),
      label: ({ numbers }) => String(numbers.ff ?? 4 * numbers.dim),
      then: plain,
    },
    clip: {
      stops: NORMS,
      value: ({ numbers }) => String(numbers.clip ?? 1),
      label: ({ numbers: { clip = 1 } }, words) =>
        clip === 0 ? stringsIn(words)("clip.none") : String(clip),
      then: plain,
    },
    language: {
      value: ({ numbers }) => numbers.language ?? "en",
      label: ({ numbers }, words) => stringsIn(words)(`language.${numbers.language ?? "en"}`),
      help: ({ numbers }, words) =>
        stringsIn(words)(numbers.task === "translation" ? "help.language.translation" : "help.language"),
      options: ({ numbers }, words) =>
        (languagesOf[numbers.task] ?? []).map((value) => ({
          value,
          label: stringsIn(words)(`language.${value}`),
        })),
      then: (after, before) =>
        after.language === (before.language ?? "en")
          ? before
          : plain({ ...after, samples: samplesOf(after) }),
    },
    window: {
      value: ({ numbers }) => String(numbers.window ?? 32),
      label: ({ numbers }) => String(numbers.window ?? 32),
      then: plain,
    },
    held: {
      value: ({ numbers }) => String(numbers.held ?? 0),
      label: ({ numbers }, words) => words("labs.seed", { n: numbers.held ?? 0 }),
      then: plain,
    },
    decayEmbedding: {
      value: ({ numbers }) => (numbers.decayEmbedding === false ? "off" : "on"),
      label: ({ numbers }, words) =>
        stringsIn(words)(numbers.decayEmbedding === false ? "decayEmbedding.off" : "decayEmbedding.on"),
      then: plain,
    },
    claim: {
      kind: "choice",
      value: ({ numbers }) => chosenClaim(numbers),
      label: ({ numbers }, words) => stringsIn(words)(claimOf(numbers) ? "claim.one" : "claim.none"),
      options: ({ numbers }, words) =>
        ["none", ...claims.map(({ id }) => id)].map((value) => ({
          value,
          label: stringsIn(words)(
            value === "none" && claimOf(numbers) ? "claim.as-set" : (`claim.${value}` as never),
          ),
        })),
      set(numbers, typed) {
        if (typed === chosenClaim(numbers)) return numbers;
        const claim = claimById(typed);
        return claim ? settingsOf(claim, resultsOf(claim)[0]!.seed) : { ...numbers, beside: [] };
      },
    },
    seeds: {
      kind: "choice",
      value: ({ numbers }) => String(numbers.held === numbers.seed ? numbers.seed : ""),
      label({ numbers }, words) {
        const found = claimOf(numbers);
        return stringsIn(words)("seeds.many", { n: found ? resultsOf(found.claim).length : 0 });
      },
      help: ({ numbers }, words) => seedsHelp(numbers, words),
      options({ numbers }, words) {
        const found = claimOf(numbers);
        return (found ? resultsOf(found.claim) : []).map((one) => ({
          value: String(one.seed),
          label: seedText(found!.claim, one, stringsIn(words)),
        }));
      },
      // The run is computed again up to its end.
      set(numbers, typed) {
        const found = claimOf(numbers);
        if (!found || typed === "") return numbers;
        const again = settingsOf(found.claim, Number(typed));
        return { ...again, step: again.steps };
      },
    },
    beside: {
      essential: true,
      lead: (words) => stringsIn(words)("beside.lead"),
      kind: "choice",
      many: true,
      value: ({ numbers }) => numbers.beside.join(" "),
      label({ numbers }, words) {
        const say = stringsIn(words);
        return numbers.beside.map((one) => runName(one, say)).join(", ") || say("beside.none");
      },
      options({ numbers }, words) {
        const say = stringsIn(words);
        const isFull = numbers.beside.length >= bounds.beside.max;
        return besideOptions(numbers).map((value) => ({
          value,
          label: besideText(value, say),
          ...(isFull && !numbers.beside.includes(value) && { disabled: say("beside.full") }),
        }));
      },
      set(numbers, typed) {
        const beside = typed.split(" ").filter((one) => fitsBeside(one, numbers));
        // In the order of the list, so that the same runs have one link.
        const ordered = besideOptions({ ...numbers, beside }).filter((one) => beside.includes(one));
        return { ...numbers, beside: ordered.slice(0, bounds.beside.max) };
      },
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
        const most = bounds.sampleLength.max;
        const long = samples.find((one) => [...one].length > most);
        if (long !== undefined)
          return { refused: stringsIn(words)("refused.samples.long", { most, given: long }) };
        const other =
          isOfDigits(numbers) && samples.find((one) => one.length !== length || !/^\d+$/.test(one));
        if (other || samples.length === 0)
          return { refused: stringsIn(words)("refused.samples", { length, given: other || typed }) };
        return { ...numbers, samples };
      },
    },
  },
  after(answer, words) {
    const { schedule, warmup, steps } = answer;
    const say = stringsIn(words);
    if (schedule === "cosine" && warmup >= steps)
      return { refused: say("refused.warmup.cosine", { steps, warmup }) };
    if (schedule === "noam" && warmup === 0) return { refused: say("refused.warmup.noam") };
    return answer;
  },
});
