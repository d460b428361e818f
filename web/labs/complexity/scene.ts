/** The stage of lab 12: the table of layers above, what was counted and timed in charts below; and the lines of narrower screens. */
import type { ConfigOf } from "../../config/config.js";
import type { Role, Room, Scene, Snapshots } from "../../marks/scene.js";
import { textWidth } from "../../marks/measure.js";
import { placeChart, type Chart, type Series } from "../../stage/chart.js";
import type { Flow } from "../../stage/flow.js";
import {
  type Block,
  BRACKET,
  CAPTION_BELOW,
  emptyScene,
  headroom,
  labelWidth,
  place,
} from "../../stage/place.js";
import { countedLengths } from "./layers.js";
import { layerNames, orders, ownWords, step } from "./tensors.js";

type Config = ConfigOf<"complexity">;
type Of = (node: string) => Block;

const NOTE = { width: 400, gap: 24 };
const HEADING = 24;
const GAP = { most: 22, least: 14 };
const CELL = { least: 30, most: 50, low: 18, tall: 30 };
const CHART = { least: 190, most: 330 };

const series: readonly { role: Role; kind: Series["kind"] }[] = [
  { role: "attention", kind: "line" },
  { role: "key", kind: "line" },
  { role: "value", kind: "line" },
  { role: "query", kind: "line" },
];
const powers = [1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** Length against the numbers of a node, both in equal ratios; where n is d stands a line. */
function chartOf(config: Config, snapshots: Snapshots, node: "counted" | "times", room: Room): Chart {
  const say = ownWords(room.words);
  const { length, dim } = config.numbers;
  const lengths = countedLengths(length);
  const names = layerNames(config, room.words);
  const data = snapshots.get(node)?.data ?? [];
  const numbers = Array.from(data);
  const rows = series.map(({ role, kind }, row): Series => ({
    id: `${row}`,
    role,
    kind,
    dots: true,
    label: names[row] ?? "",
    points: lengths.map((n, at) => [n, numbers[row * lengths.length + at] ?? NaN] as const),
    cells: lengths.map((_, at) => ({ node, index: [row, at] })),
  }));
  const crossing: Series[] =
    node === "counted" && dim >= lengths[0]! && dim <= length && numbers.length > 0
      ? [
          {
            id: "cross",
            role: "activation",
            kind: "faint",
            points: [
              [dim, Math.min(...numbers)],
              [dim, Math.max(...numbers)],
            ],
            label: say("chart.cross"),
          },
        ]
      : [];
  return {
    id: `chart-${node}`,
    title: say(`chart.${node}`),
    x: { label: say("chart.n"), log: true, ticks: lengths },
    y: { label: "", log: true, ticks: powers },
    series: [...rows, ...crossing],
    step: node === "counted" ? step.count : step.time,
  };
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: Of): Flow {
  const { words } = room;
  const rowNames = layerNames(config, words);
  const columnNames = countedLengths(config.numbers.length).map(String);
  const timed = config.numbers.measured > 0;
  return {
    lines: [
      {
        rowNames,
        pieces: [{ tensor: of("work_millions"), beside: orders("work", words) }],
        steps: [step.work],
      },
      {
        rowNames,
        pieces: [{ tensor: of("millions"), columnNames }, { tensor: of("ratio") }],
        steps: [step.count],
      },
      {
        pieces: [{ chart: chartOf(config, snapshots, "counted", room) }],
        steps: [step.work, step.count],
        height: 250,
      },
      {
        rowNames,
        pieces: [
          { tensor: of("sequential"), beside: orders("sequential", words) },
          { tensor: of("path"), beside: orders("path", words) },
        ],
        steps: [step.order],
      },
      {
        rowNames,
        pieces: [{ tensor: of("weights_thousands"), beside: orders("weights", words) }],
        steps: [step.memory],
      },
      ...(timed
        ? [
            {
              rowNames,
              pieces: [{ tensor: of("times"), columnNames }, { tensor: of("rate") }],
              steps: [step.time],
            },
            {
              pieces: [{ chart: chartOf(config, snapshots, "times", room) }],
              steps: [step.time],
              height: 250,
            },
          ]
        : []),
    ],
    legendOf: () => "",
  };
}

const units = ["work_millions", "weights_thousands"] as const;

/** A column of the table, and what table 1 says right of each of its rows. */
interface Column {
  tensor: Block;
  said: readonly string[];
  columnNames?: readonly string[];
}

export function wideScene(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene {
  const { words } = room;
  const say = ownWords(words);
  const timed = config.numbers.measured > 0;
  const rowNames = layerNames(config, words);
  const lengths = countedLengths(config.numbers.length).map(String);
  const told = (column: "work" | "sequential" | "path" | "weights", node: string = column): Column => ({
    tensor: of(node),
    said: orders(column, words),
  });
  const gap = timed ? GAP.least : GAP.most;
  // What was counted is the ratio times the work.
  const table: Column[] = [
    { tensor: of("millions"), said: [], columnNames: lengths },
    { tensor: of("ratio"), said: [] },
    told("work", "work_millions"),
    told("sequential"),
    told("path"),
    told("weights", "weights_thousands"),
    ...(timed ? ["milliseconds", "rate"].map((node): Column => ({ tensor: of(node), said: [] })) : []),
  ];
  const left = room.width - NOTE.width - NOTE.gap - 8;
  const label = labelWidth(rowNames);
  const saidWidth = ({ said }: Column) =>
    Math.max(0, ...said.map((text) => textWidth(text.replaceAll("_", ""), 11.5) + BRACKET + 6));
  const columns = table.reduce((sum, { tensor }) => sum + tensor.columns, 0);
  const fixed = table.reduce((sum, column) => sum + saidWidth(column) + gap, label);
  const cell = Math.max(CELL.least, Math.min(CELL.most, Math.floor((left - fixed) / columns)));
  const spare = Math.max(0, left - fixed - columns * cell) / Math.max(1, table.length - 1);
  const space = Math.max(430, room.height);
  const head = HEADING + Math.max(4, headroom(lengths, cell) - 30);
  const rows = rowNames.length;
  const tall = Math.floor((space - head - CAPTION_BELOW - 16 - CHART.least) / rows);
  const cellHeight = Math.max(CELL.low, Math.min(CELL.tall, tall));

  const scene = emptyScene(room.width);
  scene.labels.push({
    x: label - BRACKET,
    y: 18,
    text: say("head.table", { n: config.numbers.length }),
    kind: "heading",
    step: step.work,
  });
  const top = 4 + head;
  let x = label;
  table.forEach((column, at) => {
    const { tensor, said, columnNames } = column;
    // Right of the last there is the gap to the note.
    const more = at === table.length - 1 ? NOTE.gap : 0;
    const captionWidth = tensor.columns * cell + saidWidth(column) + gap + spare - 8 + more;
    // Where the plain name does not fit, its unit alone: the numbers are no use without it.
    const unit = units.find((node) => node === tensor.node);
    const tight = unit && textWidth(tensor.name, 12.5) > captionWidth;
    const block = tight ? { ...tensor, name: say(`unit.${unit}`) } : tensor;
    place(scene, block, x, top, cell, cellHeight, {
      caption: "below",
      captionWidth,
      ...(at === 0 ? { rowNames } : {}),
      ...(columnNames ? { columnNames } : {}),
    });
    x += tensor.columns * cell;
    said.forEach((text, row) =>
      scene.labels.push({
        x: x + BRACKET + 6,
        y: top + (row + 0.5) * cellHeight + 4,
        text,
        kind: "axis",
        step: tensor.step,
      }),
    );
    x += saidWidth(column) + gap + spare;
  });

  const y = top + rows * cellHeight + CAPTION_BELOW + 16;
  const height = Math.max(CHART.least, Math.min(CHART.most, space - y - 8));
  const charts = [
    chartOf(config, snapshots, "counted", room),
    ...(timed ? [chartOf(config, snapshots, "times", room)] : []),
  ];
  const each = (left - (charts.length - 1) * GAP.most) / charts.length;
  charts.forEach((chart, at) =>
    placeChart(scene, chart, { x: at * (each + GAP.most), y, width: each, height }),
  );
  scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  scene.height = y + height + 8;
  return scene;
}
