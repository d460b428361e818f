/** The one list of the labs' settings. */
import type { GenericSchema } from "valibot";
import type { LabSettings } from "./lab-settings.js";
import { attention } from "./labs/attention.js";
import { bert } from "./labs/bert.js";
import { block } from "./labs/block.js";
import { complexity } from "./labs/complexity.js";
import { encoderDecoder } from "./labs/encoder-decoder.js";
import { losses } from "./labs/losses.js";
import { multiHead } from "./labs/multi-head.js";
import { optimizersSettings } from "./labs/optimizers.js";
import { positions } from "./labs/positions.js";
import { scaling } from "./labs/scaling.js";
import { training } from "./labs/training.js";
import { vit } from "./labs/vit.js";
import { wordsSettings } from "./labs/words.js";

const labs = {
  attention,
  "multi-head": multiHead,
  positions,
  vit,
  "encoder-decoder": encoderDecoder,
  optimizers: optimizersSettings,
  block,
  losses,
  complexity,
  scaling,
  bert,
  words: wordsSettings,
  training,
};

type Numbers = { [L in keyof typeof labs]: (typeof labs)[L] extends LabSettings<infer N> ? N : never };
/** The numbers of each lab: everything that changes a value of its graph. */
export interface NumbersOf extends Numbers {}
export type LabId = keyof NumbersOf;

export const labIds = Object.keys(labs) as readonly LabId[];

/** The settings of a lab. */
export const settingsOf = <L extends LabId>(lab: L): LabSettings<NumbersOf[L]> =>
  labs[lab] as unknown as LabSettings<NumbersOf[L]>;

/** The checks of a lab's numbers, by key. */
export const entriesOf = (lab: LabId): Readonly<Record<string, GenericSchema>> => labs[lab].entries;
