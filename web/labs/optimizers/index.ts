/** Lab 11: optimizers (document 004) on data and on surfaces, and learning rates over time. */
import type { ConfigOf } from "../../config/config.js";
import { hasBatches } from "../../config/labs/optimizers.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Remark } from "../../marks/wording.js";
import type { Stops } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import { cellAt, type Cell } from "../../telling/largest.js";
import adagradFormula from "./adagrad.tex?mathml";
import adamFormula from "./adam.tex?mathml";
import cosineFormula from "./cosine.tex?mathml";
import momentumFormula from "./momentum.tex?mathml";
import noamFormula from "./noam.tex?mathml";
import rmspropFormula from "./rmsprop.tex?mathml";
import sgdFormula from "./sgd.tex?mathml";
import { settings, smallerRate } from "./settings.js";
import { hasOwnRates, rateOf, runningOptimizers } from "./settings-text.js";
import { flow } from "./flow.js";
import { stringsIn } from "./strings.js";
import { shownSteps } from "./shown-steps.js";
import { axes, tensors } from "./tensors.js";
import { windows } from "./windows.js";

type Config = ConfigOf<"optimizers">;

/** The row of the shown steps at which the warm-up ends; the last row if the schedule ends before. */
function warmupEndRow(numbers: Config["numbers"]): number {
  const steps = shownSteps(numbers);
  const at = steps.indexOf(numbers.warmup);
  return at < 0 ? steps.length - 1 : at;
}

export function opening({ numbers }: Config): Cell {
  // The end of the warm-up, where the rate turns; the last step if the schedule ends before.
  if (numbers.topic === "schedule") return cellAt("lr", warmupEndRow(numbers), 0);
  // The rare feature's weight is the second.
  if (hasOwnRates(numbers)) return cellAt("effective", 0, 1);
  return numbers.topic === "surface" ? cellAt("next", 0, 0) : cellAt("gradient", 0, 0);
}

function stops({ numbers }: Config): Stops {
  const update = cellAt("next", 0, 0);
  switch (numbers.topic) {
    case "line":
      return {
        predict: cellAt("residual", 0, 0),
        gradient: {
          ...cellAt("gradient", 0, 0),
          ...(hasBatches(numbers) && { tell: "gradient.batches" }),
        },
        update,
      };
    case "sparse":
      return {
        predict: { ...cellAt("residual", 0, 0), tell: "samples" },
        gradient: { ...cellAt("gradient", 0, 1), tell: "gradient.rare" },
        update: hasOwnRates(numbers) ? { ...cellAt("next", 0, 1), tell: "update.rare" } : update,
      };
    case "surface": {
      const shade = windows[numbers.surface].shade === "log" ? "shade" : "map.loss";
      return { map: cellAt(shade, 0, 0), update };
    }
    case "schedule": {
      const ids = numbers.schedule === "noam" ? ["rising", "falling", "lr"] : ["rates"];
      return Object.fromEntries(ids.map((id) => [id, cellAt(id === "rates" ? "lr" : id, 0, 0)]));
    }
  }
}

/** The nodes that the symbols of a formula stand for. */
const symbols = {
  sgd: { next: "next", theta: "theta", g: "gradient" },
  momentum: { v: "v", before: "v_before", g: "gradient", next: "next", theta: "theta" },
  adagrad: { G: "G", before: "G_before", g: "gradient", next: "next", theta: "theta" },
  rmsprop: { v: "v", before: "v_before", g: "gradient", next: "next", theta: "theta" },
  adam: { mhat: "m_hat", m: "m", vhat: "v_hat", v: "v", next: "next", theta: "theta" },
  noam: { lr: "lr", falling: "falling", rising: "rising" },
  cosine: { lr: "lr" },
} as const;

/** The remark about an optimizer whose path leaves the map. */
function remarks({ numbers }: Config, snapshots: Snapshots, words: Words): Remark[] {
  if (numbers.topic !== "surface") return [];
  const strings = stringsIn(words);
  const { x, y } = windows[numbers.surface];
  const leaving = runningOptimizers(numbers).find((name) => {
    const path = snapshots.get(`${name}.path`)?.data ?? [];
    return Array.from(path).some((value, at) => {
      const [low, high] = at % 2 === 0 ? x : y;
      return !(value >= low && value <= high);
    });
  });
  if (!leaving) return [];
  const rate = leaving === numbers.optimizer ? smallerRate(rateOf(numbers)) : undefined;
  return [
    {
      id: "away",
      title: strings("remark.away.title", { optimizer: strings(`optimizer.${leaving}`) }),
      body: strings("remark.away.body"),
      actions:
        rate === undefined
          ? []
          : [
              {
                label: strings("remark.away.go", { rate }),
                change: { control: "rate", value: String(rate) },
              },
            ],
    },
  ];
}

export const lab = declareLab({
  id: "optimizers",
  formulas: {
    sgd: sgdFormula,
    momentum: momentumFormula,
    adagrad: adagradFormula,
    rmsprop: rmspropFormula,
    adam: adamFormula,
    noam: noamFormula,
    cosine: cosineFormula,
  },
  strings: stringsIn,
  title: ({ numbers }: Config, words) => stringsIn(words)(`title.${numbers.topic}`),
  lede({ numbers }: Config, words, isNarrow) {
    const { topic } = numbers;
    if (isNarrow && topic !== "schedule") return stringsIn(words)("lede.narrow");
    return stringsIn(words)(topic === "line" && hasBatches(numbers) ? "lede.batches" : `lede.${topic}`);
  },
  ...settings,
  axes,
  tensors,
  stops,
  flow,
  symbols({ numbers: { topic, schedule, optimizer } }) {
    const id = topic === "schedule" ? schedule : optimizer;
    return { id, symbols: symbols[id] };
  },
  opening,
  remarks,
  time({ numbers }, words) {
    if (numbers.topic === "schedule") return null;
    return {
      control: "step",
      at: numbers.step,
      last: numbers.steps - 1,
      label: stringsIn(words)("axis.step"),
    };
  },
});
