/** Lab 2: attention step by step. One head, every number of it (section 3.2.1). */
import type { Core, Graph, Tensor } from "../core/index.js";
import { bounds } from "../config/bounds.js";
import { keyCount, leaves } from "../config/leaves.js";
import type { AttentionNumbers, Matrix } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { attend } from "./attend.js";
import { attentionScene, attentionStrip } from "./attention-scene.js";
import { becomes, formula, lede, nodeWords, opening, remarks, sentence, steps, title } from "./attention-words.js";
import type { Lab } from "./lab.js";
import { maskTensor, paint } from "./mask.js";
import { keptEdits, oneOf, typedWords, wholeNumber, withoutNode, type Refused } from "./settings.js";

function matrix(rows: Matrix): Tensor<Float64Array> {
  return { shape: [rows.length, rows[0]?.length ?? 0], data: Float64Array.from(rows.flat()) };
}

function build(core: Core, graph: Graph, numbers: AttentionNumbers): void {
  const { tokens, memory, dim, keyDim, valueDim, seed } = numbers;
  if (tokens.length === 0) return;
  const words =
    numbers.source === "values" && numbers.x ? graph.leaf("X", matrix(numbers.x)) : graph.tokenVectors("X", tokens, seed, dim);
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

/** Edits that lost their cell go. */
function settled(numbers: AttentionNumbers): AttentionNumbers {
  return { ...numbers, edits: keptEdits(numbers.edits, leaves("attention", numbers)) };
}

function change(numbers: AttentionNumbers, control: string, value: string, words: Words): AttentionNumbers | Refused {
  const whole = (field: "dim" | "keyDim" | "valueDim" | "seed") => wholeNumber(value, `labs.field.${field}`, bounds[field], words);
  switch (control) {
    case "words":
    case "memory": {
      const tokens = typedWords(value, control === "words" ? "labs.field.words" : "labs.field.memory", words);
      if (!Array.isArray(tokens)) return tokens;
      if (control === "memory") return settled({ ...numbers, memory: tokens, edits: withoutNode(numbers.edits, "M") });
      return settled({ ...numbers, tokens, source: "words", x: null, edits: withoutNode(numbers.edits, "X") });
    }
    case "dim": {
      const dim = whole("dim");
      if (typeof dim !== "number") return dim;
      if (dim === numbers.dim) return numbers;
      return { ...numbers, dim, source: "words", x: null, wq: null, wk: null, wv: null, edits: [] };
    }
    case "keyDim": {
      const keyDim = whole("keyDim");
      if (typeof keyDim !== "number") return keyDim;
      return keyDim === numbers.keyDim ? numbers : settled({ ...numbers, keyDim, wq: null, wk: null });
    }
    case "valueDim": {
      const valueDim = whole("valueDim");
      if (typeof valueDim !== "number") return valueDim;
      return valueDim === numbers.valueDim ? numbers : settled({ ...numbers, valueDim, wv: null });
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
      return typeof mask === "string" ? { ...numbers, mask } : mask;
    }
    case "paint": {
      const painted = paint(numbers, value, numbers.tokens.length, keyCount(numbers));
      return painted ?? { refused: words("labs.refused.paint", { given: value }) };
    }
    case "edits":
      return { ...numbers, edits: [] };
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
