/** Lab 4: many heads side by side (section 3.2.2). */
import { bounds } from "../config/bounds.js";
import type { MultiHeadNumbers } from "../config/config.js";
import { batchCount, rowCount } from "../config/leaves.js";
import { headsProblem } from "../config/rules.js";
import type { Core, Graph, Node, RandomState } from "../core/attention.js";
import type { Words } from "../i18n/words.js";
import { attendingSet, attentionOptions } from "./attend.js";
import type { Lab } from "./lab.js";
import { withRandom } from "./leaf.js";
import { multiHeadScene, multiHeadStrip } from "./multi-head-scene.js";
import { lede, sentence, title } from "./multi-head-sentence.js";
import { becomes, formula, nodeWords, opening, remarks, steps } from "./multi-head-words.js";
import {
  changing,
  isRefused,
  oneOf,
  typedWords,
  wholeNumber,
  withoutNode,
  type Refused,
} from "./settings.js";

/** The leaves in the order in which they are drawn, with their shapes. */
function draws(numbers: MultiHeadNumbers): [string, number[]][] {
  const { dim, heads, keyDim, valueDim } = numbers;
  const x: [string, number[]][] =
    numbers.source === "draw" ? [["x", [batchCount(numbers), rowCount(numbers), dim]]] : [];
  return [
    ...x,
    ["W_Q", [dim, heads * keyDim]],
    ["W_K", [dim, heads * keyDim]],
    ["W_V", [dim, heads * valueDim]],
    ["W_O", [heads * valueDim, dim]],
  ];
}

/** Draws everything `run` times from one stream, as a notebook cell that is run again does; the last draws are kept. */
function drawn(graph: Graph, random: RandomState, numbers: MultiHeadNumbers): Record<string, Node> {
  for (let run = 1; run < numbers.run; run += 1) for (const [, shape] of draws(numbers)) random.randn(shape);
  const kept = draws(numbers).map(([name, shape]): [string, Node] => {
    const divided = numbers.draw === "scaled" && name !== "x";
    return [
      name,
      graph.draw(name, random, "randn", divided ? { shape, sqrtDivisor: numbers.dim } : { shape }),
    ];
  });
  return Object.fromEntries(kept);
}

export function build(core: Core, graph: Graph, numbers: MultiHeadNumbers): void {
  const { tokens, seed, dim, heads } = numbers;
  const length = rowCount(numbers);
  let x: Node | null = null;
  if (numbers.source === "words") {
    // Words are one sample: the batch axis is put before their rows.
    x = graph.reshape(graph.tokenVectors("x", tokens, seed, dim), {
      shape: [1, length, dim],
      name: "x_batch",
    });
  }
  const leaf = withRandom(core, graph, seed, (random) => drawn(graph, random, numbers));
  x ??= leaf["x"]!;
  const parameters = { wQ: leaf["W_Q"]!, wK: leaf["W_K"]!, wV: leaf["W_V"]!, wO: leaf["W_O"]! };
  graph.multiHeadAttention(x, x, x, parameters, {
    numHeads: heads,
    ...attentionOptions(graph, numbers, length, length),
  });
}

/** Heads that share the numbers of a word evenly keep doing so. */
function shared(numbers: MultiHeadNumbers): boolean {
  return numbers.heads * numbers.keyDim === numbers.dim && numbers.keyDim === numbers.valueDim;
}

function split(
  numbers: MultiHeadNumbers,
  next: Pick<MultiHeadNumbers, "dim" | "heads">,
  words: Words,
): MultiHeadNumbers | Refused {
  if (!shared(numbers)) return { ...numbers, ...next };
  if (headsProblem(next))
    return { refused: words("labs.refused.heads", { heads: next.heads, dim: next.dim }) };
  const width = next.dim / next.heads;
  if (width > bounds.keyDim.max)
    return { refused: words("labs.refused.width", { width, max: bounds.keyDim.max }) };
  return { ...numbers, ...next, keyDim: width, valueDim: width };
}

function set(
  numbers: MultiHeadNumbers,
  control: string,
  value: string,
  words: Words,
): MultiHeadNumbers | Refused {
  switch (control) {
    case "words": {
      const tokens = typedWords(value, numbers.tokens, "labs.field.words", 1, words);
      if (!Array.isArray(tokens)) return tokens;
      if (numbers.source === "words" && tokens.join(" ") === numbers.tokens.join(" ")) return numbers;
      return { ...numbers, tokens, source: "words", run: 1, edits: withoutNode(numbers.edits, "x") };
    }
    case "source": {
      if (value !== "words" || numbers.source === "words") return numbers;
      const tokens = numbers.tokens.length
        ? numbers.tokens
        : Array.from({ length: numbers.length }, (_, row) => `word_${row + 1}`);
      return { ...numbers, tokens, source: "words", run: 1, edits: [] };
    }
    case "dim":
    case "heads": {
      const size = wholeNumber(value, `labs.field.${control}`, bounds[control], words);
      if (typeof size !== "number") return size;
      if (size === numbers[control]) return numbers;
      const next = split(numbers, { dim: numbers.dim, heads: numbers.heads, [control]: size }, words);
      return isRefused(next) ? next : { ...next, edits: [] };
    }
    case "keyDim": {
      const keyDim = wholeNumber(value, "labs.field.headWidth", bounds.keyDim, words);
      if (typeof keyDim !== "number") return keyDim;
      return {
        ...numbers,
        keyDim,
        valueDim: numbers.valueDim === numbers.keyDim ? keyDim : numbers.valueDim,
      };
    }
    case "length": {
      const length = wholeNumber(value, "labs.field.length", bounds.drawLength, words);
      return typeof length === "number" ? { ...numbers, length } : length;
    }
    case "batch":
    case "run":
    case "seed": {
      const whole = wholeNumber(value, `labs.field.${control}`, bounds[control], words);
      return typeof whole === "number" ? { ...numbers, [control]: whole } : whole;
    }
    case "draw": {
      const draw = oneOf(value, "labs.field.draw", ["scaled", "randn"], words);
      return typeof draw === "string" ? { ...numbers, draw } : draw;
    }
    case "scale":
    case "mask":
    case "paint":
      return attendingSet(numbers, control, value, rowCount(numbers), rowCount(numbers), words);
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const multiHead: Lab<"multi-head"> = {
  id: "multi-head",
  chapter: 4,
  build,
  title,
  lede,
  sentence,
  change: changing("multi-head", set),
  scene: multiHeadScene,
  strip: multiHeadStrip,
  steps,
  formula,
  nodeWords,
  becomes,
  opening,
  remarks,
};
