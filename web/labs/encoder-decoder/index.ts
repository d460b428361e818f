/** Lab 7: encoder and decoder (sections 3.1 and 3.2.3). A small trained Transformer translates word by word. */
import type { ConfigOf } from "../../config/config.js";
import {
  decodeSteps,
  sourceLength,
  sourceWords,
  trainedSteps,
  type EncoderDecoderNumbers,
} from "../../config/labs/encoder-decoder.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Control, FormulaPart, Remark } from "../../marks/wording.js";
import { sizeWords } from "../controls.js";
import type { Lab } from "../lab.js";
import { changing, oneOf, typedWords, wholeNumber, type Refused } from "../settings.js";
import { told, type Stop, type Telling } from "../telling.js";
import encoderDecoderFormula from "./encoder-decoder.tex?mathml";
import { flow, wideScene } from "./scene.js";
import { ownWords, rowsOf, stopIds, tensors } from "./tensors.js";
import { vocabulary, writtenOf } from "./vocabulary.js";
import { largestInRow } from "../largest.js";

type Config = ConfigOf<"encoder-decoder">;

/** Longer sentences are counted in the settings, not quoted. */
const quoted = 30;

function set(
  numbers: EncoderDecoderNumbers,
  control: string,
  value: string,
  words: Words,
): EncoderDecoderNumbers | Refused {
  const say = ownWords(words);
  switch (control) {
    case "words": {
      const typed = typedWords(value.toLowerCase(), numbers.tokens, "labs.field.words", 1, words);
      if (!Array.isArray(typed)) return typed;
      const known: readonly string[] = sourceWords;
      const other = typed.find((word) => !known.includes(word));
      if (other !== undefined)
        return { refused: say("refused.word", { known: sourceWords.join(", "), given: other }) };
      const tokens = typed.slice(0, sourceLength.max);
      const whole = numbers.steps === numbers.tokens.length + 1;
      const steps = whole ? tokens.length + 1 : Math.min(numbers.steps, tokens.length + 1);
      return { ...numbers, tokens, steps };
    }
    case "steps": {
      const range = { min: decodeSteps.min, max: numbers.tokens.length + 1 };
      const steps = wholeNumber(value, "labs.field.length", range, words);
      return typeof steps === "number" ? { ...numbers, steps } : steps;
    }
    case "trained": {
      const trained = oneOf(value, "labs.field.draw", trainedSteps.map(String), words);
      return typeof trained === "string" ? { ...numbers, trained: Number(trained) } : trained;
    }
    default:
      return { refused: words("labs.refused.control", { given: control }) };
  }
}

function sentence({ numbers }: Config, words: Words): { text: string; controls: Control[] } {
  const say = ownWords(words);
  const { tokens, steps, trained } = numbers;
  const text = tokens.join(" ");
  const label = (after: number) => say(`trained.${after}` as "trained.0");
  return {
    text: say("sentence"),
    controls: [
      {
        id: "words",
        kind: "words",
        essential: true,
        title: say("field.words"),
        value: text,
        label:
          text.length <= quoted ? say("words.quoted", { text }) : say("words.many", { n: tokens.length }),
        help: say("help.words"),
      },
      {
        id: "steps",
        kind: "number",
        essential: true,
        title: say("field.steps"),
        value: String(steps),
        min: decodeSteps.min,
        max: tokens.length + 1,
        label: say(steps === 1 ? "steps.one" : "steps.many", { n: steps }),
        help: say("help.steps"),
      },
      {
        id: "trained",
        kind: "choice",
        essential: true,
        title: say("field.trained"),
        value: String(trained),
        label: label(trained),
        options: trainedSteps.map((after) => ({ value: String(after), label: label(after) })),
        help: say("help.trained"),
      },
    ],
  };
}

/** Where the word before a colour asks for its noun: the row of the word written third, if there is one. */
function opening({ numbers }: Config) {
  const row = Math.min(2, numbers.steps - 1);
  return {
    node: "decoder.multihead_attn.weights",
    index: [0, row, Math.min(row + 1, numbers.tokens.length - 1)],
  };
}

function stops(config: Config, words: Words, snapshots: Snapshots): Stop[] {
  const say = ownWords(words);
  const cross = opening(config);
  const [, row = 0] = cross.index;
  const largest = (node: string, ...index: number[]) => largestInRow(snapshots, { node, index });
  const cells = {
    read: largest("memory", Math.min(row, config.numbers.tokens.length - 1), 0),
    back: largest("decoder.self_attn.weights", 0, row, 0),
    ask: largestInRow(snapshots, cross),
    next: { node: "next", index: [row, nextId(config, row, snapshots)] },
    keep: largest("kept_keys", row, 0),
  };
  return stopIds.map((id) => ({
    id,
    title: say(`step.${id}`),
    sentence: say(`tell.${id}`),
    cell: cells[id],
  }));
}

/** The column of the word that was chosen after a row; the first before it is computed. */
function nextId({ numbers }: Config, row: number, snapshots: Snapshots): number {
  const word = writtenOf(numbers, snapshots)?.chosen[row];
  return word === undefined ? 0 : vocabulary.indexOf(word);
}

function formula(config: Config, words: Words): { id: string; parts: FormulaPart[] } {
  const say = ownWords(words);
  // Sizes and symbols do not depend on the numbers.
  const all = new Map(tensors(config, words, new Map()).map((tensor) => [tensor.node, tensor]));
  const symbols = [
    ["P", "next"],
    ["Y", "target.embedded"],
    ["M", "memory"],
    ["E", "embedding.weight"],
  ] as const;
  const parts = symbols.map(([symbol, node]): FormulaPart => {
    const { rows, columns, name, role } = all.get(node)!;
    return {
      symbol,
      nodes: [node],
      label: say("part", { symbol, name, size: sizeWords([rows, columns], words) }),
      ...(role === "activation" ? {} : { role }),
    };
  });
  return { id: "encoder-decoder", parts };
}

function remarks(config: Config, snapshots: Snapshots, words: Words): Remark[] {
  const say = ownWords(words);
  if (config.numbers.trained === 0) {
    return [
      {
        id: "drawn",
        title: say("remark.drawn"),
        body: say("remark.drawn.body"),
        actions: [{ label: say("remark.drawn.go"), change: { control: "trained", value: "2500" } }],
      },
    ];
  }
  const { chosen } = rowsOf(config, words, snapshots);
  const ended = (chosen?.indexOf("<end>") ?? -1) + 1;
  if (ended === 0 || ended >= config.numbers.steps) return [];
  return [
    {
      id: "end",
      title: say("remark.end"),
      body: say("remark.end.body", { n: config.numbers.steps }),
      actions: [
        { label: say("remark.end.go", { n: ended }), change: { control: "steps", value: String(ended) } },
      ],
    },
  ];
}

const telling: Telling<"encoder-decoder"> = {
  id: "encoder-decoder",
  formulas: { "encoder-decoder": encoderDecoderFormula },
  title: (_config, words) => ownWords(words)("title"),
  lede: (_config, words, narrow) => ownWords(words)(narrow ? "lede.narrow" : "lede"),
  sentence,
  change: changing("encoder-decoder", set),
  tensors,
  stops,
  flow,
  formula,
  opening,
  remarks,
};

const lines = told(telling);

export const encoderDecoder: Lab<"encoder-decoder"> = {
  ...lines,
  nodeWords(config, node, words, snapshots) {
    const step = /^cached\.step_(\d+)\.(?:.*\.)?(\w+)$/.exec(node);
    if (!step) return lines.nodeWords(config, node, words, snapshots);
    const [, at, part] = step as unknown as [string, string, string];
    const name = ownWords(words)("name.step", { n: Number(at), part });
    const row = rowsOf(config, words, snapshots).target[Number(at)];
    return {
      ...lines.nodeWords(config, node, words, snapshots),
      name,
      single: name,
      meaning: () => row ?? "",
    };
  },
  scene(config, snapshots, room) {
    if (room.layout !== "wide") return lines.scene(config, snapshots, room);
    const all = new Map(tensors(config, room.words, snapshots).map((tensor) => [tensor.node, tensor]));
    return wideScene(config, snapshots, room, (node) => all.get(node)!);
  },
};
