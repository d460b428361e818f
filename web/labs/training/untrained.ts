/** The state of a link before the first step: a frame trains nothing before its reader asks for it. */
import { exampleOf } from "../../config/codec.js";
import type { Config, ConfigOf } from "../../config/config.js";

/** The tensors that exist only once steps were made. */
const recorded = /^run_|_norms$|^(?:update_ratios|learning_rates)$|^film_[1-9]/;

export function untrained(config: Config): Config {
  if (config.view.lab !== "training") return config;
  const { numbers, view } = config as ConfigOf<"training">;
  if (numbers.step === 0 && !view.before?.step) return config;
  const start = { ...numbers, step: 0 };
  const isLater = view.cell !== null && recorded.test(view.cell.node);
  return {
    ...config,
    example: exampleOf("training", start),
    numbers: start,
    view: {
      ...view,
      ...(view.before && { before: { ...view.before, step: 0 } }),
      ...(isLater && { cell: null, pinned: false }),
    },
  };
}
