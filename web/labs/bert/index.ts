/** Lab 9: BERT's inputs (section 3 of "BERT"), and the words it finds again. */
import { bounds } from "../../config/bounds.js";
import { bertBounds, bertChoices, type BertNumbers } from "../../config/labs/bert.js";
import { own, type Words } from "../../i18n/words.js";
import type { Lab } from "../lab.js";
import { changing, typedWords, wholeNumber } from "../settings.js";
import { told } from "../telling.js";
import formula from "./bert.tex?mathml";
import { controls, hiddenPlaces } from "./controls.js";
import { en } from "./en.js";
import { bertFlow } from "./stage.js";
import { bertTensors, stopIds, type Say, type Stop } from "./tensors.js";
import { zh } from "./zh-CN.js";
import { largestInRow } from "../largest.js";

const sayIn = (words: Words): Say => own(words, { en, "zh-CN": zh });

const set: Lab<"bert">["change"] = (numbers, control, value, words) => {
  const say = sayIn(words);
  switch (control) {
    case "tokens": {
      const tokens = typedWords(value, numbers.tokens, "labs.field.words", 1, words);
      if ("refused" in tokens) return tokens;
      const { max } = bertBounds.first;
      if (tokens.length > max) return { refused: say("refused.first", { max, given: tokens.length }) };
      return { ...numbers, tokens };
    }
    case "second": {
      const second = typedWords(value, numbers.second, "labs.field.words", 0, words);
      if ("refused" in second) return second;
      const { max } = bertBounds.second;
      if (second.length > max) return { refused: say("refused.second", { max, given: second.length }) };
      return { ...numbers, second };
    }
    case "rule":
      return bertChoices.rule.some((rule) => rule === value)
        ? { ...numbers, rule: value as BertNumbers["rule"] }
        : numbers;
    case "hidden": {
      const hidden = hiddenPlaces(value, numbers);
      return hidden
        ? { ...numbers, rule: "chosen", hidden }
        : { refused: say("refused.hidden", { given: value }) };
    }
    case "dim": {
      const dim = wholeNumber(value, "labs.field.dim", bertBounds.dim, words);
      return typeof dim === "number" ? { ...numbers, dim } : dim;
    }
    case "heads": {
      const heads = wholeNumber(value, "labs.field.heads", bertBounds.heads, words);
      if (typeof heads !== "number") return heads;
      if (numbers.dim % heads !== 0) return { refused: say("refused.heads", { dim: numbers.dim, heads }) };
      return { ...numbers, heads };
    }
    case "trained": {
      const trained = bertChoices.trained.find((steps) => String(steps) === value);
      return trained === undefined ? numbers : { ...numbers, trained };
    }
    case "seed": {
      const seed = wholeNumber(value, "labs.field.seed", bounds.seed, words);
      return typeof seed === "number" ? { ...numbers, seed } : seed;
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
};

/** A cell of each stop, in the row of a hidden place. */
function cellOf(
  numbers: BertNumbers,
  stop: Stop,
  place = numbers.hidden[0] ?? 1,
): { node: string; index: number[] } {
  const cells: Record<Stop, { node: string; index: number[] }> = {
    embed: { node: "embeddings.with_segments", index: [place, 0] },
    attend: { node: "layers.0.self_attn.weights", index: [0, place, 1] },
    layer: { node: "layers.0.norm2", index: [place, 0] },
    predict: { node: "logits", index: [place, 0] },
    score: { node: "probabilities", index: [0, 0] },
  };
  return cells[stop];
}

export const bert: Lab<"bert"> = told({
  id: "bert",
  formulas: { bert: formula },
  title: (_config, words) => sayIn(words)("title"),
  lede: (_config, words, narrow) => sayIn(words)(narrow ? "lede.narrow" : "lede"),
  sentence({ numbers }, words) {
    const say = sayIn(words);
    const text = say(numbers.rule === "drawn" ? "sentence.drawn" : "sentence");
    return { text, controls: controls(numbers, say).filter(({ id }) => text.includes(`{${id}}`)) };
  },
  change: changing("bert", set),
  tensors: ({ numbers }, words) => bertTensors(numbers, sayIn(words)),
  stops({ numbers }, words, snapshots) {
    const say = sayIn(words);
    const hidden = snapshots.get("hidden_places")?.data[0];
    return stopIds.map((id) => ({
      id,
      title: say(`stop.${id}`),
      sentence: say(`tell.${id}`),
      cell: largestInRow(snapshots, cellOf(numbers, id, hidden)),
    }));
  },
  flow: (config, snapshots, room, of) => bertFlow(config, snapshots, room, of, sayIn(room.words)),
  formula({ numbers }, words) {
    const say = sayIn(words);
    const all = bertTensors(numbers, say);
    const part = (symbol: string, ...nodes: string[]) => {
      const { name, rows, columns, role } = all.find(({ node }) => node === nodes[0])!;
      return {
        symbol,
        nodes,
        ...(role === "activation" ? {} : { role }),
        label:
          symbol === "p" ? name : say("formula.part", { name, size: [rows, columns].join(words("labs.by")) }),
      };
    };
    return {
      id: "bert",
      parts: [
        part("X0", "embeddings.norm"),
        part("W", "embeddings.tokens"),
        part("P", "embeddings.positions"),
        part("S", "embeddings.segments"),
        part("p", "probabilities"),
        part("H", "head.norm"),
        part("E", "embeddings.word_embeddings.weight"),
      ],
    };
  },
  opening: ({ numbers }) => cellOf(numbers, "embed"),
});
