// The optimizers lab: mini-batches and a rare feature as NumPy and PyTorch compute them, the gradient of a surface term by term, and learning-rate schedules.
import { describe, expect, test } from "vitest";
import type { NumbersOf } from "../../web/config/config.js";
import { placeChart } from "../../web/stage/chart.js";
import { emptyScene } from "../../web/stage/place.js";
import { textWidth } from "../../web/marks/measure.js";
import { overlaps } from "./labs-geometry.js";
import { computed, configOf, labOf, sessionOf, wholeCore } from "./labs-sessions.js";
import { dataOf } from "../../web/config/labs/optimizers.js";
import { wordsIn } from "../../web/i18n/words.js";
import { sceneFor } from "../../web/page/open-lab.js";

const openExample = (numbers: Partial<NumbersOf["optimizers"]>, example = "rosenbrock-valley") => {
  const config = configOf<"optimizers">(example, numbers);
  const session = sessionOf(config);
  const { snapshots } = session.compute(config);
  return { config, session, values: new Map(snapshots.map(({ name, data }) => [name, data])) };
};

describe("the gradient of a surface", () => {
  for (const surface of ["bowl", "saddle", "rosenbrock", "himmelblau"] as const)
    test(`of ${surface} equals its closed formula, the sum of its explained terms, and the result of backward`, () => {
      const { session, values } = openExample({ surface, step: 3, start: [-1.2, 0.7] });
      const graph = wholeCore.graph({ precision: "float64" });
      const theta = graph.leaf("theta", { shape: [1, 2], data: values.get("theta")! });
      graph.backward(graph.sum(graph.testSurface(theta, { surface })));
      const expected = graph.gradient("theta").data;
      for (const at of [0, 1]) {
        expect(values.get("gradient")![at]! / expected[at]!).toBeCloseTo(1, 12);
        const { op, rows, value } = session.explain("gradient", [0, at]);
        expect(["add", "scale"]).toContain(op);
        expect(value).toBe(values.get("gradient")![at]);
        // Operands are numbers that a reader can select: the parameters or named terms.
        for (const { node } of rows.flatMap(({ operands }) => operands))
          if (node !== "") expect(["x_now", "y_now", "along_x", "along_y"]).not.toContain(node);
      }
      graph.delete();
    });
});

/** w and b, or w₁ and w₂, after some of the steps. */
type Path = Readonly<Record<number, readonly [number, number]>>;

function expectPath(values: ReadonlyMap<string, ArrayLike<number>>, node: string, path: Path): void {
  for (const [step, place] of Object.entries(path))
    place.forEach((expected, at) =>
      expect(values.get(node)![2 * Number(step) + at], `${node} after ${step}`).toBeCloseTo(expected, 12),
    );
}

// PyTorch 1.13 in float64, with torch.optim's SGD, Adagrad, RMSprop and Adam (eps 1e-8, alpha 0.9) on mse_loss(X[ids] @ theta.T, y[ids]); NumPy 1.24
// draws the ids: rng = np.random.RandomState(seed), at the beginning of each epoch order = rng.permutation(5), then order[0:2], order[2:4], order[4:5].
describe("mini-batches of 2", () => {
  const ids = {
    0: [[2, 0], [1, 3], [4], [0, 2], [1, 4], [3], [1, 3]],
    7: [[0, 3], [2, 1], [4], [2, 1], [0, 4], [3], [3, 4]],
  };
  const gradients = {
    0: [-8.406625397184001, -3.5766563552640003],
    7: [-19.472218945919998, -5.473728230879999],
  };
  const paths: Readonly<Record<0 | 7, Readonly<Record<string, Path>>>> = {
    0: {
      sgd: {
        1: [0.1, 0.06],
        7: [1.4574099106438398, 0.50075107257664],
        100: [2.055098021782771, 0.8516874181433574],
      },
      momentum: {
        1: [0.1, 0.06],
        7: [3.6349925453926404, 1.2790665750246402],
        100: [1.998687948371929, 0.9962836706042423],
      },
      adagrad: {
        1: [0.00999999999, 0.009999999983333334],
        7: [0.04113117939582584, 0.04237072181349359],
        100: [0.1542875680496137, 0.16917076251417362],
      },
      rmsprop: {
        1: [0.0316227765016838, 0.03162277643501713],
        7: [0.13410166048315225, 0.13901187065870843],
        100: [0.8284587175495877, 0.9230704360667364],
      },
      adam: {
        1: [0.009999999989999998, 0.009999999983333334],
        7: [0.061019958349763245, 0.06678470052629708],
        100: [0.7462381936827615, 0.8183378715772929],
      },
    },
    7: {
      sgd: {
        1: [0.21, 0.08],
        7: [1.5663819137792, 0.5170641317488001],
        100: [2.0507118265850335, 0.8373305989339148],
      },
      momentum: {
        1: [0.21, 0.08],
        7: [3.383650973534, 1.226166060016],
        100: [1.9923704714524577, 0.9965568494419199],
      },
      adagrad: {
        1: [0.009999999995238094, 0.0099999999875],
        7: [0.0400667280010811, 0.04274352614370457],
        100: [0.1523050844835253, 0.1705780638631256],
      },
      rmsprop: {
        1: [0.031622776554064744, 0.0316227764766838],
        7: [0.13187731968804814, 0.14095078673500036],
        100: [0.8531961140848039, 0.9476379273529004],
      },
      adam: {
        1: [0.009999999995238092, 0.0099999999875],
        7: [0.06197682866575389, 0.06774325107760434],
        100: [0.743100975871641, 0.826605541970906],
      },
    },
  };
  const losses = {
    0: { 1: 29.687599999999996, 7: 3.0992236025049626, 100: 0.00752445450004637 },
    7: { 1: 26.6582, 7: 2.1990138288641377, 100: 0.008894420346523641 },
  };

  test.each([0, 7] as const)("of seed %d equal NumPy's, and are the same for all five optimizers", (seed) => {
    const { values } = openExample({ seed, compare: true }, "mini-batches-of-2");
    for (const [name, path] of Object.entries(paths[seed])) expectPath(values, `${name}.path`, path);
    for (const [step, loss] of Object.entries(losses[seed]))
      expect(values.get("sgd.loss")![Number(step)]).toBeCloseTo(loss, 12);
    ids[seed].forEach((rows, step) => {
      const { values: then } = openExample({ seed, step }, "mini-batches-of-2");
      expect(Array.from(then.get("batch")!)).toEqual(rows);
    });
    expect(Array.from(values.get("gradient")!)).toEqual(gradients[seed].map((g) => expect.closeTo(g, 12)));
  });

  test("explain the gradient from their own points, and a point from the data", () => {
    const { session } = openExample({}, "mini-batches-of-2");
    const { rows } = session.explain("gradient", [0, 0]);
    expect(rows[0]!.operands.map(({ node, index }) => [node, ...index!])).toEqual([
      ["pull", 0, 0],
      ["pull", 1, 0],
    ]);
    const { sources } = session.explain("batch.A", [1, 0]);
    expect(sources.map(({ node }) => node)).toContain("A");
  });

  test("of at least all points keep the points in their order, as without a batch", () => {
    const { values: all } = openExample({ step: 3 }, "line-of-document-004");
    for (const batch of [5, 12]) {
      const { values } = openExample({ step: 3, batch, seed: 3 }, "line-of-document-004");
      expect([...values.keys()]).toEqual([...all.keys()]);
      expect(values.get("next")).toEqual(all.get("next"));
    }
  });
});

// PyTorch and NumPy as above, on x₁ = 1, 2, 1, 2 …, x₂ = 0 except in sample 5, y = x₁ + 2 x₂; the batches of one row by RandomState(0).permutation(8).
describe("a rare feature", () => {
  const paths: Readonly<Record<string, Path>> = {
    sgd: {
      1: [0.3, 0.05],
      5: [0.9070525610351563, 0.18642243286132812],
      40: [1.1311749792498857, 0.7400779546717913],
    },
    momentum: {
      1: [0.12, 0.02],
      5: [1.2295987372250001, 0.22576125721250004],
      40: [0.8986188926321425, 1.6607234724171747],
    },
    adagrad: {
      1: [0.49999999916666665, 0.4999999950000001],
      5: [1.002775790415136, 1.1624274103944672],
      40: [1.0083279323894465, 1.9328754659420335],
    },
    rmsprop: {
      1: [0.15811388217508568, 0.15811387800841917],
      5: [0.4809453415893856, 0.4920303605012476],
      40: [1.0461324019954106, 1.6029589197080143],
    },
    adam: {
      1: [0.09999999983333333, 0.09999999900000002],
      5: [0.4930467954708843, 0.49485367144832926],
      40: [0.9228100779500265, 1.8054832020594418],
    },
  };
  const single: Readonly<Record<string, Path>> = {
    sgd: { 1: [0.1, 0], 5: [0.82504, 0], 40: [1.0479932851093994, 0.7506029117752047] },
    adagrad: {
      1: [0.4999999975, 0],
      5: [1.004647898236098, 0],
      40: [1.0469961191422763, 1.2282063999471464],
    },
  };

  test("moves its weight little with SGD and much with AdaGrad, whose learning rate for it is large", () => {
    const { values } = openExample({}, "rare-feature");
    for (const [name, path] of Object.entries(paths)) expectPath(values, `${name}.path`, path);
    const { values: fifth } = openExample({ step: 4 }, "rare-feature");
    for (const [at, [first, G, rate]] of (
      [
        [36, 52.10161116147753, 0.06926987868474392],
        [1, 1.7572021882795474, 0.3771890994165474],
      ] as const
    ).entries()) {
      expect(values.get("G")![at]).toBeCloseTo(first, 12);
      expect(fifth.get("G")![at]).toBeCloseTo(G, 12);
      expect(fifth.get("effective")![at]).toBeCloseTo(rate, 12);
    }
  });

  test("has no gradient in batches of one sample until its sample comes", () => {
    const { values } = openExample({ batch: 1 }, "rare-feature");
    for (const [name, path] of Object.entries(single)) expectPath(values, `${name}.path`, path);
    expect(values.get("gradient")![1]).toBe(0);
  });

  test("has a learning rate, the rate divided by the root of its squares, in its explanation", () => {
    const { session } = openExample({}, "rare-feature");
    const { op, rows, value } = session.explain("effective", [0, 1]);
    expect(op).toBe("divide");
    expect(rows.flatMap(({ operands }) => operands.map(({ node }) => node))).toEqual([
      "effective.lr",
      "root_eps",
    ]);
    expect(value).toBeCloseTo(0.499999995, 12);
  });
});

describe("the first setting chooses what is learned", () => {
  const words = wordsIn("en");
  const changed = (numbers: NumbersOf["optimizers"], control: string, typed: string) => {
    const answer = labOf(configOf<"optimizers">("line-of-document-004", numbers)).change(
      numbers,
      control,
      typed,
      words,
    );
    if ("refused" in answer) throw new Error(answer.refused);
    return answer as NumbersOf["optimizers"];
  };
  const line = configOf<"optimizers">("line-of-document-004").numbers;
  const sentence = (numbers: NumbersOf["optimizers"]) => {
    const config = configOf<"optimizers">("line-of-document-004", numbers);
    const { text, controls } = labOf(config).sentence(config, words);
    return text.replace(/\{(\w+)\}/g, (_, id) => controls.find((one) => one.id === id)!.label);
  };

  test("a line in mini-batches, and all points again", () => {
    const batches = changed({ ...line, step: 40 }, "topic", "batches");
    expect(batches).toEqual({ ...line, step: 0, batch: 2 });
    expect(sentence(batches)).toBe(
      "Fit a line to 5 points, 2 in every step, shuffled by seed 0, in 100 steps of SGD, rate 0.01, alone.",
    );
    const seeded = changed(batches, "seed", "7");
    expect(changed(seeded, "topic", "line")).toEqual(line);
    expect(changed(seeded, "batch", "5")).toEqual(line);
    expect(sentence(line)).toBe("Fit a line to 5 points in 100 steps of SGD, rate 0.01, alone.");
  });

  test("a rare feature, with samples that the reader may type", () => {
    const sparse = changed(changed(line, "topic", "batches"), "topic", "sparse");
    expect(sparse).toMatchObject({ topic: "sparse", rates: [0.05, 0.02, 0.5, 0.05, 0.1], steps: 40 });
    expect("batch" in sparse).toBe(false);
    expect(sentence(sparse)).toBe(
      "Fit a rare feature’s weight to 8 samples, all in every step, in 40 steps of SGD, rate 0.05, alone.",
    );
    const typed = changed(sparse, "samples", "1 0 1, 2 1 4, 1 0 −1");
    expect(dataOf(typed)).toEqual([
      [1, 0, 1],
      [2, 1, 4],
      [1, 0, -1],
    ]);
    expect(() => changed(sparse, "samples", "1 0, 2 1")).toThrow("expected 2 to 12 triples");
    expect(changed(typed, "batch", "1")).toMatchObject({ batch: 1 });
  });
});

describe("the learning rate", () => {
  test("of the paper is explained as the smaller of the two terms of its formula", () => {
    const { session, values } = openExample({}, "noam-4000");
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

  test("of the cosine schedule is explained by its formula with its numbers", () => {
    const { config } = openExample(
      { schedule: "cosine", peak: 0.001, warmup: 4000, length: 20000 },
      "noam-4000",
    );
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

test.each([358, 640])("the names of close points do not overlap, at a width of %d", (width) => {
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

test("labels at the edge stand right of the plot, none on another, each with a leader to its line", () => {
  const scene = emptyScene(400);
  const names = ["SGD", "Momentum", "AdaGrad"];
  const series = names.map((label, at) => ({
    id: label,
    role: "activation" as const,
    kind: "line" as const,
    points: [[0, 0], [1, 1 + 0.01 * at], [0.5, 1 + 0.02 * at]] as [number, number][],
    label,
  })); // prettier-ignore
  const box = { x: 0, y: 0, width: 400, height: 200 };
  placeChart(
    scene,
    { id: "path", title: "", x: { label: "" }, y: { label: "" }, series, labelsAtEdge: true, step: 0 },
    box,
  );
  const labels = scene.labels.filter(({ text }) => names.includes(text));
  const right = Math.max(...scene.curves.find(({ id }) => id === "path-x")!.points.map(([x]) => x));
  expect(new Set(labels.map(({ x }) => x))).toEqual(new Set([right + 8]));
  const heights = labels.map(({ y }) => y).sort((a, b) => a - b);
  expect(heights.slice(1).every((y, at) => y - heights[at]! >= 13)).toBe(true);
  expect(scene.curves.filter(({ id }) => id.startsWith("path-to-"))).toHaveLength(names.length);
});

describe("the picture", () => {
  const sceneOf = (example: string, numbers: Partial<NumbersOf["optimizers"]> = {}) => {
    const config = configOf<"optimizers">(example, numbers);
    const { snapshots } = computed(config);
    const cell = labOf(config).opening(config, snapshots);
    const room = { width: 1232, height: 560, layout: "wide", step: 2, cell, words: wordsIn("en") } as const;
    return { snapshots, scene: sceneFor(config, snapshots, room) };
  };

  test("says whose loss is lowest after all steps, as the last losses do", () => {
    const { scene, snapshots } = sceneOf("five-on-a-bowl");
    const names = { sgd: "SGD", momentum: "Momentum", adagrad: "AdaGrad", rmsprop: "RMSProp", adam: "Adam" };
    const ends = Object.entries(names).map(
      ([node, name]) => [snapshots.get(`${node}.loss`)!.data.at(-1)!, name] as const,
    );
    const [, lowest] = ends.reduce((best, one) => (one[0] < best[0] ? one : best));
    expect(scene.labels.map(({ text }) => text)).toContain(`height: ${lowest} is lowest after 60 steps`);
  });

  test("says what the loss of the only optimizer ends at", () => {
    const { scene } = sceneOf("line-of-document-004");
    expect(scene.labels.map(({ text }) => text)).toContain("loss: 0.007 after 100 steps");
  });

  test.each(["sgd", "momentum", "adagrad", "rmsprop", "adam"] as const)(
    "of a step of %s has the step once, between the parameters and the new ones",
    (optimizer) => {
      const { scene } = sceneOf("five-on-a-bowl", { optimizer });
      const nodes = scene.tensors.map(({ node }) => node);
      expect(nodes.filter((node) => node === "step")).toHaveLength(1);
      expect(nodes.indexOf("theta")).toBeLessThan(nodes.indexOf("step"));
      expect(nodes.indexOf("next")).toBe(nodes.indexOf("step") + 1);
    },
  );
});
