/** The stage of the losses lab: its lines and charts, and the stops of Play. */
import type { Block } from "../../stage/place.js";
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Room, RoomAt, Snapshots } from "../../marks/scene.js";
import { arrangedAs, remembered } from "../../stage/arrangement.js";
import type { Chart, Series } from "../../stage/chart.js";
import type { Flow, Piece } from "../../stage/flow.js";
import { largestInRow } from "../../telling/largest.js";
import type { Stop } from "../../telling/telling.js";
import { ACTIVATIONS } from "../../config/labs/losses.js";
import { spreadOf, targets } from "./tensors.js";
import { rowNames, say, type Key, type Say } from "./words.js";

type Config = ConfigOf<"losses">;

interface From {
  config: Config;
  snapshots: Snapshots;
  room: Room;
  said: Say;
  of: (node: string) => Block;
}

/** Numbers of one row of a node, or of one column. */
function numbersOf(snapshots: Snapshots, node: string, row: number): number[] {
  const snapshot = snapshots.get(node);
  if (!snapshot) return [];
  const width = snapshot.shape.length > 1 ? snapshot.shape.at(-1)! : 1;
  return [...snapshot.data.subarray(row * width, (row + 1) * width)];
}

/** An axis from the first to the last of these. */
const ends = (values: readonly number[]): { domain?: [number, number] } =>
  values.length ? { domain: [values[0]!, values.at(-1)!] } : {};

/** What the chart is of: the target's row, else the first; of dropout, the target's number, else one in the middle. */
export function arrange({ numbers }: Config, { cell }: RoomAt): string {
  const [wanted, count] =
    numbers.topic === "dropout"
      ? [cell?.index.at(-1) ?? 5, ACTIVATIONS]
      : [cell?.index[0] ?? 0, numbers.targets.length];
  return remembered("chart", [wanted < count ? wanted : 0]);
}

const chartOf = ({ room }: From): number => arrangedAs(room).memory[0]!;

/** Loss of one row over the logit of its right class, under each target, with the place it is at and the place of least loss. */
function confidence(from: From): Chart {
  const { config, snapshots, room, said } = from;
  const row = chartOf(from);
  const { targets: right, classes } = config.numbers;
  const slots = { row: rowNames(config.numbers, said)[row]!, class: classes[right[row]!]! };
  const logits = numbersOf(snapshots, "swept", row);
  const logit = numbersOf(snapshots, "target_logit", row)[0] ?? NaN;
  const there = logit >= logits[0]! && logit <= logits.at(-1)!;
  const title: Key = there
    ? "chart.confidence"
    : logit > logits[0]!
      ? "chart.confidence.right"
      : "chart.confidence.left";
  const series = targets.flatMap(({ after, role, label }): Series[] => {
    const node = `swept_loss${after}`;
    const line: Series = {
      id: `line${after}`,
      role,
      kind: "line",
      label: said(label),
      points: numbersOf(snapshots, node, row).map((loss, at) => [logits[at]!, loss]),
      cells: logits.map((_, at) => ({ node, index: [row, at] })),
    };
    const now: Series[] = there
      ? [
          {
            id: `now${after}`,
            role,
            kind: "line",
            dots: true,
            points: [[logit, numbersOf(snapshots, `loss${after}`, row)[0] ?? NaN]],
            cells: [{ node: `loss${after}`, index: [row] }],
          },
        ]
      : [];
    if (!after) return [line, ...now];
    const best: Series = {
      id: `best${after}`,
      role,
      kind: "dashed",
      points: [0, numbersOf(snapshots, `least${after}`, row)[0] ?? NaN].map((loss) => [
        numbersOf(snapshots, `best${after}`, row)[0] ?? NaN,
        loss,
      ]),
    };
    return [line, ...now, best];
  });
  return {
    id: "confidence",
    title: said(room.layout === "narrow" ? "chart.confidence.narrow" : title, slots),
    x: { label: said("chart.logit", slots), ...ends(logits) },
    y: { label: said("chart.loss") },
    series,
    step: 3,
  };
}

function smoothingFlow(from: From): Flow["lines"] {
  const { config, room, said, of } = from;
  const { classes } = config.numbers;
  const rows = rowNames(config.numbers, said);
  const narrow = room.layout === "narrow";
  const costs = targets.map(({ after }): Piece[] => [
    { tensor: of(`y${after}`), columnNames: classes },
    { tensor: of(`loss${after}`) },
    ...(narrow ? [] : [{ tensor: of(`loss_mean${after}`) }]),
  ]);
  // A phone has a line per target.
  const lines = narrow ? costs : [costs.flat()];
  return [
    {
      rowNames: rows,
      steps: [0],
      pieces: [
        { tensor: of("logits"), columnNames: classes },
        { operator: "p", name: [said("op.softmax")], step: 0 },
        { tensor: of("p"), columnNames: classes },
        { operator: "surprise", name: [said("op.log")], step: 0 },
        { tensor: of("surprise"), columnNames: classes },
      ],
    },
    ...lines.map((pieces, at) => ({
      rowNames: rows,
      ...(at === 0 ? { heading: said("heading.targets") } : {}),
      steps: [1, 2],
      pieces,
    })),
    { steps: [3], height: rows.length > 2 ? 150 : 190, pieces: [{ chart: confidence(from) }] },
  ];
}

function divergenceFlow({ config, room, said, of }: From): Flow["lines"] {
  const { classes, targets: right } = config.numbers;
  const after = spreadOf(config);
  const rows = rowNames(config.numbers, said);
  const narrow = room.layout === "narrow";
  const equation = (end: string): Piece[] => [
    { tensor: of(`loss${end}`) },
    { sign: "−" },
    { tensor: of(`entropy${end}`) },
    { sign: "=" },
    { tensor: of(`kl${end}`) },
  ];
  return [
    {
      rowNames: rows,
      steps: [0],
      pieces: [
        { tensor: of("logits"), columnNames: classes },
        { operator: "log_p", name: ["log", said("op.softmax")], step: 0 },
        { tensor: of("log_p"), columnNames: classes },
        { tensor: of(`y${after}`), columnNames: classes },
        { tensor: of(`kl_terms${after}`), columnNames: classes },
      ],
    },
    ...(narrow
      ? [
          {
            rowNames: rows,
            heading: said("heading.losses.narrow"),
            steps: [1, 2],
            pieces: equation(after),
          },
          { rowNames: [said("name.loss_mean")], steps: [1, 2], pieces: equation(`_mean${after}`) },
        ]
      : [
          {
            rowNames: rows,
            heading: said("heading.losses"),
            steps: [1, 2],
            pieces: [
              ...equation(after),
              { operator: `kl_mean${after}`, name: [said("op.mean")], step: 2 } as const,
              ...equation(`_mean${after}`),
            ],
          },
        ]),
    {
      rowNames: rows,
      heading: said("heading.gradient"),
      steps: [3],
      pieces: [
        { tensor: of("p"), columnNames: classes },
        // A phone has the target at the first stop alone.
        ...(narrow
          ? [{ operator: `off${after}`, name: ["− y"], step: 3 } as const]
          : [
              { sign: "−" },
              { tensor: { ...of(`y${after}`), step: 3 }, id: "y-again", columnNames: classes },
              { sign: "=" },
            ]),
        { tensor: of(`off${after}`), columnNames: classes },
        { operator: `gradient${after}`, name: [said("op.over", { n: right.length })], step: 3 },
        { tensor: of(`gradient${after}`), columnNames: classes },
      ],
    },
  ];
}

/** The mean of the first draws of one number, with the number itself. */
function runningChart(from: From): Chart {
  const { config, snapshots, said } = from;
  const { draws } = config.numbers;
  const place = chartOf(from);
  const columnOf = (node: string): number[] =>
    Array.from({ length: draws }, (_, at) => numbersOf(snapshots, node, at)[place] ?? NaN);
  const level = (node: string) => snapshots.get(node)?.data[place] ?? NaN;
  const line = (node: string, role: Series["role"], label: Key): Series => ({
    id: node,
    role,
    kind: "line",
    label: said(label),
    points: columnOf(node).map((mean, at) => [at + 1, mean]),
    cells: Array.from({ length: draws }, (_, at) => ({ node, index: [at, place] })),
    dots: draws <= 32,
  });
  const flat = (node: string, role: Series["role"], label: string): Series => ({
    id: `${node}-level`,
    role,
    kind: "dashed",
    label,
    points: [
      [1, level(node)],
      [draws, level(node)],
    ],
  });
  return {
    id: "running",
    title: said("chart.running", { activation: said("activation", { n: place }) }),
    x: {
      label: said("chart.draws"),
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

function dropoutFlow(from: From): Flow["lines"] {
  const { config, room, said, of } = from;
  const rows = Array.from({ length: config.numbers.draws }, (_, at) => said("draw.n", { n: at }));
  const dropped = { tensor: of("dropped"), above: of("x"), below: of("mean") };
  if (room.layout === "narrow")
    return [
      { rowNames: rows, steps: [0], pieces: [{ tensor: of("u"), above: of("x") }] },
      { rowNames: rows, steps: [1], pieces: [{ tensor: of("dropped") }] },
      { steps: [2], pieces: [{ chart: runningChart(from) }] },
      { steps: [2], pieces: [{ tensor: of("mean") }] },
    ];
  return [
    {
      rowNames: rows,
      steps: [0, 1, 2],
      pieces: [
        { tensor: of("u") },
        { operator: "dropped", name: [said("op.dropout")], step: 1 },
        dropped,
        ...(room.layout === "wide" ? [] : [{ chart: runningChart(from), least: 225 }]),
      ],
    },
  ];
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: (node: string) => Block): Flow {
  const said = say(room.words);
  const from: From = { config, snapshots, room, said, of };
  const lines = {
    smoothing: smoothingFlow,
    divergence: divergenceFlow,
    dropout: dropoutFlow,
  }[config.numbers.topic](from);
  // Beside the note there is more room for the numbers.
  const aside = config.numbers.topic === "dropout" && room.layout === "wide" ? runningChart(from) : undefined;
  return { lines, legendOf: (family) => said(`legend.${family}` as Key), ...(aside ? { aside } : {}) };
}

export function opening({ numbers }: Config): { node: string; index: number[] } {
  if (numbers.topic === "dropout") return { node: "dropped", index: [0, 5] };
  return { node: numbers.topic === "smoothing" ? "loss_all" : `kl_${numbers.spread}`, index: [0] };
}

export function stops(config: Config, words: Words, snapshots: Snapshots): Stop[] {
  const said = say(words);
  const { numbers } = config;
  const after = spreadOf(config);
  const right = [0, numbers.targets[0]!];
  const stop = (id: string, node: string, index: number[], tell: Key = `tell.${id}` as Key): Stop => ({
    id,
    title: said(`step.${id}` as Key),
    sentence: said(tell),
    cell: { node, index },
  });
  /** The row that costs most. */
  const largest = (made: Stop): Stop => ({ ...made, cell: largestInRow(snapshots, made.cell) });
  switch (numbers.topic) {
    case "smoothing":
      return [
        stop("predict", "p", right),
        stop("target", "y_all", right),
        largest(stop("cost", "loss_all", [0])),
        stop("confidence", "swept_loss_all", [0, 24]),
      ];
    case "divergence":
      return [
        stop("predict", "log_p", right, "tell.predict.divergence"),
        stop("entropy", `entropy${after}`, [0]),
        largest(stop("divergence", `kl${after}`, [0])),
        stop("gradient", `gradient${after}`, right),
      ];
    case "dropout":
      return [stop("draw", "u", [0, 5]), stop("drop", "dropped", [0, 5]), stop("mean", "mean", [5])];
  }
}
