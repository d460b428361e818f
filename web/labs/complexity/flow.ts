/** The stage of lab 12 in lines, its charts, and the stops of Play. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import type { Stops } from "../../telling/declaration.js";
import { cellAt, type Cell } from "../../telling/largest.js";
import { chartOf } from "./charts.js";
import { countedLengths } from "./layers.js";
import { AREAS, areas, bands } from "./picture.js";
import { orders } from "./tensors.js";

type Config = ConfigOf<"complexity">;
type Of = (node: string) => Block;

/** The one layer of attention in which the first and the last word meet. */
export const opening = (): Cell => cellAt("hops", 0, 0);

export function stops({ numbers }: Config): Stops {
  const last = countedLengths(numbers.length).length - 1;
  return {
    path: opening(),
    work: cellAt("work_millions", 0, 0),
    count: cellAt("millions", 0, last),
    order: cellAt("sequential", 1, 0),
    memory: cellAt("weights_thousands", 0, 0),
    ...(numbers.measured > 0 && { time: cellAt("times", 1, last) }),
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
    // A phone shows one picture a stop: the bands, then the areas.
    overview: (scene, width) => {
      const narrow = room.layout === "narrow";
      let y = 0;
      if (!narrow || room.step === of("hops").step) {
        const height = narrow ? 370 : 460;
        bands(scene, config, snapshots, room, of, { x: 4, y, width: width - 4, height }, 1);
        y = height + 12;
      }
      if (room.step !== of("work_millions").step) return y;
      areas(scene, config, snapshots, room, of, { x: 4, y });
      return y + AREAS + 4;
    },
    lines: [
      line(table("path")),
      line(table("work", "work_millions")),
      line(of("millions"), of("ratio")),
      chart("counted", [of("work_millions").step, of("millions").step]),
      line(table("sequential")),
      line(table("weights", "weights_thousands")),
      ...(config.numbers.measured > 0 ? [line(of("times"), of("rate")), chart("times")] : []),
    ],
  };
}
