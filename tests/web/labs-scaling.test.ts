// The scaling lab: a row of any width has the numbers of NumPy, and the picture shows the numbers of the core.
import { describe, expect, test } from "vitest";
import type { ConfigOf, NumbersOf } from "../../web/config/config.js";
import { rowNearest, WIDTHS, widthsOf } from "../../web/config/labs/scaling.js";
import { MIDDLE_BINS, BINS } from "../../web/labs/scaling/build.js";
import { boardsOf, boardAt, rectangleOf, type Board } from "../../web/marks/board.js";
import { drawingOf } from "../../web/marks/board-drawing.js";
import { markNear, pointAt } from "../../web/marks/rail.js";
import type { Scene, Snapshots, TargetRoom } from "../../web/marks/scene.js";
import { sceneFor } from "../../web/page/open-lab.js";
import type { Cell } from "../../web/telling/largest.js";
import { palette } from "./tokens.js";
import { computed, configOf, labOf } from "./labs-sessions.js";
import { wordsIn } from "../../web/i18n/words.js";

const configWith = (numbers: Partial<NumbersOf["scaling"]> = {}): ConfigOf<"scaling"> =>
  configOf<"scaling">("seven-widths", numbers);

const rooms = {
  wide: { width: 1312, height: 640, layout: "wide" },
  two: { width: 772, height: 800, layout: "two" },
  narrow: { width: 358, height: 600, layout: "narrow" },
} as const;

function sceneOf(
  config: ConfigOf<"scaling">,
  snapshots: Snapshots,
  at: Cell,
  layout: keyof typeof rooms = "wide",
  step = 2,
): Scene {
  const room: TargetRoom = { ...rooms[layout], step, cell: at, words: wordsIn("en") };
  return sceneFor(config, snapshots, room);
}

const numbersOf = (snapshots: Snapshots, node: string): number[] => [...snapshots.get(node)!.data];
const rowOf = (snapshots: Snapshots, node: string, row: number, query = 0): number[] => {
  const { shape, data } = snapshots.get(node)!;
  const [, , queries, keys] = shape as [number, number, number, number];
  const start = (row * queries + query) * keys;
  return [...data.slice(start, start + keys)];
};
const boardOf = (scene: Scene, snapshots: Snapshots, id: string): Board =>
  boardsOf(scene, snapshots).find((board) => board.id === id)!;
const close = (got: readonly number[], expected: readonly number[]): void => {
  expect(got.length).toBe(expected.length);
  got.forEach((value, at) => expect(value).toBeCloseTo(expected[at]!, 12));
};

describe("a row of another width", () => {
  // NumPy 1.24.2: r = numpy.random.RandomState(553); Q = r.randn(200, 128); K = r.randn(8, 128); s = Q[:, :23] @ K[:, :23].T; the bins are
  // numpy.histogram(s, (numpy.arange(42) - 20.5) * 0.8)[0] / 1600.
  const expected = {
    "": {
      variance: 24.826173218902166,
      deviation: 4.9825870006355295,
      entropy: 0.5369059481048799,
      jacobian: 0.2840693132960479,
      weights: [
        3.400496409324199e-6, 0.005213585862416423, 0.000764821665691602, 0.000826877691721092,
        0.009388094274859505, 0.9835856842996304, 0.00021506258583972994, 2.473123431718473e-6,
      ],
      bins: [0.05875, 0.065625, 0.07, 0.05875, 0.065625],
      outside: [0.000625, 0.000625],
    },
    _scaled: {
      variance: 1.0793988356044424,
      deviation: 1.0389412089259153,
      entropy: 1.701229119943935,
      jacobian: 0.7603350641501422,
      weights: [
        0.029286382585636487, 0.13517863028700966, 0.09059314938502937, 0.09207888550049016,
        0.15281681842771594, 0.40310596086091544, 0.06953522939591095, 0.02740494355729194,
      ],
      bins: [0.108125, 0.226875, 0.305625, 0.21875, 0.086875],
      outside: [0, 0],
    },
  };

  test.each(Object.entries(expected))("has NumPy's numbers: dₖ = 23%s", (after, numpy) => {
    const { snapshots } = computed(configWith({ width: 23 }));
    for (const measure of ["variance", "deviation", "entropy", "jacobian"] as const)
      expect(numbersOf(snapshots, measure + after)[4]).toBeCloseTo(numpy[measure], 12);
    close(rowOf(snapshots, `weights${after}`, 4), numpy.weights);
    close(numbersOf(snapshots, `shares${after}`).slice(4 * BINS + 18, 4 * BINS + 23), numpy.bins);
    const [below, inside, above] = numbersOf(snapshots, `outer_shares${after}`).slice(12, 15);
    close([below!, above!], numpy.outside);
    expect(inside).toBeCloseTo(1 - numpy.outside[0]! - numpy.outside[1]!, 12);
  });

  test("NumPy also counts the scores outside the frame at dₖ = 128", () => {
    const { snapshots } = computed(configWith());
    close(numbersOf(snapshots, "outer_shares").slice(18), [0.080625, 0.849375, 0.07]);
  });

  test("the others stay as they are", () => {
    const [seven, other] = [configWith(), configWith({ width: 23 })].map(
      (config) => computed(config).snapshots,
    );
    for (const node of ["variance", "variance_scaled", "entropy", "jacobian_scaled"])
      for (const row of [0, 1, 2, 3, 5, 6])
        expect(numbersOf(other!, node)[row]).toBe(numbersOf(seven!, node)[row]);
  });

  test("it takes the place of the row with the nearest width", () => {
    expect(widthsOf({})).toEqual(WIDTHS);
    expect(widthsOf({ width: 23 })).toEqual([2, 4, 8, 16, 23, 64, 128]);
    expect([2, 3, 22, 23, 90, 91, 128].map(rowNearest)).toEqual([0, 1, 3, 4, 5, 6, 6]);
    for (let width = 2; width <= 128; width += 1) expect(new Set(widthsOf({ width })).size).toBe(7);
  });

  test("the width is a setting from 2 to 128, and the stops of Play explain its row", () => {
    const { change } = labOf(configWith());
    const words = wordsIn("en");
    const { numbers } = configWith();
    const wider = change(numbers, "width", "23", words) as NumbersOf["scaling"];
    expect(wider).toEqual({ ...numbers, width: 23 });
    expect(change(wider, "width", "64", words)).toEqual({ ...numbers, width: 64 });
    expect(change(numbers, "width", "1", words)).toHaveProperty("refused");
    const { steps } = labOf(configWith());
    const cells = steps(configWith({ width: 64 }), words, computed(configWith()).snapshots).map(
      ({ cell }) => cell,
    );
    expect(cells.map(({ index }) => index[0])).toEqual([5, 5, 5, 5]);
  });
});

describe("the picture", () => {
  const config = configWith();
  const { snapshots } = computed(config);
  const target = { node: "weights", index: [6, 0, 0, 0] };

  test.each(["", "_scaled"])(
    "a bar is as high as its share, in one scale; its fill is its score%s",
    (after) => {
      for (const layout of ["wide", "two", "narrow"] as const) {
        const scene = sceneOf(config, snapshots, target, layout);
        const board = boardOf(scene, snapshots, `shares${after}`);
        const drawing = drawingOf(board, {
          palette: palette("light"),
          domain: 16,
          format: null,
          ratio: 1,
          shown: Infinity,
        });
        const first = after && layout === "wide" ? (BINS - MIDDLE_BINS) / 2 : 0;
        expect(board.columns).toBe(BINS - 2 * first);
        const shares = numbersOf(snapshots, `shares${after}`);
        const high = rectangleOf(board, { top: 0, bottom: 0, left: 0, right: 0 }).height;
        for (const [row, column] of [
          [0, 7],
          [3, 5],
          [6, 0],
        ] as const) {
          const box = drawing.box!(row, column);
          expect(box.height).toBeCloseTo((high * shares[row * BINS + first + column]!) / 0.45, 9);
          expect(board.y + box.y + box.height).toBeCloseTo(
            rectangleOf(board, { top: row, bottom: row, left: 0, right: 0 }).y + high,
            9,
          );
          expect(drawing.filled!(row, column)).toBe(numbersOf(snapshots, "centres")[first + column]);
        }
      }
    },
  );

  test("both halves have one scale of scores", () => {
    for (const layout of ["wide", "two", "narrow"] as const) {
      const scene = sceneOf(config, snapshots, target, layout);
      const [left, right] = ["shares", "shares_scaled"].map((id) => boardOf(scene, snapshots, id));
      expect(left!.cellWidth).toBe(right!.cellWidth);
      expect(left!.cellHeight).toBe(right!.cellHeight);
    }
  });

  test("a part of a bar is as wide as its weight, and pointing at it finds its cell", () => {
    for (const layout of ["wide", "two", "narrow"] as const)
      for (const id of ["weights", "weights_scaled"]) {
        const scene = sceneOf(config, snapshots, target, layout);
        const boards = boardsOf(scene, snapshots);
        const board = boards.find((one) => one.id === id)!;
        const whole = board.columns * board.cellWidth;
        for (const [row, key] of [
          [0, 3],
          [2, 4],
          [6, 0],
        ] as const) {
          const box = rectangleOf(board, { top: row, bottom: row, left: key, right: key });
          expect(box.width).toBeCloseTo(whole * rowOf(snapshots, id, row)[key]!, 9);
          const found = boardAt(boards, box.x + box.width / 2, box.y + box.height / 2, 0);
          expect([found?.board.id, found?.place]).toEqual([id, [row, key]]);
        }
      }
  });

  test("a dot stands at its score, or at the edge if that is outside; the largest weight has the large dot", () => {
    const scene = sceneOf(config, snapshots, target);
    for (const [id, node] of [
      ["shares", "scores"],
      ["shares_scaled", "scaled"],
    ] as const) {
      const board = boardOf(scene, snapshots, id);
      const scores = rowOf(snapshots, node, 6);
      const middle = board.x + (board.columns * board.cellWidth) / 2;
      const dots = scene.curves.filter(({ cells }) => cells?.[0]?.node === node);
      expect(dots.map(({ cells }) => cells![0]!.index[3]).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      for (const { cells, points, dots: kind } of dots) {
        const score = scores[cells![0]!.index[3]!]!;
        const edge = board.x + board.columns * board.cellWidth;
        expect(points[0]![0]).toBeCloseTo(Math.min(edge, middle + (score / 0.8) * board.cellWidth), 9);
        expect(kind).toBe(cells![0]!.index[3] === 0 ? "large" : "open");
      }
    }
  });

  test("the handle stands at the width of the row in use, and its marks lead to the largest weight of each row", () => {
    const other = configWith({ width: 23 });
    const { snapshots } = computed(other);
    const scene = sceneOf(other, snapshots, { node: "entropy", index: [4] });
    const [rail] = scene.rails!;
    expect(rail).toMatchObject({ value: 23, changes: { control: "width" }, ends: [2, 128] });
    expect(markNear(rail!, 23)!.cell).toEqual({ node: "weights", index: [4, 0, 0, 5] });
    expect(markNear(rail!, 2)!.cell!.index.slice(0, 3)).toEqual([0, 0, 0]);
    expect(pointAt(rail!, 64)[1] - pointAt(rail!, 32)[1]).toBeCloseTo(
      boardOf(scene, snapshots, "weights").cellHeight,
      9,
    );
    const right = sceneOf(other, snapshots, { node: "scaled", index: [4, 0, 0, 5] }).rails![0]!;
    expect(markNear(right, 23)!.cell!.node).toBe("weights_scaled");
  });

  test("a target without a width keeps the row in use", () => {
    const kept = labOf(config).arrange(config, {
      ...rooms.wide,
      step: 0,
      words: wordsIn("en"),
      cell: { node: "entropy_scaled", index: [2] },
    });
    const next = labOf(config).arrange(config, {
      ...rooms.wide,
      step: 0,
      words: wordsIn("en"),
      cell: { node: "centres", index: [2] },
      arrangement: kept,
    });
    expect(next).toBe(kept);
    // A link may hold the arrangement of an earlier picture.
    const old = labOf(config).arrange(config, {
      ...rooms.wide,
      step: 0,
      words: wordsIn("en"),
      cell: null,
      arrangement: "entropy,2",
    });
    expect(old).toBe("rows,6,0");
  });

  test("scores outside the frame are counted at its ends", () => {
    const texts = sceneOf(config, snapshots, target).labels.map(({ text }) => text);
    expect(texts.filter((text) => text.includes("%"))).toEqual(["‹ 2%", "2% ›", "‹ 8%", "7% ›"]);
    expect(texts).toContain("27.596 →");
    expect(texts).toContain("2.439");
  });
});
