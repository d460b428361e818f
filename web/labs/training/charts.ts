/** The charts of the training lab: losses and held-out answers of all runs, up to the step that is drawn. */
import type { ConfigOf } from "../../config/config.js";
import { partsOf } from "../../config/labs/training.js";
import { formatNote } from "../../marks/numbers.js";
import type { Snapshots } from "../../marks/scene.js";
import type { Chart, Series } from "../../stage/chart.js";
import { drawnPlaces, valuesOf, type Point } from "../../stage/series.js";
import type { Say } from "./strings.js";
import { reached } from "./tokens.js";

type Config = ConfigOf<"training">;

/** The share of the first losses that the chart leaves above them. */
const AIR = 1.15;

/** The name of a run by what it has differently: "pre-norm + no warm-up". */
export const runName = (name: string, say: Say): string =>
  partsOf(name)
    .map((part) => say(`run.${part}` as never))
    .join(" + ");

/** The names of the runs: the first, and those beside it. */
export const runNames = ({ numbers }: Config, say: Say): string[] =>
  ["first", ...numbers.beside].map((name) => runName(name, say));

/** A number of a run: where its point stands, and its place among the numbers of its node. */
interface RunPoint {
  point: Point;
  place: number;
}

/** The lines of the runs: the first is solid, and no other looks like it or like another. */
export const runLines = ["line", "dashed", "dotted", "dash-dotted"] as const;

/** One run, up to the step that is drawn, and thin where it has come farther. */
function lines(
  { id, node, drawn, at }: { id: string; node: string; drawn: readonly RunPoint[]; at: number },
  run: number,
): Series[] {
  const isFirst = run === 0;
  const points = drawn.map(({ point }) => point);
  const cells = drawn.map(({ place }) => ({ node, index: [place] }));
  const split = points.findIndex(([x]) => x > at);
  const count = split < 0 ? points.length : split;
  const last = count - 1;
  const part = (
    name: string,
    from: number,
    to: number,
    kind: Series["kind"],
    more: Partial<Series> = {},
  ): Series => ({
    id: `${id}-${name}`,
    role: "activation",
    kind,
    points: points.slice(from, to),
    cells: cells.slice(from, to),
    ...more,
  });
  return [
    ...(count < points.length ? [part("after", Math.max(0, last), points.length, "thin")] : []),
    ...(count === 0 ? [] : [part("before", 0, count, runLines[run]!, isFirst ? { strong: true } : {})]),
    ...(last >= 0 ? [part("now", last, count, "line", { dots: isFirst ? "large" : "open" })] : []),
  ];
}

/** The points that a run is drawn through; one of them is that of the step `at`. */
function pointsOf(
  { numbers }: Config,
  snapshots: Snapshots,
  { run, what, at }: { run: number; what: "losses" | "accuracy"; at: number },
): RunPoint[] {
  const ys = valuesOf(snapshots, `run_${run}.${what}`);
  // The first loss is that of step 1.
  if (what === "losses")
    return drawnPlaces(ys, numbers.steps, at - 1).map((place) => ({ point: [place + 1, ys[place]!], place }));
  const steps = valuesOf(snapshots, `run_${run}.evaluated`);
  return drawnPlaces(ys, ys.length).map((place) => ({ point: [steps[place]!, ys[place]!], place }));
}

/** The number of each run at the step that is drawn, with the height at which it stands in its chart. */
export interface NowLabel {
  value: string;
  /** The name of the run; empty where it stands elsewhere. */
  name: string;
  y: number;
  isFirst: boolean;
}

interface RunChart {
  chart: Chart;
  labels: NowLabel[];
}

function chartOf(
  config: Config,
  snapshots: Snapshots,
  say: Say,
  what: "losses" | "accuracy",
  parts: Pick<Chart, "title"> & { top: number; isShort: boolean },
): RunChart {
  const names = runNames(config, say);
  const at = reached(snapshots);
  const labels: NowLabel[] = [];
  const series = names.flatMap((name, run) => {
    const all = pointsOf(config, snapshots, { run, what, at });
    const now = all.filter(({ point }) => point[0] <= at).at(-1)?.point[1];
    const drawn = all.map(({ point: [x, y], place }) => ({
      point: [x, Math.min(y, parts.top)] as Point,
      place,
    }));
    if (now !== undefined) {
      const isNamed = !parts.isShort && names.length > 1;
      labels.push({
        value: formatNote(now),
        name: isNamed ? name : "",
        y: Math.min(now, parts.top),
        isFirst: run === 0,
      });
    }
    return lines({ id: `${what}-${run}`, node: `run_${run}.${what}`, drawn, at }, run);
  });
  const chart: Chart = {
    id: what,
    title: parts.title,
    x: { label: "", domain: [0, config.numbers.steps] },
    y: { label: "", domain: [0, parts.top] },
    // The first run lies on top.
    series: series.reverse(),
    step: 0,
  };
  return { chart, labels };
}

/** The largest of the losses of the first steps: a run that diverges goes above the chart. */
function topLoss(snapshots: Snapshots, runs: number): number {
  const first = Array.from({ length: runs }, (_, run) => valuesOf(snapshots, `run_${run}.losses`)[0] ?? 0);
  return AIR * Math.max(0, ...first) || 3;
}

export function lossChart(config: Config, snapshots: Snapshots, say: Say, isShort: boolean): RunChart {
  const top = topLoss(snapshots, 1 + config.numbers.beside.length);
  return chartOf(config, snapshots, say, "losses", { title: say("head.loss"), top, isShort });
}

export function accuracyChart(config: Config, snapshots: Snapshots, say: Say, isShort: boolean): RunChart {
  const title = say(isShort ? "head.accuracy.narrow" : "head.accuracy");
  return chartOf(config, snapshots, say, "accuracy", { title, top: 1, isShort });
}
