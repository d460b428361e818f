/** The title and lede of the multi-head lab, and its settings as a sentence with a control for each. */
import { bounds } from "../../config/bounds.js";
import { printable } from "../../config/shortened.js";
import type { ConfigOf, MultiHeadNumbers } from "../../config/config.js";
import {
  batchCount,
  dropoutOf,
  hasBiases,
  hasProjection,
  keyCount,
  realKeyCount,
  rowCount,
} from "../../config/labs/multi-head.js";
import { headsProblem } from "../../config/rule.js";
import type { Words } from "../../i18n/words.js";
import { scaleAndMaskControls, type Padding } from "../attention/attend.js";
import { countText, wordCountText } from "../../telling/phrases.js";
import { labControls, withoutDefaults } from "../../telling/controls.js";
import { withoutNode, type Refused } from "../../telling/typed-values.js";

type Config = ConfigOf<"multi-head">;

export function title(_config: Config, words: Words): string {
  return words("labs.multi_head.title");
}

export function lede({ numbers }: Config, words: Words, isNarrow: boolean): string {
  const { heads, keyDim: width, dim } = numbers;
  const kind = isNarrow ? ".narrow" : heads * width === dim ? "" : ".free";
  return words(`labs.multi_head.lede${kind}`, { width, dim });
}

/** Whether the heads share the numbers of a word evenly. */
function sharesEvenly({ heads, keyDim, valueDim, dim }: MultiHeadNumbers): boolean {
  return heads * keyDim === dim && keyDim === valueDim;
}

/** The numbers after a change of the heads or of the numbers per word: heads that shared these evenly still do. */
function withSharedWidths(
  after: MultiHeadNumbers,
  before: MultiHeadNumbers,
  words: Words,
): MultiHeadNumbers | Refused {
  const { heads, dim } = after;
  if (heads === before.heads && dim === before.dim) return before;
  if (!sharesEvenly(before)) return { ...after, edits: [] };
  if (headsProblem(after)) return { refused: words("labs.refused.heads", { heads, dim }) };
  const width = dim / heads;
  if (width > bounds.keyDim.max)
    return { refused: words("labs.refused.width", { width, max: bounds.keyDim.max }) };
  return { ...after, keyDim: width, valueDim: width, edits: [] };
}

/** The number of real words of each sample: all but one in the first, and one fewer in each sample after it. */
const somePadding = (numbers: MultiHeadNumbers): number[] =>
  Array.from({ length: batchCount(numbers) }, (_, sample) => Math.max(1, keyCount(numbers) - 1 - sample));

const padding: Padding<MultiHeadNumbers> = {
  has: ({ lengths }) => lengths !== undefined,
  add: (numbers) => ({ ...numbers, lengths: numbers.lengths ?? somePadding(numbers) }),
  remove({ lengths: _, ...numbers }) {
    return numbers;
  },
  label: "labs.mask.padding",
  option: "labs.mask.padding",
};

/** The kinds of projections. The plain ones are those of the paper, with W_O and without biases. */
const projectionKinds = ["plain", "biased", "bare", "biased_bare"] as const;
function projectionKind(numbers: MultiHeadNumbers): (typeof projectionKinds)[number] {
  const isBiased = hasBiases(numbers);
  if (hasProjection(numbers)) return isBiased ? "biased" : "plain";
  return isBiased ? "biased_bare" : "bare";
}

const defaults = { output: hasProjection({}), biases: hasBiases({}), dropout: dropoutOf({}) };
const withoutDefaultSettings = (numbers: MultiHeadNumbers): MultiHeadNumbers =>
  withoutDefaults(numbers, defaults);

/** p of a dropout that the reader adds: 0.1, as in the paper. */
const newDropout = 0.1;

/** The numbers without typed weights: all weights are then drawn. */
function withoutTypedWeights(numbers: MultiHeadNumbers): MultiHeadNumbers {
  const { wq: _q, wk: _k, wv: _v, wo: _o, ...others } = numbers;
  return others;
}

/** The numbers without typed rows: the rows are then the vectors of the words. */
function withoutRows(numbers: MultiHeadNumbers): MultiHeadNumbers {
  const { x: _, ...others } = numbers;
  return { ...others, edits: withoutNode(others.edits, "x") };
}

/** Whether every weight is typed. */
const isTyped = (numbers: MultiHeadNumbers): boolean => {
  const { wq, wk, wv, wo } = numbers;
  return [wq, wk, wv, ...(hasProjection(numbers) ? [wo] : [])].every((weights) => weights !== undefined);
};

const attending = scaleAndMaskControls<"multi-head">(
  (numbers) => [rowCount(numbers), keyCount(numbers)],
  (numbers) => String(numbers.keyDim),
  padding,
);

export const settings = labControls({
  id: "multi-head",
  strings: null,
  // A rarely used setting has a control of its own once it is set. Before, biases and W_O are options of the draws, padding and dropout
  // options of the mask.
  sentence({ numbers }, words) {
    let sentence = words(
      numbers.source === "draw" ? "labs.multi_head.sentence.drawn" : "labs.multi_head.sentence",
    );
    if (projectionKind(numbers) === "plain")
      sentence = sentence.replace("{projections}", words("labs.projections.plain"));
    if (dropoutOf(numbers) > 0) sentence = words("labs.multi_head.sentence.dropout", { sentence });
    if (numbers.lengths) sentence = words("labs.multi_head.sentence.lengths", { sentence });
    return sentence;
  },
  controls: {
    source: {
      options: (_config, words) =>
        (["draw", "words"] as const).map((value) => ({ value, label: words(`labs.source.${value}`) })),
      then(after, before) {
        if (after.source === before.source || after.source === "draw") return before;
        const { tokens, length } = before;
        const named = Array.from({ length }, (_, row) => `word_${row + 1}`);
        return { ...after, tokens: tokens.length > 0 ? tokens : named, run: 1, edits: [] };
      },
    },
    words: {
      setting: "tokens",
      pieces: true,
      essential: true,
      range: () => ({ min: 1, max: 64 }),
      label: ({ numbers }, words) => countText(words, "labs.words", rowCount(numbers)),
      then(after, before) {
        if (before.source === "words" && after.tokens.join(" ") === before.tokens.join(" ")) return before;
        return { ...withoutRows(after), source: "words", run: 1 };
      },
    },
    memory: {
      pieces: true,
      range: () => bounds.words,
      value: ({ numbers }) => (numbers.memory ?? []).join(" "),
      label: ({ numbers: { memory } }, words) =>
        memory ? wordCountText(words, "labs.memory", memory) : words("labs.memory.none"),
      set(numbers, typed, reading) {
        const { memory = [], ...others } = numbers;
        const words = reading.words(typed, memory, bounds.words);
        if (!Array.isArray(words)) return words;
        if (words.join(" ") === memory.join(" ")) return numbers;
        const edits = withoutNode(others.edits, "M");
        return { ...others, edits, ...(words.length > 0 && { memory: words }) };
      },
    },
    dim: {
      label: ({ numbers }, words) => countText(words, "labs.numbers", numbers.dim),
      then: withSharedWidths,
    },
    heads: {
      essential: true,
      help: ({ numbers }, words) =>
        words(`labs.help.multi_head.heads${sharesEvenly(numbers) ? "" : ".free"}`, { dim: numbers.dim }),
      then: withSharedWidths,
    },
    keyDim: {
      title: "labs.field.headWidth",
      then: (after, before) => ({
        ...after,
        valueDim: before.valueDim === before.keyDim ? after.keyDim : after.valueDim,
      }),
    },
    seed: { essential: true, then: withoutTypedWeights },
    draw: {
      value: ({ numbers }) => (isTyped(numbers) ? "given" : numbers.draw),
      label: ({ numbers }, words) => words(`labs.draw.${isTyped(numbers) ? "given" : numbers.draw}`),
      options: ({ numbers }, words) =>
        (
          [
            ...(isTyped(numbers) ? (["given"] as const) : []),
            ...(["scaled", "randn"] as const),
            ...(projectionKind(numbers) === "plain" ? (["biased", "bare"] as const) : []),
          ] as const
        ).map((value) => ({ value, label: words(`labs.draw.${value}`) })),
      set(numbers, typed, reading) {
        if (typed === "given" && isTyped(numbers)) return numbers;
        if (typed === "biased") return { ...numbers, biases: true };
        if (typed === "bare") return { ...numbers, output: false };
        const draw = reading.choice(typed, ["scaled", "randn"] as const);
        return typeof draw === "string" ? { ...withoutTypedWeights(numbers), draw } : draw;
      },
    },
    projections: {
      kind: "choice",
      value: ({ numbers }) => projectionKind(numbers),
      label: ({ numbers }, words) => words(`labs.projections.${projectionKind(numbers)}`),
      options: (_config, words) =>
        projectionKinds.map((value) => ({ value, label: words(`labs.option.projections.${value}`) })),
      set(numbers, typed, reading) {
        const kind = reading.choice(typed, projectionKinds);
        if (typeof kind !== "string") return kind;
        const [output, biases] = [!kind.endsWith("bare"), kind.startsWith("biased")];
        return withoutDefaultSettings({ ...numbers, output, biases });
      },
    },
    dropout: {
      stops: [0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9],
      value: ({ numbers }) => String(dropoutOf(numbers)),
      label({ numbers }, words) {
        const p = dropoutOf(numbers);
        return words(p > 0 ? "labs.dropout.some" : "labs.dropout.none", { p });
      },
      then: withoutDefaultSettings,
    },
    lengths: {
      kind: "words",
      pieces: true,
      value: ({ numbers }) =>
        Array.from({ length: batchCount(numbers) }, (_, n) => realKeyCount(numbers, n)).join(" "),
      label({ numbers: { lengths = [] } }, words) {
        const list = lengths.slice(0, 6).join(", ") + (lengths.length > 6 ? " …" : "");
        return words("labs.lengths", { list });
      },
      set(numbers, typed, reading, words) {
        const list = typed.split(/[\s,，、]+/).filter(Boolean);
        const [count, max] = [batchCount(numbers), keyCount(numbers)];
        const lengths = list.map(Number);
        if (
          lengths.length === count &&
          lengths.every((one) => Number.isInteger(one) && one >= 1 && one <= max)
        )
          return { ...numbers, lengths };
        const given = printable(list.join(" "));
        return { refused: words("labs.refused.lengths", { field: reading.field, count, max, given }) };
      },
    },
    item: {
      kind: "number",
      range: ({ batch }) => ({ min: 0, max: batch - 1 }),
      value: ({ view }) => String(view.item),
      label: ({ view }, words) => words("labs.item", { n: view.item }),
    },
    ...attending,
    mask: {
      ...attending.mask,
      // Dropout also changes which keys a query reads from.
      options: (config, words) => [
        ...attending.mask.options!(config, words)!,
        ...(dropoutOf(config.numbers) > 0
          ? []
          : [{ value: "dropout", label: words("labs.option.mask.dropout") }]),
      ],
      set: (numbers, typed, reading, words) =>
        typed === "dropout"
          ? { ...numbers, dropout: numbers.dropout ?? newDropout }
          : attending.mask.set!(numbers, typed, reading, words),
    },
  },
});
