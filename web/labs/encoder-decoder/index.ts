/** The encoder-decoder lab (sections 3.1 and 3.2.3 of the paper): a small trained Transformer translates word by word. */
import { encode } from "../../config/codec.js";
import type { Config as AnyConfig, ConfigOf } from "../../config/config.js";
import { trainedSteps } from "../../config/labs/encoder-decoder.js";
import { bounds } from "../../config/labs/training.js";
import { exampleById } from "../../examples/index.js";
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

/** The most words that the run can be asked. A test compares it with the core's. */
export const MOST_ASKED = 9;

/** The training run of such a translator, at the same step, which is asked this sentence where it can be. */
function runOf(tokens: readonly string[], step: number): AnyConfig {
  const { config } = exampleById("learn-french")!;
  const sentence = tokens.join("_");
  const canAsk = tokens.length <= MOST_ASKED && sentence.length <= bounds.sampleLength.max;
  const samples = canAsk ? [sentence] : (config as ConfigOf<"training">).numbers.samples;
  return { ...config, example: null, numbers: { ...config.numbers, step, samples } } as AnyConfig;
}

function remarks(config: Config, snapshots: Snapshots, words: Words): Remark[] {
  const strings = stringsIn(words);
  const { tokens, trained, parameters } = config.numbers;
  const run = { label: strings("remark.moment.go"), link: () => encode(runOf(tokens, trained)) };
  if (!parameters && trained === 0) {
    return [
      {
        id: "drawn",
        title: strings("remark.drawn"),
        body: strings("remark.drawn.body"),
        actions: [{ label: strings("remark.drawn.go"), change: { control: "trained", value: "2500" } }, run],
      },
    ];
  }
  const endStep = (decodedWords(config.numbers, snapshots)?.outputs.indexOf("<end>") ?? -1) + 1;
  const moment: Remark = {
    id: "moment",
    isOnward: true,
    title: strings("remark.moment"),
    body: strings("remark.moment.body"),
    actions: [run],
  };
  const moments = !parameters && trained < trainedSteps.at(-1)! ? [moment] : [];
  if (endStep === 0 || endStep >= config.numbers.steps) return moments;
  return [
    {
      id: "end",
      title: strings(config.numbers.vocabulary ? "remark.end.given" : "remark.end"),
      body: strings("remark.end.body", { n: config.numbers.steps }),
      actions: [
        {
          label: strings("remark.end.go", { n: endStep }),
          change: { control: "steps", value: String(endStep) },
        },
      ],
    },
    ...moments,
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
