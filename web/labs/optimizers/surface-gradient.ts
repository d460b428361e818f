/** The gradient of a surface by its closed formula. Each term is a node, so that its arithmetic can be shown. */
import type { SurfaceName } from "../../config/labs/optimizers.js";
import type { Graph, Node, Tensor } from "../../core/index.js";

const one = (value: number): Tensor => ({ shape: [1, 1], data: Float64Array.of(value) });

/** The slopes along x and y as formulas. */
export const slopes: Readonly<Record<SurfaceName, readonly [alongX: string, alongY: string]>> = {
  bowl: ["x", "10y"],
  rosenbrock: ["−400x(y−x²) − 2(1−x)", "200(y−x²)"],
  himmelblau: ["4x(x²+y−11) + 2(x+y²−7)", "2(x²+y−11) + 4y(x+y²−7)"],
  saddle: ["2x", "−2y"],
};

/** The terms of the formulas, as the page writes them, by node. */
export const termTexts: Readonly<Record<SurfaceName, Readonly<Record<string, string>>>> = {
  bowl: {},
  rosenbrock: {
    x_square: "x²",
    bend: "y−x²",
    x_bend: "x(y−x²)",
    steep: "−400x(y−x²)",
    rest: "1−x",
    mild: "−2(1−x)",
  },
  himmelblau: {
    x_square: "x²",
    y_square: "y²",
    x_square_y: "x²+y",
    first: "x²+y−11",
    x_y_square: "x+y²",
    second: "x+y²−7",
    x_first: "x(x²+y−11)",
    y_second: "y(x+y²−7)",
    four_x_first: "4x(x²+y−11)",
    two_second: "2(x+y²−7)",
    two_first: "2(x²+y−11)",
    four_y_second: "4y(x+y²−7)",
  },
  saddle: {},
};

/** ∂f/∂(x, y) at `theta` (1, 2) as a node `gradient` (1, 2). */
export function surfaceGradient(graph: Graph, surface: SurfaceName, theta: Node): Node {
  // Only theta and the gradient are shown: x and y are cells of theta, and the slopes are cells of the gradient.
  const x = graph.passOver(graph.slice(theta, { axis: 1, start: 0, stop: 1, name: "x_now" }));
  const y = graph.passOver(graph.slice(theta, { axis: 1, start: 1, stop: 2, name: "y_now" }));
  const times = (of: Node, factor: number, name: string) => graph.scale(of, { factor, name });
  const both = (...along: Node[]) =>
    graph.concat(
      along.map((slope) => graph.passOver(slope)),
      { axis: 1, name: "gradient" },
    );
  switch (surface) {
    case "bowl":
      return both(times(x, 1, "along_x"), times(y, 10, "along_y"));
    case "saddle":
      return both(times(x, 2, "along_x"), times(y, -2, "along_y"));
    case "rosenbrock": {
      const bend = graph.subtract(y, graph.multiply(x, x, { name: "x_square" }), { name: "bend" });
      const steep = times(graph.multiply(x, bend, { name: "x_bend" }), -400, "steep");
      const mild = times(graph.subtract(one(1), x, { name: "rest" }), -2, "mild");
      return both(graph.add(steep, mild, { name: "along_x" }), times(bend, 200, "along_y"));
    }
    case "himmelblau": {
      const less = (square: string, sum: string, name: string, of: Node, other: Node, number: number) => {
        const added = graph.add(graph.multiply(of, of, { name: square }), other, { name: sum });
        return graph.subtract(added, one(number), { name });
      };
      const first = less("x_square", "x_square_y", "first", x, y, 11);
      const second = less("y_square", "x_y_square", "second", y, x, 7);
      const fourX = times(graph.multiply(x, first, { name: "x_first" }), 4, "four_x_first");
      const fourY = times(graph.multiply(y, second, { name: "y_second" }), 4, "four_y_second");
      return both(
        graph.add(fourX, times(second, 2, "two_second"), { name: "along_x" }),
        graph.add(times(first, 2, "two_first"), fourY, { name: "along_y" }),
      );
    }
  }
}
