/** The chart of BERT's training: the losses of all steps, and a slider for the number of steps. */
import { TRAINING } from "../../config/labs/bert.js";
import { textWidth } from "../../marks/measure.js";
import type { Chart, Series } from "../../stage/chart.js";
import { inOrder } from "../../stage/series.js";
import type { Parts } from "./parts.js";

export function trainingChart({ numbers, snapshots, isNarrow, say }: Parts, width: number): Chart {
  const { trained } = numbers;
  const losses = inOrder(snapshots, "curve");
  const largest = Math.max(1, ...losses.map(([, loss]) => loss));
  const title = say("chart.losses");
  const part = (kind: Series["kind"], node: string, from: number, to: number): Series => ({
    id: node,
    role: "output",
    kind,
    points: losses.slice(from, to),
    cells: losses.slice(from, to).map(([step]) => ({ node, index: [step] })),
  });
  const before = losses.slice(0, trained + 1);
  const now = before.slice(-1);
  return {
    id: "training",
    title: textWidth(title, 13.5) < width - 46 ? title : say("chart.losses.short"),
    x: { label: "", domain: [0, TRAINING.max], ticks: [0, 10, 20, 30, 40] },
    y: {
      label: "",
      domain: [0, 1.05 * largest],
      ticks: [0, 1, 2, 3, 4, 5].filter((tick) => tick <= largest),
    },
    series: [
      part("faint", "curve", trained, losses.length),
      part("line", "losses", 0, trained + 1),
      {
        id: "trained",
        role: "output",
        kind: "area",
        strong: true,
        points: [[0, 0], ...before, [trained, 0]],
      },
      { id: "now", role: "activation", kind: "line", points: [...now, [trained, 0]] },
      { ...part("line", "losses", trained, trained + 1), id: "dot", dots: "large" },
    ],
    slider: { control: "trained", name: say("field.trained"), value: trained, isSmall: isNarrow },
    // Training comes before all other numbers, so the losses are visible from the first stop.
    step: 0,
  };
}
