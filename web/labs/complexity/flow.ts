/** The stage of lab 12 in lines, its charts, and the stops of Play. */
import type { ConfigOf } from "../../config/config.js";
import type { Role, Room, Snapshots } from "../../marks/scene.js";
import type { Chart, Series } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import type { Stops } from "../../telling/declaration.js";
import { cellAt, type Cell } from "../../telling/largest.js";
import { countedLengths } from "./layers.js";
import { stringsIn } from "./strings.js";
import { layerNames, orders } from "./tensors.js";

type Config = ConfigOf<"complexity">;
type Of = (node: string) => Block;

/** The colour of each layer's line. */
const roles: readonly Role[] = ["attention", "key", "value", "query"];
const powers = [1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** The counted operations of self-attention, over the whole text. */
export const opening = ({ numbers }: Config): Cell => cellAt(numbers.measured > 0 ? "rate" : "ratio", 0, 0);

export function stops({ numbers }: Config): Stops {
  const last = countedLengths(numbers.length).length - 1;
  return {
    work: cellAt("work_millions", 0, 0),
    count: cellAt("millions", 0, last),
    order: cellAt("path", 1, 0),
    memory: cellAt("weights_thousands", 0, 0),
    ...(numbers.measured > 0 && { time: cellAt("times", 1, last) }),
  };
}

/** Length against the numbers of a node, both in equal ratios; where n is d stands a line. */
export function chartOf(
  config: Config,
  snapshots: Snapshots,
  node: "counted" | "times",
  room: Room,
  of: Of,
): Chart {
  const say = stringsIn(room.words);
  const { length, dim } = config.numbers;
  const lengths = countedLengths(length);
  const names = layerNames(config, room.words);
  const numbers = Array.from(snapshots.get(node)?.data ?? []);
  const rows = roles.map((role, row): Series => ({
    id: `${row}`,
    role,
    kind: "line",
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
    step: of(node).step,
  };
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: Of): Flow {
  const line = (...pieces: Piece[]): Line => ({ pieces });
  const table = (column: keyof typeof orders, node: string = column): Piece => ({
    tensor: of(node),
    beside: orders[column],
  });
  const chart = (node: "counted" | "times", steps?: number[]): Line => ({
    pieces: [{ chart: chartOf(config, snapshots, node, room, of) }],
    ...(steps && { steps }),
    height: 250,
  });
  return {
    lines: [
      line(table("work", "work_millions")),
      line(of("millions"), of("ratio")),
      chart("counted", [of("work_millions").step, of("millions").step]),
      line(table("sequential"), table("path")),
      line(table("weights", "weights_thousands")),
      ...(config.numbers.measured > 0 ? [line(of("times"), of("rate")), chart("times")] : []),
    ],
  };
}
