/** Lab 7: encoder and decoder (sections 3.1 and 3.2.3). A small trained Transformer translates word by word. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Remark } from "../../marks/wording.js";
import type { Lab } from "../../telling/lab.js";
import type { Stop, Telling } from "../../telling/telling.js";
import { told } from "../../telling/told.js";
import encoderDecoderFormula from "./encoder-decoder.tex?mathml";
import { flow, wideScene } from "./scene.js";
import { settings } from "./settings.js";
import { ownWords, rowsOf, stopIds, tensors } from "./tensors.js";
import { vocabulary, writtenOf } from "./vocabulary.js";
import { largestInRow } from "../../telling/largest.js";

type Config = ConfigOf<"encoder-decoder">;

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

const lines = told({
  id: "encoder-decoder",
  formulas: { "encoder-decoder": encoderDecoderFormula },
  title: (_config, words) => ownWords(words)("title"),
  lede: (_config, words, narrow) => ownWords(words)(narrow ? "lede.narrow" : "lede"),
  ...settings,
  tensors,
  stops,
  flow,
  symbols: () => ({
    id: "encoder-decoder",
    symbols: { P: "next", Y: "target.embedded", M: "memory", E: "embedding.weight" },
  }),
  opening,
  remarks,
  picture: (config, snapshots, room, of) =>
    room.layout === "wide" ? wideScene(config, snapshots, room, of) : null,
} satisfies Telling<"encoder-decoder">);

export const lab: Lab<"encoder-decoder"> = {
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
};
