/** Lab 5: positional encodings (section 3.5), and what came after. */
import { bounds, choices } from "../config/bounds.js";
import type { PositionsNumbers } from "../config/config.js";
import { positionCount } from "../config/leaves.js";
import type { Core, DrawOptions, Graph, Node } from "../core/attention.js";
import type { Words } from "../i18n/words.js";
import type { Lab } from "./lab.js";
import { typedLeaf, withRandom } from "./leaf.js";
import { positionsScene, positionsStrip } from "./positions-scene.js";
import { lede, sentence, title } from "./positions-sentence.js";
import { becomes, formula, nodeWords, opening, remarks, steps } from "./positions-words.js";
import { changing, oneOf, wholeNumber, type Refused } from "./settings.js";

function places(numbers: PositionsNumbers): { positions: readonly number[] } | { length: number } {
  return numbers.positions ? { positions: numbers.positions } : { length: numbers.length };
}

/** A leaf of numbers drawn from the seed. */
function drawn(core: Core, graph: Graph, name: string, seed: number, given: DrawOptions): Node {
  return withRandom(core, graph, seed, (random) => graph.draw(name, random, "randn", given));
}

/** The vectors that RoPE turns, one per position: typed, typed once for all, or drawn. */
function vectors(core: Core, graph: Graph, numbers: PositionsNumbers): Node {
  const count = positionCount(numbers);
  if (!numbers.x) return drawn(core, graph, "X", numbers.seed, { shape: [count, numbers.dim] });
  const typed = typedLeaf(graph, "X", numbers.x);
  if (numbers.x.length === count) return typed;
  return graph.embedding({ shape: [count], data: new Int32Array(count) }, typed, { name: "rows" });
}

export function build(core: Core, graph: Graph, numbers: PositionsNumbers): void {
  const { encoding, dim, base, seed } = numbers;
  const count = positionCount(numbers);
  if (encoding === "rotary") {
    graph.rotary(vectors(core, graph, numbers), {
      ...(numbers.positions ? { positions: numbers.positions } : {}),
      base,
      layout: "interleaved",
      name: "rotated",
    });
    return;
  }
  if (encoding === "alibi") {
    graph.alibi({ numHeads: numbers.heads, queryLength: count, keyLength: count, name: "bias" });
    return;
  }
  if (encoding === "shift") {
    const here = graph.sinusoidal({ ...places(numbers), dim, base, name: "PE_p" });
    const shift = graph.transpose(graph.shiftMatrix({ offset: numbers.offset, dim, base, name: "M" }), {
      name: "M_T",
    });
    graph.matmul(here, shift, { name: "M_PE_p" });
    graph.sinusoidal({ ...places(numbers), offset: numbers.offset, dim, base, name: "PE_pk" });
    return;
  }
  const encoded =
    encoding === "sinusoidal"
      ? graph.sinusoidal({ ...places(numbers), dim, base, name: "PE" })
      : encoding === "absolute"
        ? graph.absoluteIndex({ ...places(numbers), dim, name: "PE" })
        : drawn(core, graph, "PE", seed, { shape: [count, dim], sqrtDivisor: dim });
  if (numbers.x) graph.add(typedLeaf(graph, "X", numbers.x), encoded, { name: "input" });
}

const even = (encoding: PositionsNumbers["encoding"]) => encoding === "rotary" || encoding === "shift";

function set(
  numbers: PositionsNumbers,
  control: string,
  value: string,
  words: Words,
): PositionsNumbers | Refused {
  switch (control) {
    case "encoding": {
      const encoding = oneOf(value, "labs.field.encoding", choices.encoding, words);
      return typeof encoding === "string" ? { ...numbers, encoding } : encoding;
    }
    case "length":
    case "base":
    case "offset":
    case "heads":
    case "seed": {
      const whole = wholeNumber(
        value,
        control === "length" ? "labs.field.positions" : `labs.field.${control}`,
        bounds[control],
        words,
      );
      return typeof whole === "number" ? { ...numbers, [control]: whole } : whole;
    }
    case "positions": {
      const list = value.split(/[\s,，、]+/).filter(Boolean);
      if (list.length < 1 || list.length > bounds.length.max) {
        return {
          refused: words("labs.refused.count", {
            field: words("labs.field.positions"),
            max: bounds.length.max,
            given: list.length,
          }),
        };
      }
      const positions: number[] = [];
      for (const text of list) {
        const position = wholeNumber(text, "labs.field.positions", bounds.position, words);
        if (typeof position !== "number") return position;
        positions.push(position);
      }
      return { ...numbers, positions };
    }
    case "dim": {
      const dim = wholeNumber(value, "labs.field.dimensions", bounds.dim, words);
      if (typeof dim !== "number" || dim === numbers.dim) return typeof dim === "number" ? numbers : dim;
      if (even(numbers.encoding) && dim % 2 === 1)
        return { refused: words("labs.refused.even", { given: dim }) };
      return { ...numbers, dim, x: null, edits: [] };
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

export const positions: Lab<"positions"> = {
  id: "positions",
  chapter: 5,
  build,
  title,
  lede,
  sentence,
  change: changing("positions", set),
  scene: positionsScene,
  strip: positionsStrip,
  steps,
  formula,
  nodeWords,
  becomes,
  opening,
  remarks,
};
