/** Lab 5: positional encodings (section 3.5), and what came after. */
import type { ConfigOf } from "../../config/config.js";
import { hasOrder } from "../../config/labs/positions.js";
import type { Lab } from "../../telling/lab.js";
import { order } from "./order.js";
import { positionsScene, positionsStrip } from "./scene.js";
import { lede, settings, title } from "./settings.js";
import { formula, nodeWords, opening, remarks, steps } from "./words.js";
import sinusoidalFormula from "./sinusoidal.tex?mathml";
import sinusoidalBaseFormula from "./sinusoidal-base.tex?mathml";
import orderFormula from "./order.tex?mathml";
import orderEachFormula from "./order-each.tex?mathml";
import absoluteFormula from "./absolute.tex?mathml";
import learnedFormula from "./learned.tex?mathml";
import rotaryFormula from "./rotary.tex?mathml";
import alibiFormula from "./alibi.tex?mathml";
import shiftFormula from "./shift.tex?mathml";

/** Words in two orders have a part of the lab of their own. */
const alone: Omit<Lab<"positions">, "id" | "formulas"> = {
  title,
  lede,
  ...settings,
  scene: positionsScene,
  strip: positionsStrip,
  steps,
  formula,
  nodeWords,
  opening,
  remarks,
};
const of = ({ numbers }: ConfigOf<"positions">): typeof alone => (hasOrder(numbers) ? order : alone);

export const lab: Lab<"positions"> = {
  id: "positions",
  formulas: {
    sinusoidal: sinusoidalFormula,
    "sinusoidal-base": sinusoidalBaseFormula,
    absolute: absoluteFormula,
    learned: learnedFormula,
    rotary: rotaryFormula,
    alibi: alibiFormula,
    shift: shiftFormula,
    order: orderFormula,
    "order-each": orderEachFormula,
  },
  change: (numbers, control, value, words) =>
    (hasOrder(numbers) ? order : alone).change(numbers, control, value, words),
  title: (config, words) => of(config).title(config, words),
  lede: (config, words, narrow) => of(config).lede(config, words, narrow),
  sentence: (config, words) => of(config).sentence(config, words),
  scene(config, snapshots, room) {
    if (!hasOrder(config.numbers)) return positionsScene(config, snapshots, room);
    const arrangement = order.arrange!(config, room);
    return { ...order.scene(config, snapshots, { ...room, cell: null, arrangement }), arrangement };
  },
  strip: (config, snapshots, room) => of(config).strip(config, snapshots, room),
  steps: (config, words, snapshots) => of(config).steps(config, words, snapshots),
  formula: (config, words, snapshots) => of(config).formula(config, words, snapshots),
  nodeWords: (config, node, words, snapshots) => of(config).nodeWords(config, node, words, snapshots),
  opening: (config) => of(config).opening(config),
  untrained: ({ numbers }) => hasOrder(numbers),
  remarks: (config, snapshots, words) => of(config).remarks(config, snapshots, words),
};
