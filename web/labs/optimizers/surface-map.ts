/** The surface seen from above: its height at every point of a grid, with y upwards. */
import type { SurfaceName } from "../../config/labs/optimizers.js";
import type { Graph, Node } from "../../core/index.js";
import { GRID, windows } from "./windows.js";

/** The middles (count) of `count` equal cells between `low` and `high`. */
function middles(graph: Graph, [low, high]: readonly [number, number], count: number): Node {
  const places = graph.absoluteIndex({ length: count, dim: 1 });
  const middle = graph.add(places, { shape: [1], data: Float64Array.of(0.5) });
  const share = graph.scale(middle, { divisor: count });
  const [from, to] = [low, high].map((end) => ({ shape: [1], data: Float64Array.of(end) }));
  return graph.add(graph.multiply(share, graph.subtract(to!, from!)), from!);
}

/** Adds the nodes `grid` (rows, columns, 2), `map.loss` with the heights, and `shade` with log(1 + height) if heights differ by orders of magnitude. */
export function addMap(graph: Graph, surface: SurfaceName): void {
  const { x, y, shade } = windows[surface];
  const { rows, columns } = GRID;
  const zeros = { shape: [rows, columns, 1], data: new Float64Array(rows * columns) };
  const across = graph.reshape(middles(graph, x, columns), { shape: [1, columns, 1] });
  // The first row is the highest y.
  const down = graph.reshape(middles(graph, [y[1], y[0]], rows), { shape: [rows, 1, 1] });
  const grid = graph.concat([graph.add(zeros, across), graph.add(zeros, down)], { axis: 2, name: "grid" });
  const height = graph.testSurface(grid, { surface, name: "map" });
  if (shade === "log") {
    const shifted = graph.add(height, { shape: [1], data: Float64Array.of(1) }, { name: "map_1" });
    graph.log(shifted, { name: "shade" });
  }
}
