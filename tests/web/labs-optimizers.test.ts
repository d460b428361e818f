// What the optimizers lab says of its formulas: the gradient of a surface term by term, the smaller of two rates.
import { describe, expect, test } from "vitest";
import type { NumbersOf } from "../../web/config/config.js";
import { placeChart } from "../../web/stage/chart.js";
import { emptyScene } from "../../web/stage/place.js";
import { textWidth } from "../../web/marks/measure.js";
import { overlaps } from "./labs-geometry.js";
import { configOf, labOf, sessionOf, wholeCore } from "./labs-sessions.js";
import { wordsIn } from "../../web/i18n/words.js";

const opened = (numbers: Partial<NumbersOf["optimizers"]>, example = "rosenbrock-valley") => {
  const config = configOf<"optimizers">(example, numbers);
  const session = sessionOf(config);
  const { snapshots } = session.compute(config);
  return { config, session, values: new Map(snapshots.map(({ name, data }) => [name, data])) };
};

describe("the gradient of a surface", () => {
  for (const surface of ["bowl", "saddle", "rosenbrock", "himmelblau"] as const)
    test(`of ${surface} is its closed formula, told by its own terms, and what going backward gives`, () => {
      const { session, values } = opened({ surface, step: 3, start: [-1.2, 0.7] });
      const graph = wholeCore.graph({ precision: "float64" });
      const theta = graph.leaf("theta", { shape: [1, 2], data: values.get("theta")! });
      graph.backward(graph.sum(graph.testSurface(theta, { surface })));
      const expected = graph.gradient("theta").data;
      for (const at of [0, 1]) {
        expect(values.get("gradient")![at]! / expected[at]!).toBeCloseTo(1, 12);
        const { op, rows, value } = session.explain("gradient", [0, at]);
        expect(["add", "scale"]).toContain(op);
        expect(value).toBe(values.get("gradient")![at]);
        // Operands are numbers that a reader can go to: the parameters or named terms.
        for (const { node } of rows.flatMap(({ operands }) => operands))
          if (node !== "") expect(["x_now", "y_now", "along_x", "along_y"]).not.toContain(node);
      }
      graph.delete();
    });
});

describe("the learning rate", () => {
  test("of the paper is told as the smaller of the two that its formula names", () => {
    const { session, values } = opened({}, "noam-4000");
    for (const at of [0, 6]) {
      const { op, rows, sources } = session.explain("lr", [at, 0]);
      expect(op).toBe("minimum");
      const [rising, falling, result] = rows;
      expect(rising!.operands).toMatchObject([{ node: "rising", value: values.get("rising")![at] }]);
      expect(falling!.operands).toMatchObject([{ node: "falling", value: values.get("falling")![at] }]);
      const smaller = Math.min(rising!.operands[0]!.value, falling!.operands[0]!.value);
      expect(result!.value! / smaller).toBeCloseTo(1, 12);
      expect(sources.map(({ node }) => node)).toEqual(["rising", "falling"]);
    }
  });

  test("of the cosine names its formula with its numbers", () => {
    const { config } = opened({ schedule: "cosine", peak: 0.001, warmup: 4000, length: 20000 }, "noam-4000");
    const { meaning } = labOf(config).nodeWords(config, "lr", wordsIn("en"), new Map());
    expect(meaning([0, 0])).toBe("0.001 · 1 ÷ 4000");
    expect(meaning([4, 0])).toBe("0.001 ÷ 2 · (1 + cos(π · (8000 − 4000) ÷ (20000 − 4000)))");
  });
});

test.each([
  [8, 33, ["10", "20", "30"]],
  [0.02, 40, ["0.1", "1", "10"]],
])("a logarithmic axis from %d to %d has round ticks", (least, most, ticks) => {
  const scene = emptyScene(400);
  const points: [number, number][] = [[0, most], [100, least]]; // prettier-ignore
  const series = [{ id: "loss", role: "activation" as const, kind: "line" as const, points }];
  placeChart(
    scene,
    { id: "loss", title: "", x: { label: "" }, y: { label: "", log: true }, series, step: 0 },
    { x: 0, y: 0, width: 400, height: 220 },
  );
  const axis = scene.labels.filter(({ anchor, x }) => anchor === "end" && x < 60);
  expect(axis.map(({ text }) => text).filter(Boolean)).toEqual(ticks);
});

test.each([358, 640])("no name of a crowd of points stands on another, %d wide", (width) => {
  const scene = emptyScene(width);
  const names = ["SGD", "Momentum", "AdaGrad", "RMSProp", "Adam"];
  const series = names.map((label, at) => ({
    id: label,
    role: "activation" as const,
    kind: "line" as const,
    points: [[0.02 * at, 0.01 * at]] as [number, number][],
    label,
  }));
  placeChart(
    scene,
    {
      id: "map",
      title: "",
      x: { label: "", domain: [-3, 3] },
      y: { label: "", domain: [-2, 2] },
      series,
      step: 0,
    },
    { x: 0, y: 0, width, height: 260 },
  );
  const boxes = scene.labels
    .filter(({ text }) => names.includes(text))
    .map(({ text, x, y, anchor }) => {
      const left = x - { start: 0, middle: 0.5, end: 1 }[anchor ?? "start"] * textWidth(text);
      return { name: text, left, top: y - 10, right: left + textWidth(text), bottom: y + 3 };
    });
  expect(boxes).toHaveLength(names.length);
  expect(overlaps(boxes)).toEqual([]);
  // A line leads to each name that is not beside its point.
  const far = scene.curves.filter(({ id }) => id.startsWith("map-to-"));
  expect(far.length).toBeGreaterThan(0);
});
