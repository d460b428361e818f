/** The charts of lab 12: what was counted and what was timed, by the length of the text. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import type { Chart, Series } from "../../stage/chart.js";
import type { Block } from "../../stage/place.js";
import { roles } from "./bands.js";
import { countedLengths } from "./layers.js";
import { stringsIn } from "./strings.js";
import { layerNames } from "./tensors.js";

type Config = ConfigOf<"complexity">;
type Of = (node: string) => Block;

const powers = [1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** The numbers of a node by the length of the text, both axes logarithmic, with a line where n is d. */
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
    // A wide stage has a small chart: it names every other length.
    x: {
      label: say("chart.n"),
      log: true,
      ticks: lengths.filter(
        (_, at) => room.layout !== "wide" || lengths.length < 5 || (lengths.length - 1 - at) % 2 === 0,
      ),
    },
    y: { label: "", log: true, ticks: powers },
    series: [...rows, ...crossing],
    step: of(node).step,
  };
}
