/** The encoder-decoder lab (sections 3.1 and 3.2.3 of the paper): a small trained Transformer translates word by word. */
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
import { axes, wordsOfRows, tensors } from "./tensors.js";
import { decodedWords } from "./vocabulary.js";

type Config = ConfigOf<"encoder-decoder">;

function remarks(config: Config, snapshots: Snapshots, words: Words): Remark[] {
  const strings = stringsIn(words);
  if (config.numbers.trained === 0) {
    return [
      {
        id: "drawn",
        title: strings("remark.drawn"),
        body: strings("remark.drawn.body"),
        actions: [{ label: strings("remark.drawn.go"), change: { control: "trained", value: "2500" } }],
      },
    ];
  }
  const endStep = (decodedWords(config.numbers, snapshots)?.outputs.indexOf("<end>") ?? -1) + 1;
  if (endStep === 0 || endStep >= config.numbers.steps) return [];
  return [
    {
      id: "end",
      title: strings("remark.end"),
      body: strings("remark.end.body", { n: config.numbers.steps }),
      actions: [
        {
          label: strings("remark.end.go", { n: endStep }),
          change: { control: "steps", value: String(endStep) },
        },
      ],
    },
  ];
}

const declaredLab = declareLab<"encoder-decoder">({
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
  ...declaredLab,
  nodeWords(config, node, words, snapshots) {
    const step = /^cached\.step_(\d+)\.(?:.*\.)?(\w+)$/.exec(node);
    if (!step) return declaredLab.nodeWords(config, node, words, snapshots);
    const [, at, part] = step as unknown as [string, string, string];
    const name = stringsIn(words)("name.step", { n: Number(at), part });
    const row = wordsOfRows(config, words, snapshots).target[Number(at)];
    return {
      ...declaredLab.nodeWords(config, node, words, snapshots),
      name,
      single: name,
      meaning: () => row ?? "",
    };
  },
};
