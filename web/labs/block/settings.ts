/** The settings of the block lab as a sentence. */
import {
  blockBounds,
  isPlain,
  parameterCount,
  positionsOf,
  stackOf,
  withDrawnParameters,
  type BlockNumbers,
  type Stack,
} from "../../config/labs/block.js";
import { bounds } from "../../config/bounds.js";
import type { Words } from "../../i18n/words.js";
import { parseNumber } from "../../marks/numbers.js";
import { refuseUnevenHeads, labControls, withoutDefaults, type ControlOf } from "../../telling/controls.js";
import type { Refused } from "../../telling/typed-values.js";
import { SPACE } from "../../config/tokens.js";
import { knownWords } from "../known-words.js";
import { parametersControl, refuseOtherCount } from "../given-parameters.js";
import { stringsIn } from "./strings.js";

/** The heights of document 004, the first numbers of layer norm alone. */
const heights = [[140, 150, 160, 170, 180]];

/** Numbers as they are typed: separated by spaces or commas. */
function typedRow(typed: string): number[] | null {
  const pieces = typed.split(/[\s,，;；、]+/).filter(Boolean);
  const row = pieces.map(parseNumber);
  const { min, max } = blockBounds.row;
  return row.length >= min && row.length <= max && !row.includes(null) ? (row as number[]) : null;
}

/** The number of layers of a stack when the reader first chooses one. */
const newStack = 6;

/** The options of the first control: the part, with a stack for a block that is not one layer as in the paper, or whose parameters are given. */
const shownParts = ["block", "stack", "norm", "curves"] as const;
type ShownPart = (typeof shownParts)[number];

const shownPartOf = (numbers: BlockNumbers): ShownPart =>
  numbers.part === "block" && (numbers.parameters || !isPlain(numbers)) ? "stack" : numbers.part;

/** The numbers after the reader chose another part. A block and a stack share their edits. */
function withShownPart(numbers: BlockNumbers, shown: ShownPart): BlockNumbers {
  if (shown === shownPartOf(numbers)) return numbers;
  if (shown === "norm") return { ...numbers, part: shown, x: numbers.x ?? heights, edits: [] };
  if (shown === "curves") return { ...numbers, part: shown, edits: [] };
  const edits = numbers.part === "block" ? numbers.edits : [];
  const block: BlockNumbers = { ...numbers, part: "block", edits };
  if (shown === "stack") return isPlain(numbers) ? { ...block, layers: newStack } : block;
  const { positions: _positions, ...paper } = { ...block, ...stackOf({}) };
  return withoutDefaults(paper, stackOf({}));
}

/** A control of a setting that may be absent. `stackOf` has its default. */
const stackControl = (id: keyof Stack): ControlOf<"block"> => ({
  value: ({ numbers }) => {
    const value = stackOf(numbers)[id];
    return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
  },
  label({ numbers }, words) {
    const value = stackOf(numbers)[id];
    const strings = stringsIn(words);
    if (typeof value === "boolean") return strings(`${id}.${value ? "on" : "off"}` as "residual.on");
    if (id === "layer") return strings("layer.n", { n: value });
    return strings(value === 1 ? "layers.one" : "layers.many", { n: value });
  },
  then: (after) => withoutDefaults(after, stackOf({})),
});

const withoutEdits = (numbers: BlockNumbers): BlockNumbers => ({ ...numbers, edits: [] });

export const settings = labControls({
  id: "block",
  strings: stringsIn,
  sentence({ numbers }, words) {
    const strings = stringsIn(words);
    const { layers, layerNorm } = stackOf(numbers);
    const stack = layers > 1 ? "sentence.stack" : "sentence.single";
    const sentence =
      shownPartOf(numbers) !== "stack"
        ? strings(`sentence.${numbers.part}`)
        : strings(layerNorm ? stack : `${stack}.noNorm`);
    if (!numbers.parameters) return sentence;
    // Dropout still draws from the seed.
    return sentence.replace("{seed}", numbers.dropout > 0 ? strings("sentence.given") : "{parameters}");
  },
  controls: {
    part: {
      essential: true,
      options: (_config, words) =>
        shownParts.map((value) => ({ value, label: stringsIn(words)(`part.${value}`) })),
      value: ({ numbers }) => shownPartOf(numbers),
      label: ({ numbers }, words) => stringsIn(words)(`part.${shownPartOf(numbers)}`),
      set(numbers, typed, reading) {
        const shown = reading.choice(typed, shownParts);
        return typeof shown === "string" ? withShownPart(numbers, shown) : shown;
      },
    },
    residual: { essential: true, ...stackControl("residual") },
    layerNorm: stackControl("layerNorm"),
    layers: { essential: true, ...stackControl("layers") },
    layer: { ...stackControl("layer"), range: (numbers) => ({ min: 0, max: stackOf(numbers).layers - 1 }) },
    scaleEmbedding: stackControl("scaleEmbedding"),
    causal: stackControl("causal"),
    positions: {
      kind: "choice",
      value: ({ numbers }) => positionsOf(numbers),
      label: ({ numbers }, words) => positionsText(positionsOf(numbers), words),
      options: ({ numbers }, words) =>
        positionKinds
          .filter((kind) => kind !== "learned" || positionsOf(numbers) === kind)
          .map((value) => ({ value, label: positionsText(value, words) })),
      set(numbers, typed, reading) {
        const kind = reading.choice(typed, positionKinds);
        if (typeof kind === "object") return kind;
        if (kind === positionsOf(numbers)) return numbers;
        const { positions: _before, ...others } = numbers;
        return kind === "none" ? { ...others, positions: 0 } : others;
      },
    },
    tokens: {
      essential: true,
      value: ({ numbers: { tokens, vocabulary = [] } }) => tokens.join(vocabulary.includes(SPACE) ? "" : " "),
      set(numbers, typed, reading) {
        const { tokens, vocabulary } = numbers;
        const range = { min: 1, max: numbers.positions || bounds.words.max };
        if (!vocabulary) {
          const read = reading.words(typed, tokens, range);
          return Array.isArray(read) ? withoutEdits({ ...numbers, tokens: read }) : read;
        }
        const known = knownWords(typed, vocabulary);
        const other = known.find((word) => !vocabulary.includes(word));
        if (other !== undefined) return reading.choice(other, vocabulary) as Refused;
        const read = reading.words(known.join(" "), known, range);
        return Array.isArray(read) ? { ...numbers, tokens: read } : read;
      },
    },
    parameters: parametersControl<BlockNumbers>(withDrawnParameters),
    dim: { then: withoutEdits },
    heads: { then: refuseUnevenHeads },
    hidden: { then: withoutEdits },
    norm: { essential: true },
    dropout: {
      options: ({ numbers }, words) =>
        [...new Set(["0", "0.1", "0.3", "0.5", String(numbers.dropout)])]
          .sort()
          .map((value) => ({ value, label: dropoutText(Number(value), words) })),
      label: ({ numbers }, words) => dropoutText(numbers.dropout, words),
    },
    x: {
      kind: "words",
      essential: true,
      value: ({ numbers }) => (numbers.x?.[0] ?? []).join(" "),
      label({ numbers }, words) {
        const n = numbers.x?.[0]?.length ?? 0;
        return stringsIn(words)(n === 1 ? "x.one" : "x.many", { n });
      },
      set(numbers, typed, _reading, words) {
        const row = typedRow(typed);
        if (!row)
          return { refused: stringsIn(words)("refused.x", { max: blockBounds.row.max, given: typed }) };
        if (String(row) === String(numbers.x?.[0])) return numbers;
        return { ...numbers, x: [row], claim: null, edits: [] };
      },
    },
  },
  after: (answer, words) => refuseOtherCount(answer, parameterCount(answer), words),
});

const positionKinds = ["sines", "none", "learned"] as const;

const positionsText = (kind: (typeof positionKinds)[number], words: Words): string =>
  stringsIn(words)(`positions.${kind}`);

function dropoutText(p: number, words: Words): string {
  return p === 0 ? stringsIn(words)("dropout.none") : stringsIn(words)("dropout.some", { p });
}
