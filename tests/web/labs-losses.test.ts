// The picture of the losses by target: its chart stands where the numbers of the core say, at any logit, in every room.
import { describe, expect, test } from "vitest";
import type { ConfigOf } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { showsCell } from "../../web/marks/board.js";
import { formatNote } from "../../web/marks/numbers.js";
import type { Curve, Scene, Snapshots, TargetRoom } from "../../web/marks/scene.js";
import { labOf, sceneFor } from "../../web/page/open-lab.js";
import { boxesOf, overlaps } from "./labs-geometry.js";
import { computed, configOf } from "./labs-sessions.js";

type Config = ConfigOf<"losses">;

const rooms = [
  { width: 1312, height: 609, layout: "wide" },
  { width: 1232, height: 542, layout: "wide" },
  { width: 772, height: 700, layout: "two" },
  { width: 358, height: 700, layout: "narrow" },
] as const;

const stage = (config: Config, snapshots: Snapshots, more: Partial<TargetRoom> = {}): Scene =>
  sceneFor(config, snapshots, {
    ...rooms[0],
    step: 2,
    cell: labOf(config).opening(config, snapshots),
    words: wordsIn("en"),
    ...more,
  });

const withLogit = (logit: number): Config =>
  configOf<"losses">("label-smoothing", {
    logits: [
      [logit, 1, 0.1],
      [0.5, 2.5, 0.3],
    ],
  });

/** A length along an axis, from two points of a curve whose numbers are known. */
function axisOf(one: [value: number, at: number], two: [value: number, at: number]) {
  return (value: number): number => one[1] + ((value - one[0]) * (two[1] - one[1])) / (two[0] - one[0]);
}

function plotOf(scene: Scene, snapshots: Snapshots) {
  const curve = (name: string): Curve | undefined =>
    scene.curves.find(({ id }) => id === `confidence-${name}`);
  const { points } = curve("line")!;
  const [swept, losses] = [snapshots.get("swept")!.data, snapshots.get("swept_loss")!.data];
  return {
    curve,
    x: axisOf([swept[0]!, points[0]![0]], [swept[48]!, points[48]![0]]),
    y: axisOf([losses[0]!, points[0]![1]], [losses[48]!, points[48]![1]]),
  };
}

const near = ([x, y]: readonly [number, number]): unknown[] => [expect.closeTo(x, 6), expect.closeTo(y, 6)];

describe("the probabilities under the axis", () => {
  // numpy: softmax of each row with the logit of its right class at log(sum(exp(others))) - 2 + k/4, for k = 0, 8, 24, 48; and
  // log(sum(exp(others))) + log(p / (1 - p)) for p = 0.25, 0.5, 0.75, 0.99, 0.999, 0.9999.
  const p = [0.11920292202211753, 0.5, 0.9820137900379085, 0.9999546021312976];
  const marks = [
    [
      0.2425415860639779, 1.3411538747320877, 2.439766163400197, 5.936273724866677, 8.24790865338064,
      10.551394241708048,
    ],
    [
      -0.00047341928651789544, 1.0981388693815919, 2.1967511580497012, 5.693258719516181, 8.004893648030144,
      10.30837923635755,
    ],
  ];

  test("are those of NumPy", () => {
    const { snapshots } = computed(configOf<"losses">("label-smoothing"));
    for (const row of [0, 1]) {
      for (const [at, k] of [0, 8, 24, 48].entries())
        expect(snapshots.get("swept_p")!.data[49 * row + k]).toBeCloseTo(p[at]!, 14);
      for (const [at, logit] of marks[row]!.entries())
        expect(snapshots.get("marked_logits")!.data[6 * row + at]).toBeCloseTo(logit, 10);
    }
  });

  test("stand under the logits that they belong to", () => {
    const config = configOf<"losses">("label-smoothing");
    const { snapshots } = computed(config);
    for (const room of rooms) {
      const scene = stage(config, snapshots, room);
      const { x } = plotOf(scene, snapshots);
      const strip = scene.tensors.find(({ node }) => node === "swept_p")!;
      for (const [at, logit] of snapshots.get("swept")!.data.subarray(0, 49).entries())
        expect(strip.x + (at + 0.5) * strip.cellWidth).toBeCloseTo(x(logit), 6);
    }
  });
});

for (const logit of [-0.6, -0.4, 0, 2, 3.5, 3.98, 4.5, 6, 9, 11.3])
  test(`at logit ${logit} the line, the dots, the rings, the tangent and the texts are those of the numbers`, () => {
    const config = withLogit(logit);
    const { snapshots } = computed(config);
    const value = (node: string, at = 0): number => snapshots.get(node)!.data[at]!;
    for (const room of rooms)
      for (const [chosen, after] of ["", "_all", "_others"].entries()) {
        const cell = { node: `loss${after}`, index: [0] };
        const scene = stage(config, snapshots, { ...room, cell });
        const { curve, x, y } = plotOf(scene, snapshots);
        expect(curve("present")!.points.map(([at]) => at)).toEqual(
          [0, 0].map(() => expect.closeTo(x(logit), 6)),
        );
        const [rail] = scene.rails!;
        const [start, end] = rail!.ends;
        expect(rail).toMatchObject({ value: logit, changes: { node: "logits", index: [0, 0] } });
        expect(rail!.marks.map(({ value: mark }) => mark)).toEqual(
          ["_others", "_all"].map((each) => expect.closeTo(value(`best${each}`), 2)),
        );
        expect([rail!.from[0], rail!.to[0]]).toEqual(near([x(start), x(end)]));
        expect([start <= logit, end >= logit]).toEqual([true, true]);
        for (const each of ["", "_all", "_others"]) {
          expect(curve(`now${each}`)!.points).toEqual([near([x(logit), y(value(`loss${each}`))])]);
          expect(curve(`line${each}`)!.strong).toBe(each === after ? true : undefined);
        }
        for (const each of ["_all", "_others"]) {
          const least = near([x(value(`best${each}`)), y(value(`least${each}`))]);
          expect(curve(`best${each}`)!.points).toEqual([least]);
          const [floor] = curve(`floor${each}`)!.points;
          expect(floor![1]).toBeCloseTo(y(value(`entropy${each}`)), 6);
          // The entropy of the target is below it: with one logit alone the other classes do not reach their shares.
          expect(value(`least${each}`)).toBeGreaterThan(value(`entropy${each}`));
        }
        const slope = value(`off${after}`);
        const [from, to] = curve("tangent")!.points as [[number, number], [number, number]];
        const units = (axis: typeof x): number => axis(1) - axis(0);
        if (from[0] !== to[0])
          expect((to[1] - from[1]) / units(y) / ((to[0] - from[0]) / units(x))).toBeCloseTo(slope, 9);
        const texts = scene.labels.map(({ text }) => text);
        expect(texts).toContain((slope > 0 ? "+" : "") + formatNote(slope));
        expect(texts).toContain(`= p − y = ${formatNote(value("p"))} − ${formatNote(value(`y${after}`))}`);
        const share = scene.labels.find(
          ({ text, role }) => text === formatNote(value("p")) && role === "attention",
        );
        if (share) expect(share.x).toBeCloseTo(x(logit), 6);
        // Descent moves the logit against the slope.
        const [tail, head] = curve("descent")?.points ?? [];
        if (tail && head) expect(Math.sign(head[0] - tail[0])).toBe(-Math.sign(slope));
        else expect(Math.abs(slope)).toBeLessThan(0.0005);
        expect(scene.arrangement).toBe(`chart,0,${chosen}`);
      }
  });

test("the slope is the gradient of the row's loss: a small step of the logit changes the loss by it", () => {
  const [one, two] = [1.999, 2.001].map((logit) => computed(withLogit(logit)).snapshots);
  const { snapshots } = computed(withLogit(2));
  for (const after of ["", "_all", "_others"]) {
    const change = two!.get(`loss${after}`)!.data[0]! - one!.get(`loss${after}`)!.data[0]!;
    expect(change / 0.002).toBeCloseTo(snapshots.get(`off${after}`)!.data[0]!, 6);
  }
});

test("a row or a target that is pointed at is shown, and stays while the target says nothing of it", () => {
  const config = configOf<"losses">("sure-and-wrong");
  const at = (arrangement: string | null, node: string, ...index: number[]): string =>
    labOf(config).arrange(config, {
      ...rooms[0],
      step: 0,
      words: wordsIn("en"),
      arrangement,
      cell: { node, index },
    });
  expect(at(null, "logits", 2, 1)).toBe("chart,2,1");
  expect(at("chart,2,1", "loss_others", 2)).toBe("chart,2,2");
  expect(at("chart,2,2", "loss_mean", 0)).toBe("chart,2,0");
  expect(at("chart,2,2", "p", 1, 0)).toBe("chart,1,2");
  expect(at("nothing,7,7", "p", 1, 0)).toBe("chart,1,1");
});

test("up to eight rows of sixteen classes stand without overlaps, and the stage holds every cell of them", () => {
  for (const [rows, count] of [
    [1, 2],
    [3, 5],
    [8, 16],
  ] as const) {
    const classes = Array.from({ length: count }, (_, at) => `class${at}`);
    const targets = Array.from({ length: rows }, (_, at) => at % count);
    for (const smoothing of [0, 0.1, 0.9]) {
      const config = configOf<"losses">("label-smoothing", { classes, targets, logits: null, smoothing });
      const { snapshots } = computed(config);
      const steps = labOf(config).steps(config, wordsIn("en"), snapshots);
      for (const room of rooms)
        for (const [step, { nodes }] of steps.entries()) {
          const cell = { node: step === 0 ? "p" : nodes[0]!, index: [rows - 1, count - 1] };
          const scene = stage(config, snapshots, { ...room, step, cell });
          expect(overlaps(boxesOf(scene, snapshots))).toEqual([]);
          expect(scene.curves.flatMap(({ points }) => points.flat()).every(Number.isFinite)).toBe(true);
          for (const node of nodes.filter((one) =>
            /^(logits|p|surprise|(y|loss|entropy|kl)(_all|_others)?)$/.test(one),
          )) {
            const index = snapshots.get(node)!.shape.map((_, axis) => (axis === 0 ? rows - 1 : 0));
            expect([room.layout, node, showsCell(scene, snapshots, { node, index })]).toEqual([
              room.layout,
              node,
              true,
            ]);
          }
        }
    }
  }
});
