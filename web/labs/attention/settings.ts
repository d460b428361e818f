/** The settings sentence of the attention lab, its controls, and the lab's title. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import { isAdditive, isStable, keyCount, maskingOf } from "../../config/labs/attention.js";
import { inPieces } from "../../config/tokens.js";
import type { Words } from "../../i18n/words.js";
import { scaleAndMaskControls, maskChoice, type Padding } from "./attend.js";
import { formatShape } from "../../marks/numbers.js";
import { isOwn, withOwn } from "./own.js";
import { countText, wordCountText } from "../../telling/phrases.js";
import { labControls, withoutDefaults } from "../../telling/controls.js";
import { withoutNode } from "../../telling/typed-values.js";

type Config = ConfigOf<"attention">;

export function title(_config: Config, words: Words): string {
  return words("labs.attention.title");
}

export function lede({ numbers }: Config, words: Words, isNarrow: boolean): string {
  const key = isNarrow ? "labs.attention.lede.narrow" : "labs.attention.lede";
  return words(inPieces(numbers.tokens) ? `${key}.pieces` : key);
}

const isTyped = ({ wq, wk, wv }: AttentionNumbers): boolean =>
  [wq, wk, wv].every((weights) => weights !== null);
const drawOf = (numbers: AttentionNumbers): "own" | "given" | AttentionNumbers["draw"] =>
  isOwn(numbers) ? "own" : isTyped(numbers) ? "given" : numbers.draw;

const defaults = { score: "dot", stable: isStable({}), ...maskingOf({}) };
const withoutDefaultSettings = (numbers: AttentionNumbers): AttentionNumbers =>
  withoutDefaults(numbers, defaults);

const padding: Padding<AttentionNumbers> = {
  has: (numbers) => maskingOf(numbers).padding > 0,
  add: (numbers) => ({ ...numbers, padding: numbers.padding || 1 }),
  remove: (numbers) => withoutDefaultSettings({ ...numbers, padding: 0 }),
  isOffered: (numbers) => !isAdditive(numbers),
  // The settings sentence continues with the number of padding keys.
  label: "labs.mask.some",
  option: "labs.option.mask.padding",
};

/** The slots of the mask in the settings sentence. Those of its dialect are shown only with a mask. */
function maskSlots(numbers: AttentionNumbers, words: Words): string {
  const mask = maskChoice(numbers, padding);
  if (mask === "none" || isAdditive(numbers)) return "{mask}";
  return words(mask === "padding" ? "labs.attention.masking.padding" : "labs.attention.masking");
}

/** Whether the sentence has the control of softmax: only with scores that may be large, because they are not divided or are typed. */
const hasSoftmaxControl = (numbers: AttentionNumbers): boolean =>
  !isAdditive(numbers) && (!isStable(numbers) || !numbers.scale || isOwn(numbers));

const noTypedWeights = { wq: null, wk: null, wv: null };

export const settings = labControls({
  id: "attention",
  strings: null,
  sentence({ numbers }, words) {
    if (isAdditive(numbers)) return words("labs.attention.sentence.additive");
    // If words and weights are typed, nothing is drawn from the seed.
    const isAllTyped = isTyped(numbers) && numbers.source === "values" && numbers.memory.length === 0;
    const sentence = words(isAllTyped ? "labs.attention.sentence.given" : "labs.attention.sentence").replace(
      "{mask}",
      maskSlots(numbers, words),
    );
    return hasSoftmaxControl(numbers) ? words("labs.attention.softmax", { sentence }) : sentence;
  },
  controls: {
    words: {
      setting: "tokens",
      pieces: true,
      essential: true,
      range: () => ({ min: 1, max: 64 }),
      label: ({ numbers }, words) => wordCountText(words, "labs.words", numbers.tokens),
      then(after, before) {
        if (after.tokens.join(" ") === before.tokens.join(" ")) return before;
        // The reader's own Q, K and V stay, and their rows have other names.
        if (isOwn(before) && after.tokens.length === before.tokens.length) return after;
        return { ...after, source: "words", x: null, edits: withoutNode(after.edits, "X") };
      },
    },
    memory: {
      pieces: true,
      label: ({ numbers: { memory } }, words) =>
        memory.length > 0 ? wordCountText(words, "labs.memory", memory) : words("labs.memory.none"),
      then: (after) => ({ ...after, edits: withoutNode(after.edits, "M") }),
    },
    dim: {
      label: ({ numbers }, words) => countText(words, "labs.numbers", numbers.dim),
      then: (after, before) =>
        after.dim === before.dim ? before : { ...after, source: "words", x: null, edits: [] },
    },
    // Set by the remark of an example, and in no sentence. Spaces or commas separate numbers, and ";" separates rows.
    x: {
      set(numbers, typed, _reading, words) {
        const rows = typed.split(";").map((row) =>
          row
            .trim()
            .split(/[\s,]+/)
            .map(Number),
        );
        const [height, width] = [numbers.tokens.length, numbers.dim];
        if (rows.length === height && rows.every((row) => row.length === width && row.every(Number.isFinite)))
          return { ...numbers, source: "values", x: rows, edits: withoutNode(numbers.edits, "X") };
        const shapes = {
          expected: formatShape([height, width]),
          given: formatShape([rows.length, rows[0]!.length]),
        };
        return { refused: words("labs.refused.x", { rows: width, ...shapes }) };
      },
    },
    // v has the length of a key, so its edits no longer fit.
    keyDim: {
      then: (after, before) =>
        after.keyDim === before.keyDim ? before : { ...after, edits: withoutNode(after.edits, "v") },
    },
    seed: { essential: true, then: (after) => ({ ...after, ...noTypedWeights }) },
    draw: {
      value: ({ numbers }) => drawOf(numbers),
      label: ({ numbers }, words) => words(`labs.draw.${drawOf(numbers)}`),
      options: ({ numbers }, words) =>
        (
          [...(drawOf(numbers) === "given" ? ["given" as const] : []), "scaled", "randint", "own"] as const
        ).map((value) => ({ value, label: words(`labs.draw.${value}`) })),
      set(numbers, typed, reading) {
        if (typed === "given") return numbers;
        if (typed === "own") return isOwn(numbers) ? numbers : withOwn(numbers, {});
        const draw = reading.choice(typed, ["scaled", "randint"] as const);
        if (typeof draw !== "string") return draw;
        // With the identity matrix as words, drawn weights would be the reader's own Q, K and V again.
        const words = isOwn(numbers) ? { source: "words" as const, x: null } : {};
        return { ...numbers, ...words, ...noTypedWeights, draw };
      },
    },
    score: {
      value: ({ numbers }) => numbers.score ?? "dot",
      // A short text keeps the sentence of the first example on one line.
      label: ({ numbers }, words) => (isAdditive(numbers) ? words("labs.score.additive") : "q · k"),
      then(after) {
        if (after.score === "additive") return after;
        return withoutDefaultSettings({ ...after, edits: withoutNode(after.edits, "v") });
      },
    },
    ...scaleAndMaskControls<"attention">(
      (numbers) => [numbers.tokens.length, keyCount(numbers)],
      () => "d_k",
      padding,
    ),
    polarity: {
      value: ({ numbers }) => maskingOf(numbers).polarity,
      label: ({ numbers }, words) => words(`labs.polarity.${maskingOf(numbers).polarity}`),
      then: withoutDefaultSettings,
    },
    fill: {
      value: ({ numbers }) => maskingOf(numbers).fill,
      label: ({ numbers }, words) => words(`labs.fill.${maskingOf(numbers).fill}`),
      then: withoutDefaultSettings,
    },
    padding: {
      range: (numbers) => ({ min: 0, max: keyCount(numbers) }),
      value: ({ numbers }) => String(maskingOf(numbers).padding),
      label({ numbers }, words) {
        const { padding } = maskingOf(numbers);
        return padding === 0 ? words("labs.padding.none") : countText(words, "labs.padding", padding);
      },
      then: withoutDefaultSettings,
    },
    stable: {
      value: ({ numbers }) => (isStable(numbers) ? "on" : "off"),
      label: ({ numbers }, words) => words(isStable(numbers) ? "labs.stable.on" : "labs.stable.off"),
      then: withoutDefaultSettings,
    },
  },
});
