/** The part of each surface that is drawn, and where the paths on it begin. */
import type { NumbersOf } from "../../config/config.js";
import type { SurfaceName } from "../../config/labs/optimizers.js";

/** The number of cells of the map. */
export const GRID = { rows: 80, columns: 120 } as const;

interface Window {
  x: readonly [number, number];
  y: readonly [number, number];
  /** Whether the map shows heights, or their logarithm because they differ by orders of magnitude. */
  shade: "height" | "log";
  /** The settings after the surface is chosen. The rates are in the order of the optimizers. */
  begin: Pick<NumbersOf["optimizers"], "start" | "rates" | "steps">;
}

export const windows: Readonly<Record<SurfaceName, Window>> = {
  bowl: {
    x: [-4.5, 4.5],
    y: [-3, 3],
    shade: "log",
    begin: { start: [-4, 2.4], rates: [0.15, 0.03, 0.6, 0.12, 0.25], steps: 60 },
  },
  rosenbrock: {
    x: [-2.25, 2.25],
    y: [-0.9, 2.1],
    shade: "log",
    begin: { start: [-1.2, 1], rates: [0.002, 0.0008, 0.6, 0.02, 0.3], steps: 300 },
  },
  himmelblau: {
    x: [-7.5, 7.5],
    y: [-5, 5],
    shade: "log",
    begin: { start: [-0.3, -0.9], rates: [0.01, 0.004, 0.9, 0.12, 0.3], steps: 80 },
  },
  saddle: {
    x: [-3, 3],
    y: [-2, 2],
    shade: "height",
    begin: { start: [-2.6, 0.001], rates: [0.05, 0.02, 0.3, 0.06, 0.1], steps: 80 },
  },
};
