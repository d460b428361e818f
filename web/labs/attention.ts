/** Lab 2: attention step by step. One head, every number of it (section 3.2.1). */
import type { Core, Graph, Tensor } from "../core/index.js";
import { bounds } from "../config/bounds.js";
import { keyCount } from "../config/leaves.js";
import type { AttentionNumbers, Matrix } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { attend } from "./attend.js";
import { attentionScene, attentionStrip } from "./attention-scene.js";
import { lede, sentence, title } from "./attention-sentence.js";
import { becomes, formula, nodeWords, opening, remarks, steps } from "./attention-words.js";
import type { Lab } from "./lab.js";
import { maskTensor, masked, paint } from "./mask.js";
import { isRefused, oneOf, settled, typedWords, wholeNumber, withoutNode, type Refused } from "./settings.js";

function matrix(rows: Matrix): Tensor<Float64Array> {
  return { shape: [rows.length, rows[0]?.length ?? 0], data: Float64Array.from(rows.flat()) };
}

export function build(core: Core, graph: Graph, numbers: AttentionNumbers): void {
  const { tokens, memory, dim, keyDim, valueDim, seed } = numbers;
  const words =
    numbers.source === "values" && numbers.x
      ? graph.leaf("X", matrix(numbers.x))
      : graph.tokenVectors("X", tokens, seed, dim);
  const source = memory.length ? graph.tokenVectors("M", memory, seed, dim) : words;
  const random = core.randomState(seed);
  try {
    const weights = (name: string, typed: Matrix | null, width: number) => {
      if (typed) return graph.leaf(name, matrix(typed));
      const shape = [dim, width];
      return numbers.draw === "randint"
        ? graph.draw(name, random, "randint", { shape, low: 0, high: 3 })
        : graph.draw(name, random, "randn", { shape, divisor: Math.sqrt(dim) });
    };
    const wq = weights("W_Q", numbers.wq, keyDim);
    const wk = weights("W_K", numbers.wk, keyDim);
    const wv = weights("W_V", numbers.wv, valueDim);
    const query = graph.matmul(words, wq, { name: "Q" });
    const key = graph.matmul(source, wk, { name: "K" });
    const value = graph.matmul(source, wv, { name: "V" });
    attend(graph, query, key, value, {
      scaleBy: numbers.scale ? keyDim : null,
      mask: numbers.mask === "none" ? null : maskTensor(numbers, tokens.length, keyCount(numbers)),
      result: "output",
    });
  } finally {
    random.delete();
  }
}

function change(
  numbers: AttentionNumbers,
  control: string,
  value: string,
  words: Words,
): AttentionNumbers | Refused {
  const answer = set(numbers, control, value, words);
  return isRefused(answer) || answer === numbers ? answer : settled("attention", answer, numbers);
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
    case "scale": {
      const scale = oneOf(value, "labs.field.scale", ["on", "off"], words);
      return typeof scale === "string" ? { ...numbers, scale: scale === "on" } : scale;
    }
    case "mask": {
      const mask = oneOf(value, "labs.field.mask", ["none", "causal", "painted"], words);
      return typeof mask === "string"
        ? masked(numbers, mask, numbers.tokens.length, keyCount(numbers))
        : mask;
    }
    case "paint": {
      const painted = paint(numbers, value, numbers.tokens.length, keyCount(numbers));
      return painted ?? { refused: words("labs.refused.paint", { given: value }) };
    }
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
  change,
  scene: attentionScene,
  strip: attentionStrip,
  steps,
  formula,
  nodeWords,
  becomes,
  opening,
  remarks,
};
