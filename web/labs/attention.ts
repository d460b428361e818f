/** Lab 2: attention step by step. One head, every number of it (section 3.2.1). */
import type { Core, Graph, Node, RandomState } from "../core/attention.js";
import { bounds } from "../config/bounds.js";
import { keyCount } from "../config/leaves.js";
import type { AttentionNumbers, Matrix } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { attendingSet, attentionOptions } from "./attend.js";
import { attentionScene, attentionStrip } from "./attention-scene.js";
import { lede, sentence, title } from "./attention-sentence.js";
import { becomes, formula, nodeWords, opening, remarks, steps } from "./attention-words.js";
import type { Lab } from "./lab.js";
import { typedLeaf, withRandom } from "./leaf.js";
import { changing, oneOf, typedWords, wholeNumber, withoutNode, type Refused } from "./settings.js";

/** W_Q, W_K and W_V in the order in which they are drawn. A typed one is drawn too, so that the others keep their places. */
function weights(graph: Graph, random: RandomState, numbers: AttentionNumbers): [Node, Node, Node] {
  const { dim, keyDim, valueDim, draw } = numbers;
  const weight = (name: string, typed: Matrix | null, width: number): Node => {
    const shape = [dim, width];
    if (typed) {
      if (draw === "randint") random.randint(0, 3, shape);
      else random.randn(shape);
      return typedLeaf(graph, name, typed);
    }
    return draw === "randint"
      ? graph.draw(name, random, "randint", { shape, low: 0, high: 3 })
      : graph.draw(name, random, "randn", { shape, sqrtDivisor: dim });
  };
  return [
    weight("W_Q", numbers.wq, keyDim),
    weight("W_K", numbers.wk, keyDim),
    weight("W_V", numbers.wv, valueDim),
  ];
}

export function build(core: Core, graph: Graph, numbers: AttentionNumbers): void {
  const { tokens, memory, dim, seed } = numbers;
  const words =
    numbers.source === "values" && numbers.x
      ? typedLeaf(graph, "X", numbers.x)
      : graph.tokenVectors("X", tokens, seed, dim);
  const source = memory.length ? graph.tokenVectors("M", memory, seed, dim) : words;
  const [wq, wk, wv] = withRandom(core, graph, seed, (random) => weights(graph, random, numbers));
  const query = graph.matmul(words, wq, { name: "Q" });
  const key = graph.matmul(source, wk, { name: "K" });
  const value = graph.matmul(source, wv, { name: "V" });
  graph.scaledDotProductAttention(
    query,
    key,
    value,
    attentionOptions(graph, numbers, tokens.length, keyCount(numbers)),
  );
}

function set(
  numbers: AttentionNumbers,
  control: string,
  value: string,
  words: Words,
): AttentionNumbers | Refused {
  const whole = (field: "dim" | "keyDim" | "valueDim" | "seed") =>
    wholeNumber(value, `labs.field.${field}`, bounds[field], words);
  switch (control) {
    case "words": {
      const tokens = typedWords(value, numbers.tokens, "labs.field.words", 1, words);
      if (!Array.isArray(tokens)) return tokens;
      if (tokens.join(" ") === numbers.tokens.join(" ")) return numbers;
      return { ...numbers, tokens, source: "words", x: null, edits: withoutNode(numbers.edits, "X") };
    }
    case "memory": {
      const memory = typedWords(value, numbers.memory, "labs.field.memory", 0, words);
      return Array.isArray(memory) ? { ...numbers, memory, edits: withoutNode(numbers.edits, "M") } : memory;
    }
    case "dim": {
      const dim = whole("dim");
      if (typeof dim !== "number" || dim === numbers.dim) return typeof dim === "number" ? numbers : dim;
      return { ...numbers, dim, source: "words", x: null, edits: [] };
    }
    case "keyDim":
    case "valueDim": {
      const width = whole(control);
      return typeof width === "number" ? { ...numbers, [control]: width } : width;
    }
    case "seed": {
      const seed = whole("seed");
      return typeof seed === "number" ? { ...numbers, seed, wq: null, wk: null, wv: null } : seed;
    }
    case "draw": {
      if (value === "given") return numbers;
      const draw = oneOf(value, "labs.field.draw", ["scaled", "randint"], words);
      return typeof draw === "string" ? { ...numbers, draw, wq: null, wk: null, wv: null } : draw;
    }
    case "scale":
    case "mask":
    case "paint":
      return attendingSet(numbers, control, value, numbers.tokens.length, keyCount(numbers), words);
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const attention: Lab<"attention"> = {
  id: "attention",
  chapter: 2,
  build,
  title,
  lede,
  sentence,
  change: changing("attention", set),
  scene: attentionScene,
  strip: attentionStrip,
  steps,
  formula,
  nodeWords,
  becomes,
  opening,
  remarks,
};
