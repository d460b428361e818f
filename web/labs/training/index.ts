/** Lab 13: a Transformer that is trained while one watches. */
import type { ConfigOf } from "../../config/config.js";
import { isOfDigits } from "../../config/labs/training.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Remark } from "../../marks/wording.js";
import { valuesOf } from "../../stage/series.js";
import { labFrom } from "../../telling/declaration.js";
import type { Lab } from "../../telling/lab.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import { endRemark, momentRemarks } from "./end.js";
import { arrange } from "./next-token.js";
import { picture } from "./picture.js";
import { selectorRemarks } from "./selector-remark.js";
import { settings } from "./settings.js";
import { stringsIn } from "./strings.js";
import { axes, shownAttention, tensors } from "./tensors.js";
import { reached } from "./tokens.js";
import update from "./update.tex?mathml";

type Config = ConfigOf<"training">;

/** The largest weight of the first row of a head of the last layer; of a model without attention its first answer. */
function opening(_config: Config, snapshots: Snapshots): Cell {
  const last = shownAttention(snapshots).at(-1);
  if (last) return largestInRow(snapshots, cellAt(last.name, 0, 0, 0, 0));
  return cellAt("asked_0.certainty", 0);
}

/** The remark about a run whose loss is no longer finite, or about one that has come to its end. */
function remarks(config: Config, snapshots: Snapshots, words: Words): Remark[] {
  const say = stringsIn(words);
  const stuck = snapshots.get("run_0.stuck");
  const wrong = selectorRemarks(config, snapshots, say);
  if (!stuck)
    return reached(snapshots) < config.numbers.steps
      ? [...wrong, ...momentRemarks(config, snapshots, say)]
      : [...wrong, endRemark(config, snapshots, say)];
  return [
    ...wrong,
    {
      id: "stuck",
      title: say("remark.refused.title"),
      body: say("remark.refused.body", { n: stuck.data[0] ?? 0 }),
      actions: [],
    },
  ];
}

export const lab: Lab<"training"> = labFrom(null, {
  id: "training",
  formulas: { update },
  strings: stringsIn,
  title: ({ numbers }, words) => stringsIn(words)(`title.${numbers.task}`),
  lede({ numbers }, words, isNarrow) {
    const say = stringsIn(words);
    if (isNarrow) return say("lede.narrow");
    if (numbers.task === "translation" && numbers.language === "fr") return say("lede.translation.fr");
    return say(`lede.${numbers.task}`, { n: isOfDigits(numbers) ? numbers.length : 0 });
  },
  ...settings,
  axes,
  tensors,
  arrange,
  // Play goes through the steps of the run; all of the picture is there at each.
  stops: (config, _words, snapshots) => ({ train: opening(config, snapshots) }),
  picture,
  strip: null,
  symbols: () => ({ id: "update", symbols: { W: "embedding.weight", G: "gradient_norms" } }),
  opening,
  remarks,
  time({ numbers }, words, snapshots) {
    return {
      control: "step",
      at: snapshots.has("reached") ? reached(snapshots) : numbers.step,
      last: numbers.steps,
      label: stringsIn(words)("axis.step"),
      isLive: true,
      kept: Array.from(valuesOf(snapshots, "moments")),
      sentence: stringsIn(words)("stops.at", { n: numbers.steps }),
    };
  },
});
