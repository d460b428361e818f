/** Lab 12: why self-attention (section 4, table 1). The work of four layers, counted in the core's graphs and timed in this browser. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { FormulaPart } from "../../marks/wording.js";
import type { Lab } from "../../telling/lab.js";
import type { Stop, Telling } from "../../telling/telling.js";
import { told } from "../../telling/told.js";
import { countedLengths } from "./layers.js";
import { flow, wideScene } from "./scene.js";
import { settings } from "./settings.js";
import { layerNames, ownWords, stopIds, tensors } from "./tensors.js";
import why from "./why.tex?mathml";

type Config = ConfigOf<"complexity">;

/** The counted operations of self-attention, over the whole text. */
const opening = ({ numbers }: Config) => ({
  node: "ratio",
  index: [0, 0],
  ...(numbers.measured > 0 ? { node: "rate" } : {}),
});

function stops(config: Config, words: Words): Stop[] {
  const say = ownWords(words);
  const last = countedLengths(config.numbers.length).length - 1;
  const cells: Record<(typeof stopIds)[number], Stop["cell"]> = {
    work: { node: "work_millions", index: [0, 0] },
    count: { node: "millions", index: [0, last] },
    order: { node: "path", index: [1, 0] },
    memory: { node: "weights_thousands", index: [0, 0] },
    time: { node: "times", index: [1, last] },
  };
  return stopIds
    .filter((id) => id !== "time" || config.numbers.measured > 0)
    .map((id) => ({ id, title: say(`step.${id}`), sentence: say(`tell.${id}`), cell: cells[id] }));
}

function formula(config: Config, words: Words): { id: string; parts: FormulaPart[] } {
  const say = ownWords(words);
  const [attention = "", recurrent = ""] = layerNames(config, words);
  return {
    id: "why",
    parts: [
      {
        symbol: "A",
        nodes: ["work_millions"],
        label: say("part", { symbol: "n² d", layer: attention }),
        role: "attention",
      },
      {
        symbol: "R",
        nodes: ["work_millions"],
        label: say("part", { symbol: "n d²", layer: recurrent }),
        role: "key",
      },
    ],
  };
}

const lines = told({
  id: "complexity",
  formulas: { why },
  title: (_config, words) => ownWords(words)("title"),
  lede: (_config, words, narrow) => ownWords(words)(narrow ? "lede.narrow" : "lede"),
  ...settings,
  tensors,
  stops,
  flow,
  symbols: () => ({ id: "why", symbols: {} }),
  gradients: false,
  opening,
  picture: (config, snapshots, room, of) =>
    room.layout === "wide" ? wideScene(config, snapshots, room, of) : null,
} satisfies Telling<"complexity">);

export const lab: Lab<"complexity"> = { ...lines, formula };
