/** Lab 8: an image as words. Patches, their projection, and which patches look at which. */
import type { ConfigOf } from "../../config/config.js";
import type { Lab } from "../../telling/lab.js";
import { vitScene, vitStrip } from "./scene.js";
import { lede, settings, title } from "./settings.js";
import { formula, nodeWords, opening, remarks, steps } from "./words.js";
import { hasEncoder } from "../../config/labs/vit.js";
import { encoder } from "./encoder/index.js";
import patchPixelsFormula from "./patch-pixels.tex?mathml";
import patchProjectionFormula from "./patch-projection.tex?mathml";
import rolloutFormula from "./rollout.tex?mathml";

/** What is said and drawn without an encoder; with one, it is what that says. */
const plain: typeof encoder = {
  title,
  lede,
  scene: vitScene,
  strip: vitStrip,
  steps: (config, words, snapshots) => steps(config, words, snapshots),
  formula,
  nodeWords,
  opening,
  remarks,
};
const of = ({ numbers }: ConfigOf<"vit">): typeof encoder => (hasEncoder(numbers) ? encoder : plain);

export const lab: Lab<"vit"> = {
  id: "vit",
  formulas: {
    "patch-pixels": patchPixelsFormula,
    "patch-projection": patchProjectionFormula,
    rollout: rolloutFormula,
  },
  ...settings,
  title: (config, words) => of(config).title(config, words),
  lede: (config, words, narrow) => of(config).lede(config, words, narrow),
  scene: (config, snapshots, room) => of(config).scene(config, snapshots, room),
  strip: (config, snapshots, room) => of(config).strip(config, snapshots, room),
  steps: (config, words, snapshots) => of(config).steps(config, words, snapshots),
  formula: (config, words, snapshots) => of(config).formula(config, words, snapshots),
  nodeWords: (config, node, words, snapshots) => of(config).nodeWords(config, node, words, snapshots),
  opening: (config) => of(config).opening(config),
  remarks: (config, snapshots, words) => of(config).remarks(config, snapshots, words),
};
