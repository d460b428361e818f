/** The remarks of a run: when it had learned, and the labs in which its model can be looked at. */
import { encode } from "../../config/codec.js";
import type { ConfigOf } from "../../config/config.js";
import { formatNote } from "../../marks/numbers.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Remark } from "../../marks/wording.js";
import { valuesOf } from "../../stage/series.js";
import { runNames } from "./charts.js";
import { bertConfig } from "./masked-words.js";
import {
  embeddingsConfig,
  blockConfig,
  fitsLink,
  headConfig,
  imageConfig,
  layerConfig,
  layerOf,
  lossesConfig,
  positionsConfig,
  shownHead,
} from "./onward.js";
import type { Say } from "./strings.js";
import { translatorConfig } from "./translator.js";

type Config = ConfigOf<"training">;

/** The share of right answers from which on a run counts as one that has learned. */
const LEARNED = 0.99;

const translatorLabel = ({ numbers }: Config, say: Say): string =>
  say(numbers.task === "translation" ? "end.translator" : "end.writer");

/** The states of other labs that show parts of the model, where a link can hold them. */
function onward(config: Config, snapshots: Snapshots, say: Say): Remark["actions"] {
  const best = shownHead(snapshots);
  const layer = best && layerOf(snapshots, best.node);
  const states = [
    { label: translatorLabel(config, say), config: translatorConfig(config.numbers, snapshots) },
    { label: say("end.image"), config: imageConfig(config.numbers, snapshots) },
    { label: say("end.bert"), config: bertConfig(config.numbers, snapshots) },
    { label: say("end.layers"), config: blockConfig(config.numbers, snapshots) },
    { label: say("end.positions"), config: positionsConfig(snapshots) },
    { label: say("end.embeddings"), config: embeddingsConfig(snapshots) },
    { label: say("end.losses"), config: lossesConfig(config.numbers, snapshots) },
  ];
  if (best && layer) {
    const { head } = best;
    const places = { layer: best.layer, head };
    states.unshift(
      { label: say("end.head", places), config: headConfig(layer, head) },
      { label: say("end.layer", places), config: layerConfig(layer, head) },
    );
  }
  return states.flatMap(({ label, config: state }) =>
    state && fitsLink(state) ? [{ label, link: () => encode(state) }] : [],
  );
}

/** A sentence with the share of the answers that each run beside the first one has right at the end; none without such a run. */
function others(config: Config, snapshots: Snapshots, say: Say): string[] {
  const shares = runNames(config, say).flatMap((name, run) => {
    const right = Array.from(valuesOf(snapshots, `run_${run}.accuracy`)).at(-1);
    return run === 0 || right === undefined ? [] : [say("end.other", { name, right: formatNote(right) })];
  });
  return shares.length === 0 ? [] : [say("end.others", { shares: shares.join(say("seeds.comma")) })];
}

export function endRemark(config: Config, snapshots: Snapshots, say: Say): Remark {
  const accuracy = Array.from(valuesOf(snapshots, "run_0.accuracy"));
  const at = accuracy.findIndex((share) => share >= LEARNED);
  const step = valuesOf(snapshots, "run_0.evaluated")[at];
  return {
    id: "end",
    isResult: true,
    title: step === undefined ? say("end.title") : say("end.learned", { n: step }),
    body: [...others(config, snapshots, say), say("end.body")].join(" "),
    actions: onward(config, snapshots, say),
  };
}

/** Before the end: what the model of this moment can be opened in; none for most. */
export function momentRemarks(config: Config, snapshots: Snapshots, say: Say): Remark[] {
  const state = translatorConfig(config.numbers, snapshots);
  if (!state) return [];
  return [
    {
      id: "moment",
      isResult: true,
      isOnward: true,
      title: say("moment.title"),
      body: say("moment.body"),
      actions: [{ label: translatorLabel(config, say), link: () => encode(state) }],
    },
  ];
}
