/** Lab 7: encoder and decoder (sections 3.1 and 3.2.3). A small trained Transformer translates word by word. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Remark } from "../../marks/wording.js";
import type { Lab } from "../../telling/lab.js";
import { declareLab } from "../../telling/declare-lab.js";
import encoderDecoderFormula from "./encoder-decoder.tex?mathml";
import { flow, opening, stops } from "./flow.js";
import { picture } from "./picture.js";
import { settings } from "./settings.js";
import { stringsIn } from "./strings.js";
import { axes, namesOf, tensors } from "./tensors.js";
import { writtenOf } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;

function remarks(config: Config, snapshots: Snapshots, words: Words): Remark[] {
  const say = stringsIn(words);
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
  const ended = (writtenOf(config.numbers, snapshots)?.chosen.indexOf("<end>") ?? -1) + 1;
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

const lines = declareLab<"encoder-decoder">({
  id: "encoder-decoder",
  formulas: { "encoder-decoder": encoderDecoderFormula },
  strings: stringsIn,
  ...settings,
  axes,
  tensors,
  stops,
  flow,
  symbols: () => ({
    id: "encoder-decoder",
    symbols: { P: "next", Y: "target.embedded", M: "memory", E: "embedding.weight" },
  }),
  opening,
  remarks,
  picture,
});

export const lab: Lab<"encoder-decoder"> = {
  ...lines,
  nodeWords(config, node, words, snapshots) {
    const step = /^cached\.step_(\d+)\.(?:.*\.)?(\w+)$/.exec(node);
    if (!step) return lines.nodeWords(config, node, words, snapshots);
    const [, at, part] = step as unknown as [string, string, string];
    const name = stringsIn(words)("name.step", { n: Number(at), part });
    const row = namesOf(config, words, snapshots).written[Number(at)];
    return {
      ...lines.nodeWords(config, node, words, snapshots),
      name,
      single: name,
      meaning: () => row ?? "",
    };
  },
};
