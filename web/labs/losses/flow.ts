/** The lines of cross entropy beside KL divergence and of dropout, and the stops of Play. */
import type { ConfigOf } from "../../config/config.js";
import { ACTIVATIONS } from "../../config/labs/losses.js";
import type { Words } from "../../i18n/words.js";
import type { Room, TargetRoom, Snapshots } from "../../marks/scene.js";
import { readArrangement, writeArrangement } from "../../stage/arrangement.js";
import type { Chart, Series } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { rowOf } from "../../stage/series.js";
import type { Stops } from "../../telling/declaration.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import { stringsIn, type Key, type Say } from "./strings.js";
import { spreadOf, targetOf, targets } from "./tensors.js";

type Config = ConfigOf<"losses">;

interface Parts {
  config: Config;
  snapshots: Snapshots;
  room: Room;
  say: Say;
  of: (node: string) => Block;
}

/** The place of the activation that the chart of dropout shows. */
const activationOf = ({ room }: Parts): number => readArrangement(room).memory[0]!;

/**
 * The row and the thick curve of the chart of losses, or the activation of the chart of dropout: those of the target cell, or the last
 * ones if the target cell has none.
 */
export function arrange({ numbers }: Config, room: TargetRoom): string {
  const { cell } = room;
  const last = readArrangement(room).memory;
  const within = (place: number | undefined, count: number, otherwise: number): number =>
    place !== undefined && place >= 0 && place < count ? place : otherwise;
  if (numbers.topic === "dropout")
    return writeArrangement("chart", [within(cell?.index.at(-1) ?? 5, ACTIVATIONS, 0)]);
  const [row, curve = 1] = last;
  const isMean = cell?.node.startsWith("loss_mean");
  return writeArrangement("chart", [
    within((isMean ? row : cell?.index[0]) ?? 0, numbers.targets.length, 0),
    within(cell ? (targetOf(cell.node) ?? curve) : curve, targets.length, 1),
  ]);
}

/** The tensors of the strip on phones. */
function smoothingLines({ of }: Parts): Line[] {
  const costs = targets.flatMap(({ suffix }) => [of(`y${suffix}`), of(`loss${suffix}`)]);
  return [
    { steps: [0], pieces: [of("logits"), of("p"), of("surprise")] },
    { steps: [1, 2, 3], pieces: costs },
  ];
}

function divergenceLines({ config, room, say, of }: Parts): Line[] {
  const suffix = spreadOf(config);
  const narrow = room.layout === "narrow";
  const equation = (end: string): Piece[] => [
    of(`loss${end}`),
    "−",
    of(`entropy${end}`),
    "=",
    of(`kl${end}`),
  ];
  const ofRows = equation(suffix);
  const ofMeans = equation(`_mean${suffix}`);
  const mean = { operator: `kl_mean${suffix}`, name: [say("op.mean")], step: 2 } as const;
  const target = { tensor: { ...of(`y${suffix}`), step: 3 }, id: "y-again" };
  return [
    {
      steps: [0],
      pieces: [
        of("logits"),
        ["log", say("op.softmax")],
        of("log_p"),
        of(`y${suffix}`),
        of(`kl_terms${suffix}`),
      ],
    },
    ...(narrow
      ? [
          { heading: say("heading.losses.narrow"), steps: [1, 2], pieces: ofRows },
          { rowNames: [say("name.loss_mean")], steps: [1, 2], pieces: ofMeans },
        ]
      : [{ heading: say("heading.losses"), steps: [1, 2], pieces: [...ofRows, mean, ...ofMeans] }]),
    {
      heading: say("heading.gradient"),
      steps: [3],
      pieces: [
        of("p"),
        // A phone shows the target only at the first stop.
        ...(narrow ? [["− y"] as const] : ["−", target, "="]),
        of(`off${suffix}`),
        [say("op.over", { n: config.numbers.targets.length })],
        of(`gradient${suffix}`),
      ],
    },
  ];
}

/** The mean of the first n draws of one activation, beside the activation itself. */
function runningChart(parts: Parts): Chart {
  const { config, snapshots, say } = parts;
  const { draws } = config.numbers;
  const place = activationOf(parts);
  const rows = Array.from({ length: draws }, (_, at) => at);
  const line = (node: string, role: Series["role"], label: Key): Series => ({
    id: node,
    role,
    kind: "line",
    label: say(label),
    points: rows.map((at) => [at + 1, rowOf(snapshots, node, at)[place] ?? NaN]),
    cells: rows.map((at) => ({ node, index: [at, place] })),
    dots: draws <= 32,
  });
  const flat = (node: string, role: Series["role"], label: string): Series => ({
    id: `${node}-level`,
    role,
    kind: "dashed",
    label,
    points: [1, draws].map((at) => [at, snapshots.get(node)?.data[place] ?? NaN]),
  });
  return {
    id: "running",
    title: say("chart.running", { activation: say("activation", { n: place }) }),
    x: {
      label: say("chart.draws"),
      domain: [1, Math.max(2, draws)],
      ticks: [1, 4, 8, 12, 16, 24, 32, 48, 64].filter((tick) => draws <= 24 || tick % 16 === 0),
    },
    y: { label: "" },
    series: [
      flat("x", "activation", "x"),
      flat("x_kept", "key", "(1 − p) x"),
      line("running", "output", "chart.divided"),
      line("unscaled", "key", "chart.undivided"),
    ],
    step: 2,
  };
}

function dropoutLines(parts: Parts): Line[] {
  const { room, say, of } = parts;
  const chart = { chart: runningChart(parts) };
  // The columns are not named, because the activations have no names that tell more than their places.
  const named = { rowNames: of("u").names?.rows ?? [], named: false };
  if (room.layout === "narrow")
    return [
      { ...named, steps: [0], pieces: [{ tensor: of("u"), above: of("x") }] },
      { ...named, steps: [1], pieces: [of("dropped")] },
      { steps: [2], pieces: [chart] },
      { steps: [2], pieces: [of("mean")], named: false },
    ];
  const dropped = { tensor: of("dropped"), above: of("x"), below: of("mean") };
  const beside = room.layout === "wide" ? [] : [{ ...chart, least: 225 }];
  return [{ ...named, steps: [0, 1, 2], pieces: [of("u"), [say("op.dropout")], dropped, ...beside] }];
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: (node: string) => Block): Flow {
  const say = stringsIn(room.words);
  const parts: Parts = { config, snapshots, room, say, of };
  const { topic } = config.numbers;
  if (topic !== "dropout") {
    return { lines: topic === "smoothing" ? smoothingLines(parts) : divergenceLines(parts) };
  }
  // Beside the note there is more room for the numbers.
  const aside = room.layout === "wide" ? { aside: runningChart(parts) } : {};
  return { lines: dropoutLines(parts), ...aside };
}

export function opening({ numbers }: Config): Cell {
  if (numbers.topic === "dropout") return cellAt("dropped", 0, 5);
  return cellAt(numbers.topic === "smoothing" ? "loss_all" : `kl_${numbers.spread}`, 0);
}

export function stops(config: Config, _words: Words, snapshots: Snapshots): Stops {
  const suffix = spreadOf(config);
  const right = [0, config.numbers.targets[0]!];
  /** The row with the largest loss. */
  const largest = (node: string) => largestInRow(snapshots, cellAt(node, 0));
  switch (config.numbers.topic) {
    case "smoothing":
      return {
        predict: cellAt("p", ...right),
        target: cellAt("y_all", ...right),
        cost: largest("loss_all"),
        confidence: cellAt("off_all", ...right),
      };
    case "divergence":
      return {
        predict: { ...cellAt("log_p", ...right), tell: "predict.divergence" },
        entropy: cellAt(`entropy${suffix}`, 0),
        divergence: largest(`kl${suffix}`),
        gradient: cellAt(`gradient${suffix}`, ...right),
      };
    case "dropout":
      return {
        draw: cellAt("u", 0, 5),
        drop: cellAt("dropped", 0, 5),
        mean: cellAt("mean", 5),
      };
  }
}
