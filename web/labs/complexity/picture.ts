/** The stage of lab 12 on wide screens: the table of layers above, what was counted and timed in charts below. */
import type { ConfigOf } from "../../config/config.js";
import { textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { placeChart } from "../../stage/chart.js";
import {
  type Block,
  BRACKET,
  CAPTION_BELOW,
  emptyScene,
  headroom,
  labelWidth,
  place,
} from "../../stage/place.js";
import { chartOf } from "./flow.js";
import { countedLengths } from "./layers.js";
import { stringsIn } from "./strings.js";
import { layerNames, orders } from "./tensors.js";

type Config = ConfigOf<"complexity">;
type Of = (node: string) => Block;

const NOTE = { width: 400, gap: 24 };
const HEADING = 24;
const GAP = { most: 22, least: 14 };
const CELL = { least: 30, most: 50, low: 18, tall: 30 };
const CHART = { least: 190, most: 330 };

const units = ["work_millions", "weights_thousands"] as const;

/** A column of the table, and what table 1 says right of each of its rows. */
interface Column {
  tensor: Block;
  said: readonly string[];
  columnNames?: readonly string[];
}

export function picture(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene | null {
  if (room.layout !== "wide") return null;
  const { words } = room;
  const say = stringsIn(words);
  const timed = config.numbers.measured > 0;
  const rowNames = layerNames(config, words);
  const lengths = countedLengths(config.numbers.length).map(String);
  const told = (column: keyof typeof orders, node: string = column): Column => ({
    tensor: of(node),
    said: orders[column],
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
    step: of("work_millions").step,
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
    chartOf(config, snapshots, "counted", room, of),
    ...(timed ? [chartOf(config, snapshots, "times", room, of)] : []),
  ];
  const each = (left - (charts.length - 1) * GAP.most) / charts.length;
  charts.forEach((chart, at) =>
    placeChart(scene, chart, { x: at * (each + GAP.most), y, width: each, height }),
  );
  scene.note = { x: room.width - NOTE.width - 8, y: 8, width: NOTE.width };
  scene.height = y + height + 8;
  return scene;
}
