// The stages of the labs: everything fits one screen, nothing overlaps, and every tensor is a node of the graph.
import { sceneFor, stripFor } from "../../web/page/open-lab.js";
import { describe, expect, test } from "vitest";
import type { Config, ConfigOf, LabId, VitNumbers } from "../../web/config/config.js";
import { parameterCount as blockParameters } from "../../web/config/labs/block.js";
import { parameterCount } from "../../web/config/labs/vit.js";
import { wordsIn, type Language } from "../../web/i18n/words.js";
import type { Lab } from "../../web/telling/lab.js";
import { boardsOf, showsCell, type Cell } from "../../web/marks/board.js";
import { examples } from "../../web/examples/index.js";
import { bracketPaths, captionPlace, placedColumnNames } from "../../web/marks/matrix-lines.js";
import { textWidth } from "../../web/marks/measure.js";
import type { TargetRoom, Snapshots } from "../../web/marks/scene.js";
import { boxesOf, outside, overlaps } from "./labs-geometry.js";
import { computed, configOf, givenBert, givenTranslator, labOf, labs, sessionOf } from "./labs-sessions.js";

const languages: Language[] = ["en", "zh-CN"];
const wordsOfModel = (count: number): string[] => [
  "<begin>",
  ...Array.from({ length: count - 1 }, (_, at) => `word${at}`),
];
const longestTranslator = givenTranslator({
  vocabulary: wordsOfModel(128),
  tokens: wordsOfModel(17).slice(1),
  steps: 24,
  ...{ dim: 48, heads: 3, layers: 2, hidden: 3, layer: 1 },
});
const sentence = "The quick brown fox jumps over the lazy dog while everybody watches".split(" ");

const rooms: Record<TargetRoom["layout"], Pick<TargetRoom, "width" | "height" | "layout">> = {
  wide: { width: 1232, height: 560, layout: "wide" },
  two: { width: 720, height: 700, layout: "two" },
  narrow: { width: 358, height: 500, layout: "narrow" },
};

function sceneOf(
  config: ConfigOf<LabId>,
  snapshots: Snapshots,
  room: Partial<TargetRoom> & Pick<TargetRoom, "width" | "height" | "layout">,
) {
  const lab = labOf(config) as unknown as Lab<LabId>;
  return sceneFor(config, snapshots, {
    step: 0,
    cell: lab.opening(config, snapshots),
    words: wordsIn("en"),
    ...room,
  });
}

describe("a stack of encoder layers", () => {
  for (const norm of ["post", "pre"] as const)
    for (const residual of [true, false])
      for (const layerNorm of [true, false])
        test(`${norm}-norm, residual ${residual}, layer norm ${layerNorm}: every layer stands on the stage without overlaps`, () => {
          for (const dropout of [0, 0.3])
            for (const layer of [0, 1, 2]) {
              const numbers = { norm, residual, layerNorm, dropout, layer, layers: 3 };
              const config = configOf<"block">("one-block", numbers);
              const { snapshots } = computed(config);
              for (const language of languages) {
                const words = wordsIn(language);
                const steps = labOf(config).steps(config, words, snapshots);
                for (const room of Object.values(rooms))
                  steps.forEach(({ cell }, step) => {
                    const scene = sceneOf(config, snapshots, { ...room, step, cell, words });
                    expect(overlaps(boxesOf(scene, snapshots))).toEqual([]);
                    expect(scene.tensors.length).toBeGreaterThan(0);
                    if (!scene.arrangement?.startsWith("band") || room.layout === "narrow") return;
                    // An output has the columns of the sum that it is added in, and a handle chooses the layer.
                    const prefix = layer > 0 ? `layers.${layer}.` : "";
                    const outputs = dropout ? ["dropout1", "dropout2"] : ["self_attn.output", "linear2"];
                    for (const [at, output] of residual ? outputs.entries() : []) {
                      const [above, below] = [output, `residual${at + 1}`].map((name) => {
                        const tensor = scene.tensors.find(({ id }) => id === prefix + name)!;
                        return [tensor.x, tensor.cellWidth];
                      });
                      expect(above).toEqual(below);
                    }
                    const [rail] = scene.rails ?? [];
                    expect([rail?.changes, rail?.value, rail?.ends]).toEqual([
                      { control: "layer" },
                      layer,
                      [0, 2],
                    ]);
                  });
              }
            }
        });
});

test("words that look back, and words without positions or with learned ones, stand without overlaps", () => {
  const vocabulary = ["the", "cat", "sat", "on", "mat"];
  for (const causal of [true, false])
    for (const other of [{ positions: 0 }, { positions: 7, vocabulary }, {}])
      for (const layers of [1, 2]) {
        const drawn = configOf<"block">("one-block", { causal, layers, ...other });
        const count = blockParameters(drawn.numbers);
        const parameters = [Array.from({ length: count }, (_, at) => Math.sin(at))];
        const config = drawn.numbers.vocabulary
          ? configOf<"block">("one-block", { ...drawn.numbers, parameters })
          : drawn;
        const { snapshots } = computed(config);
        for (const language of languages) {
          const words = wordsIn(language);
          const steps = labOf(config).steps(config, words, snapshots);
          for (const room of Object.values(rooms))
            for (const [step, { cell }] of steps.entries()) {
              const scene = sceneOf(config, snapshots, { ...room, step, cell, words });
              expect(overlaps(boxesOf(scene, snapshots))).toEqual([]);
              expect(scene.tensors.length).toBeGreaterThan(0);
            }
        }
      }
});

describe("the residual connection", () => {
  for (const norm of ["post", "pre"] as const)
    for (const layout of ["wide", "two"] as const)
      test(`${norm}-norm, ${layout}: an arrow with its name goes along the band to each sum, from the tensor before it`, () => {
        const config = configOf<"block">("one-block", { norm });
        const { snapshots } = computed(config);
        const { curves, labels, tensors } = sceneOf(config, snapshots, rooms[layout]);
        const names = labels.filter(({ text }) => text === "residual");
        for (const [at, node] of ["residual1", "residual2"].entries()) {
          const sum = tensors.find(({ id }) => id === node)!;
          const arrow = curves.find(({ id }) => id === `arrow-residual-${at}`);
          const begins = tensors.every(({ x, y: top }) => top !== sum.y || x >= sum.x);
          // At the beginning of a line the names of the rows are there.
          expect(arrow === undefined).toBe(begins);
          if (!arrow) continue;
          const [[left, y], [right]] = arrow.points as [[number, number], [number, number]];
          expect(right).toBeCloseTo(sum.x - 8);
          expect(y).toBeGreaterThanOrEqual(sum.y);
          expect(y).toBeLessThanOrEqual(sum.y + 6 * sum.cellHeight);
          // It crosses no tensor on the band.
          for (const { x, y: top, cellWidth } of tensors)
            if (top === sum.y) expect(x + 4 * cellWidth < left || x > right).toBe(true);
          const middle = (left + right) / 2;
          expect(names.filter((name) => Math.abs(name.x - middle) < 1 && name.y === y - 6)).toHaveLength(1);
        }
      });

  test("without it there is no arrow", () => {
    const config = configOf<"block">("one-block", { residual: false });
    const { snapshots } = computed(config);
    const { curves, labels } = sceneOf(config, snapshots, rooms.wide);
    expect(curves.filter(({ id }) => id.startsWith("arrow-on-"))).toHaveLength(2);
    expect(curves.filter(({ id }) => id.startsWith("arrow-residual"))).toEqual([]);
    expect(labels.filter(({ text }) => text === "residual")).toEqual([]);
  });
});

describe("the picture of the block", () => {
  const config = configOf<"block">("one-block");
  const { snapshots } = computed(config);
  const target = { node: "norm2", index: [4, 1] };

  test("the deviations of the target's row have their numbers, the first its name, and all rows have dots", () => {
    const { curves, labels } = sceneOf(config, snapshots, { ...rooms.wide, cell: target });
    const own = labels.filter(({ role, kind }) => role === "output" && kind === "heading");
    expect(own.map(({ text }) => text)).toEqual(["the (2) 0.961", "0.993", "1.000", "1.291", "1.000"]);
    const dots = curves.filter(({ id }) => id.startsWith("place-")).flatMap(({ cells }) => cells);
    expect(dots).toHaveLength(6 * 5);
  });

  test("a residual connection is as long as its name, which leaves the note more room in Chinese", () => {
    const widths = languages.map((language) => {
      const { note, tensors } = sceneOf(config, snapshots, {
        ...rooms.wide,
        cell: target,
        words: wordsIn(language),
      });
      expect(tensors.find(({ id }) => id === "x")!.cellWidth).toBe(42);
      return note!.width;
    });
    expect(widths[0]).toBeGreaterThanOrEqual(284);
    expect(widths[1]).toBeGreaterThanOrEqual(308);
  });
});

describe("attention", () => {
  const variants = [
    {},
    { mask: "causal" as const },
    { scale: false },
    { mask: "causal" as const, scale: false },
  ];

  for (const count of [1, 2, 3, 4, 5, 6, 8, 10, 12]) {
    test(`${count} words stand on one screen of 1280 by 800, in both languages`, () => {
      for (const variant of variants) {
        const dim = Math.min(4, count + 1);
        const config = configOf<"attention">("cat-on-the-mat", {
          tokens: sentence.slice(0, count),
          dim,
          keyDim: dim,
          valueDim: dim,
          ...variant,
        });
        const { snapshots } = computed(config);
        for (const language of languages) {
          const scene = sceneOf(config, snapshots, { ...rooms.wide, words: wordsIn(language) });
          const boxes = boxesOf(scene, snapshots);
          expect(scene.width).toBe(rooms.wide.width);
          expect(scene.height).toBeLessThanOrEqual(rooms.wide.height);
          expect(outside(boxes, scene.width, scene.height)).toEqual([]);
          expect(overlaps(boxes)).toEqual([]);
          expect(scene.note).not.toBeNull();
          const { x, y, width } = scene.note!;
          expect(width).toBeGreaterThanOrEqual(280);
          expect(
            overlaps([
              ...boxes.filter(({ name }) => !name.startsWith("legend")),
              { name: "note", left: x, top: y, right: x + width, bottom: y + 185 },
            ]),
          ).toEqual([]);
        }
      }
    });
  }

  test("a memory has a tier of its own, and nothing overlaps", () => {
    for (const memory of [["eins"], ["我", "喜欢", "extraordinarily", "猫"], sentence.slice(0, 7)]) {
      const config = configOf<"attention">("four-words", { memory, mask: "causal" });
      const { snapshots } = computed(config);
      for (const layout of ["wide", "two"] as const) {
        const scene = sceneOf(config, snapshots, rooms[layout]);
        const boxes = boxesOf(scene, snapshots);
        expect(overlaps(boxes)).toEqual([]);
        expect(outside(boxes, scene.width, scene.height)).toEqual([]);
      }
      const scene = sceneOf(config, snapshots, rooms.wide);
      const at = (id: string) => scene.tensors.find((tensor) => tensor.id === id)!;
      expect(at("K").y).toBe(at("M").y);
      expect(at("Q").y).toBe(at("X").y);
      expect(at("M").y).toBeLessThan(at("X").y);
    }
  });

  test("a word has the same height from X to the output, and the right factor stands above the product", () => {
    const config = configOf<"attention">("four-words");
    const { snapshots } = computed(config);
    const scene = sceneOf(config, snapshots, rooms.wide);
    const at = (id: string) => scene.tensors.find((tensor) => tensor.id === id)!;
    for (const id of ["Q", "K", "V", "scores", "scaled", "weights", "output"])
      expect([id, at(id).y, at(id).cellHeight]).toEqual([id, at("X").y, at("X").cellHeight]);
    for (const [above, below] of [
      ["W_Q", "Q"],
      ["W_K", "K"],
      ["W_V", "V"],
      ["K_T", "scores"],
      ["V_above", "output"],
    ] as const) {
      expect([at(above).x, at(above).cellWidth]).toEqual([at(below).x, at(below).cellWidth]);
      expect(at(above).y).toBeLessThan(at(below).y);
    }
    expect(scene.wires.map(({ from, to }) => `${from}-${to}`)).toEqual(["K-K_T", "V-V_above"]);
    expect(scene.operators.map(({ over, under }) => over + (under ?? ""))).toEqual(["÷√3", "softmax"]);
  });

  test("nothing moves when scaling is switched off: its column is left empty", () => {
    for (const layout of ["wide", "two"] as const) {
      const placesOf = (scale: boolean) => {
        const config = configOf<"attention">("four-words", { scale });
        const { snapshots } = computed(config);
        const { tensors, note } = sceneOf(config, snapshots, rooms[layout]);
        const places = tensors
          .filter(({ id }) => id !== "scaled")
          .map(({ id, x, y, cellWidth }) => [id, x, y, cellWidth]);
        return [places, note];
      };
      expect(placesOf(false)).toEqual(placesOf(true));
    }
  });

  test("without scaling there is no scaled column; a mask opens one between scaled and weights", () => {
    const columns = (numbers: Parameters<typeof configOf<"attention">>[1]) => {
      const config = configOf<"attention">("four-words", numbers);
      const { snapshots } = computed(config);
      const scene = sceneOf(config, snapshots, rooms.wide);
      return scene.tensors
        .filter(({ id }) => ["scores", "scaled", "masked", "weights"].includes(id))
        .sort((a, b) => a.x - b.x)
        .map(({ id }) => id);
    };
    expect(columns({})).toEqual(["scores", "scaled", "weights"]);
    expect(columns({ scale: false })).toEqual(["scores", "weights"]);
    expect(columns({ mask: "causal" })).toEqual(["scores", "scaled", "masked", "weights"]);
    expect(columns({ mask: "causal", scale: false })).toEqual(["scores", "masked", "weights"]);
  });

  for (const count of [1, 2, 4, 6, 9, 12]) {
    test(`${count} words never overflow a phone`, () => {
      const config = configOf<"attention">("cat-on-the-mat", {
        tokens: sentence.slice(0, count),
        mask: "causal",
      });
      const { snapshots } = computed(config);
      const lab = labOf(config);
      lab.steps(config, wordsIn("en"), snapshots).forEach((stop, step) => {
        for (const language of languages) {
          const room: TargetRoom = { ...rooms.narrow, step, cell: stop.cell, words: wordsIn(language) };
          const scene = sceneFor(config, snapshots, room);
          const boxes = boxesOf(scene, snapshots);
          expect(scene.width).toBe(rooms.narrow.width);
          expect(outside(boxes, scene.width, scene.height)).toEqual([]);
          expect(overlaps(boxes)).toEqual([]);
          const strip = stripFor(config, snapshots, room, scene)!;
          expect(outside(boxesOf(strip, snapshots), 358, strip.height)).toEqual([]);
          expect(strip.tensors.map(({ node }) => node)).toEqual([
            "X",
            "Q",
            "K",
            "V",
            "scores",
            "scaled",
            "masked",
            "weights",
            "output",
          ]);
        }
      });
    });
  }

  test("64 words still stand beside each other; the stage is wider than the room", () => {
    const tokens = Array.from({ length: 64 }, (_, place) => sentence[place % sentence.length]!);
    const config = configOf<"attention">("cat-on-the-mat", { tokens });
    const { snapshots } = computed(config);
    for (const layout of ["wide", "two", "narrow"] as const) {
      const scene = sceneOf(config, snapshots, { ...rooms[layout], step: 2 });
      const boxes = boxesOf(scene, snapshots);
      expect(overlaps(boxes)).toEqual([]);
      expect(outside(boxes, scene.width, scene.height)).toEqual([]);
      for (const { cellWidth } of scene.tensors) expect(cellWidth).toBeGreaterThanOrEqual(12);
      if (layout === "narrow") continue;
      expect(scene.width).toBeGreaterThan(rooms[layout].width);
      // If the note does not fit on the stage, it is a sheet.
      if (layout === "two") continue;
      // The note is at the top, covers nothing, and stays visible.
      const { x, y, width, follows } = scene.note!;
      expect(follows).toBe(true);
      expect(x).toBeGreaterThan(0);
      expect(x + width).toBeLessThanOrEqual(rooms[layout].width);
      const note = { name: "note", left: x, right: x + width, top: y, bottom: y + 180 };
      expect(overlaps([...boxes, note])).toEqual([]);
    }
  });

  test("the text about edits stays above the legends, in place of the name if there is no other room", () => {
    const config = configOf<"attention">("four-words");
    const { snapshots } = computed(config);
    const edited = new Map(
      [...snapshots].map(([name, snapshot]) => [
        name,
        { ...snapshot, edited: [snapshot.shape.map(() => 0)] },
      ]),
    );
    const scene = sceneOf(config, edited, rooms.wide);
    const legends = Math.min(...scene.legends.map(({ y }) => y));
    const places = boardsOf(scene, edited)
      .filter(({ tensor }) => tensor?.placed.caption === "below")
      .map((board) => captionPlace(board, wordsIn("en"))!);
    expect(places.some(({ name }) => name === "")).toBe(true);
    for (const { byHand, handY } of places) {
      expect(byHand).toBe("1 by hand");
      expect(handY + 4).toBeLessThan(legends);
    }
  });

  test("every key of 38 pieces is named, and pieces are not called words", () => {
    const tokens = Array.from({ length: 38 }, (_, place) => ["the\u2423", "s", "at\u2423"][place % 3]!);
    const config = configOf<"attention">("cat-on-the-mat", { tokens });
    const { snapshots } = computed(config);
    const scene = sceneOf(config, snapshots, rooms.wide);
    const board = boardsOf(scene, snapshots).find(({ id }) => id === "K_T")!;
    expect(placedColumnNames(board, null).map(({ text }) => text)).toEqual(tokens);
    const words = wordsIn("en");
    expect(labOf(config).sentence(config, words).controls[0]!.label).toBe("38 pieces");
    expect(labOf(config).steps(config, words, snapshots)[0]!.sentence).toContain("38 pieces, ");
    const typed = configOf<"attention">("cat-on-the-mat", { tokens: sentence });
    expect(labOf(typed).sentence(typed, words).controls[0]!.label).toBe("12 words");
  });
});

interface Case {
  id: string;
  numbers?: Record<string, unknown>;
}

/** A text of 160 words, 40 of them different. */
const manyWords = Array.from({ length: 160 }, (_, place) => `word${place % 40}`).flatMap((word, place) =>
  place % 20 === 19 && place < 159 ? [word, "."] : [word],
);

/** Settings of the image lab with given parameters, for these classes. */
function trained(classes: string[], dim: number): Partial<VitNumbers> {
  const numbers = { size: 16, patch: 8, dim, layers: 1, heads: 2, classes };
  const count = parameterCount({ ...configOf<"vit">("harbour-encoder").numbers, ...numbers });
  return { ...numbers, parameters: [Array.from({ length: count }, (_, at) => Math.sin(at))] };
}

/** The examples, and settings that they do not cover. */
const cases: Case[] = [
  { id: "ten-by-twenty-run-1" },
  { id: "two-heads" },
  { id: "two-heads", numbers: { mask: "causal" } },
  { id: "two-heads", numbers: { scale: false } },
  { id: "two-heads", numbers: { heads: 8, keyDim: 1, valueDim: 1 } },
  { id: "two-heads", numbers: { heads: 12, dim: 24, keyDim: 2, valueDim: 2 } },
  { id: "two-heads", numbers: { heads: 1, keyDim: 8, valueDim: 3 } },
  { id: "fifty-positions" },
  { id: "pe-0-and-4" },
  ...["absolute", "learned", "rotary", "shift"].map((encoding) => ({
    id: "fifty-positions",
    numbers: { encoding, dim: 16, length: 12 },
  })),
  { id: "fifty-positions", numbers: { encoding: "alibi", length: 12, heads: 8 } },
  { id: "fifty-positions", numbers: { encoding: "alibi", length: 3, heads: 3 } },
  ...["none", "compare"].flatMap((encoding) => [
    { id: "fifty-positions", numbers: { encoding } },
    { id: "fifty-positions", numbers: { encoding, tokens: ["one"], wordDim: 2 } },
    {
      id: "fifty-positions",
      numbers: { encoding, tokens: sentence.slice(0, 10), wordDim: 16, swap: [9, 3] },
    },
  ]),
  { id: "harbour" },
  { id: "face" },
  { id: "letter" },
  { id: "letter", numbers: { cls: false } },
  { id: "harbour", numbers: { patch: 32 } },
  { id: "harbour", numbers: { compare: "projection" } },
  { id: "harbour-encoder", numbers: { size: 16, patch: 4, layers: 1, heads: 8 } },
  { id: "harbour-encoder", numbers: { patch: 16, layers: 2 } },
  { id: "harbour-encoder", numbers: { patch: 16, layers: 1, dim: 32 } },
  { id: "harbour-encoder", numbers: trained(["square, bottom right", "plus", "cross"], 8) },
  {
    id: "harbour-encoder",
    numbers: trained(["长".repeat(40), "plus", "a long name in Latin letters, of a class"], 32),
  },
  {
    id: "harbour-encoder",
    numbers: trained(
      Array.from({ length: 40 }, (_, at) => `class ${at}`),
      64,
    ),
  },
  ...["label-smoothing", "sure-and-wrong", "kl-and-cross-entropy", "twelve-dropouts"].map((id) => ({ id })),
  { id: "twelve-dropouts", numbers: { draws: 1 } },
  { id: "seven-widths" },
  { id: "saturated-rows" },
  { id: "both-sides" },
  { id: "masked-drawn" },
  { id: "masked-mat", numbers: { hidden: [1, 2, 8, 10], heads: 8 } },
  { id: "masked-mat", numbers: { tokens: ["one"], second: [], hidden: [1], dim: 1, heads: 1 } },
  {
    id: "masked-mat",
    numbers: { tokens: sentence, second: sentence, hidden: [1, 12, 25], dim: 32, heads: 8, trained: 40 },
  },
  { id: "old-black-cat", numbers: longestTranslator },
  { id: "old-black-cat", numbers: { ...longestTranslator, tokens: ["word0"], steps: 1, head: 2 } },
  {
    id: "old-black-cat",
    numbers: givenTranslator({
      ...longestTranslator,
      dim: 16,
      heads: 2,
      layers: 1,
      layer: 0,
      vocabulary: wordsOfModel(33),
    }),
  },
  { id: "masked-mat", numbers: givenBert(64, { layer: 1 }) },
  { id: "masked-mat", numbers: givenBert(64, { dim: 4, heads: 1, hidden: [4] }) },
  { id: "sure-and-wrong", numbers: { topic: "divergence", smoothing: 0 } },
  { id: "small-kingdom", numbers: { dim: 8 } },
  { id: "dog-bites-man" },
  { id: "dog-bites-man", numbers: { tokens: manyWords.slice(0, 8), other: manyWords.slice(9, 17), dim: 8 } },
  { id: "dog-bites-man", numbers: { tokens: ["one"], other: ["one", "one"], dim: 2 } },
  { id: "kingdom-on-a-map" },
  { id: "kingdom-on-a-map", numbers: { method: "cbow", loss: "negative", step: 0, at: 7 } },
  { id: "kingdom-on-a-map", numbers: { text: manyWords, steps: 1, step: 1 } },
];

const caseName = (id: string, numbers: object): string => `${id} ${JSON.stringify(numbers).slice(0, 200)}`;

describe("every lab", () => {
  for (const { id, numbers = {} } of cases) {
    test(`${caseName(id, numbers)}: for every node as the target, in every layout, nothing overlaps or leaves the stage`, () => {
      const config = configOf(id, numbers as never) as ConfigOf<LabId>;
      const lab = labOf(config) as unknown as Lab<LabId>;
      const { snapshots } = computed(config);
      const steps = lab.steps(config, wordsIn("en"), snapshots);
      const targets = [
        lab.opening(config, snapshots),
        ...[...snapshots.values()].map(({ name, shape }) => ({
          node: name,
          index: shape.map((size) => size - 1),
        })),
      ];
      for (const layout of ["wide", "two", "narrow"] as const) {
        for (const cell of targets) {
          for (const step of layout === "narrow" ? steps.keys() : [0]) {
            const room = { ...rooms[layout], step, cell, words: wordsIn("zh-CN") };
            const scene = sceneFor(config, snapshots, room);
            const boxes = boxesOf(scene, snapshots);
            const where = `${layout} ${cell.node} step ${step}`;
            if (layout === "narrow") {
              const strip = stripFor(config, snapshots, room, scene);
              const shown = strip ? outside(boxesOf(strip, snapshots), strip.width, strip.height) : [];
              expect([where, ...shown]).toEqual([where]);
            }
            expect([where, ...overlaps(boxes)]).toEqual([where]);
            expect([where, ...outside(boxes, scene.width, scene.height)]).toEqual([where]);
            if (layout === "narrow") expect([where, scene.width]).toEqual([where, rooms.narrow.width]);
            for (const { points } of scene.curves)
              for (const point of points) expect(point.every(Number.isFinite)).toBe(true);
            if (scene.note) {
              const { x, y, width } = scene.note;
              const note = { name: "note", left: x, top: y, right: x + width, bottom: y + 140 };
              expect([where, ...overlaps([...boxes, note])]).toEqual([where]);
              expect([where, ...outside([note], scene.width, scene.height + 60)]).toEqual([where]);
            }
          }
        }
      }
    });
  }

  for (const { id, numbers = {} } of [...cases, { id: "four-words", numbers: { mask: "causal" } }]) {
    test(`${caseName(id, numbers)}: the target stays where it is: a scene never moves away from under the pointer`, () => {
      const config = configOf(id, numbers as never) as ConfigOf<LabId>;
      const lab = labOf(config) as unknown as Lab<LabId>;
      const { snapshots } = computed(config);
      const session = sessionOf(config);
      session.compute(config as Config);
      const opening = lab.opening(config, snapshots);
      const { uses } = session.explain(opening.node, opening.index);
      session.delete();
      const steps = lab.steps(config, wordsIn("en"), snapshots);
      const stepOf = (node: string) =>
        Math.max(
          0,
          steps.findIndex(({ nodes }) => nodes.includes(node)),
        );
      const starts = [
        opening,
        ...steps.map(({ cell }) => cell),
        ...uses.map(({ node, from }) => ({ node, index: from })),
      ];
      for (const layout of ["wide", "two", "narrow"] as const) {
        for (const start of starts) {
          const room = { ...rooms[layout], words: wordsIn("en") };
          const before = sceneFor(config, snapshots, { ...room, step: stepOf(start.node), cell: start });
          const pointed = (cell: { node: string; index: number[] }) =>
            sceneFor(config, snapshots, {
              ...room,
              step: stepOf(cell.node),
              cell,
              arrangement: before.arrangement ?? null,
            });
          // One scene for each target cell, however many tensors show that cell.
          const scenes = new Map<string, ReturnType<typeof pointed>>();
          for (const { id: tensor, node, at, x, y, cellWidth, cellHeight } of before.tensors) {
            const { shape } = snapshots.get(node)!;
            const cells = [false, true].map((last) =>
              shape.map((size, axis) => at[axis] ?? (last ? size - 1 : 0)),
            );
            for (const index of cells) {
              const key = `${node} ${index.join()}`;
              const scene = scenes.get(key) ?? pointed({ node, index });
              scenes.set(key, scene);
              const now = scene.tensors.find((one) => one.id === tensor);
              const where = [layout, start.node, tensor, node];
              // A single row stays on the stage while one of its cells is the target.
              const row = at.filter((place) => place === null).length === 1;
              const place = [now?.node, now?.x, now?.y, now?.cellWidth, now?.cellHeight, row && now?.at];
              expect([...where, ...place]).toEqual([...where, node, x, y, cellWidth, cellHeight, row && at]);
            }
          }
          for (const image of before.images.filter(({ only }) => only === undefined)) {
            const now = pointed(image.cells[0]!).images.find((one) => one.id === image.id);
            expect([layout, image.id, now?.x, now?.y, now?.size]).toEqual([
              layout,
              image.id,
              image.x,
              image.y,
              image.size,
            ]);
          }
        }
      }
    });
  }

  test("every colour scale has a text that names its tensors", () => {
    for (const { id, numbers = {} } of [...cases, { id: "four-words", numbers: { mask: "causal" } }]) {
      const config = configOf(id, numbers as never) as ConfigOf<LabId>;
      const { snapshots } = computed(config);
      for (const language of languages) {
        const { legends } = sceneOf(config, snapshots, { ...rooms.wide, words: wordsIn(language) });
        expect([id, language, legends.filter(({ text }) => text === "")]).toEqual([id, language, []]);
      }
    }
  });

  test("a head's map is square and stands in the middle over its output", () => {
    for (const id of ["ten-by-twenty-run-1", "two-heads", "one-word-two-looks"])
      for (const room of Object.values(rooms)) {
        const config = configOf<"multi-head">(id);
        const { snapshots } = computed(config);
        const { tensors } = sceneOf(config, snapshots, { ...room, step: 2 });
        for (let head = 0; head < config.numbers.heads; head += 1) {
          const [map, output] = ["map", "heads"].map((row) => {
            const tensor = tensors.find((one) => one.id === `${row}-${head}`);
            if (!tensor) return null;
            const width = snapshots.get(tensor.node)!.shape.at(-1)! * tensor.cellWidth;
            return { ...tensor, middle: tensor.x + width / 2 };
          });
          expect(map!.cellHeight).toBeCloseTo(map!.cellWidth, 6);
          // A phone shows the outputs at another stop.
          if (output) expect(output.middle).toBeCloseTo(map!.middle, 6);
        }
      }
  });

  test("the first screen of each lab fits 1280 by 800", () => {
    for (const id of [
      "four-words",
      "ten-by-twenty-run-1",
      "fifty-positions",
      "harbour",
      "letter",
      "two-heads",
      "one-word-two-looks",
      "label-smoothing",
      "kl-and-cross-entropy",
      "twelve-dropouts",
      "seven-widths",
      "saturated-rows",
    ]) {
      const config = configOf(id) as ConfigOf<LabId>;
      const { snapshots } = computed(config);
      const scene = sceneOf(config, snapshots, { ...rooms.wide, height: 574 });
      expect([id, scene.width]).toEqual([id, 1232]);
      expect([id, scene.height <= 580]).toEqual([id, true]);
    }
  });
});

test("a table of 512 positions has the height of one of 50", () => {
  const heights = [50, 512].map((length) => {
    const config = configOf<"positions">("fifty-positions", { length });
    const { snapshots } = computed(config);
    return Object.values(rooms).map((room) => sceneOf(config, snapshots, room).height);
  });
  expect(heights[1]).toEqual(heights[0]);
});

test.each<[id: string, numbers?: Partial<VitNumbers>]>([
  ...["face", "harbour", "harbour-encoder", "harbour-resized", "letter"].map((id): [string] => [id]),
  ["harbour-encoder", trained(["square, bottom right", "plus", "cross"], 8)],
])("%s: a caption does not reach the shape beside it", (id, numbers = {}) => {
  const config = configOf<"vit">(id, numbers);
  const { snapshots } = computed(config);
  for (const language of languages) {
    const words = wordsIn(language);
    for (const room of Object.values(rooms))
      labOf(config)
        .steps(config, words, snapshots)
        .forEach(({ cell }, step) => {
          const { labels } = sceneOf(config, snapshots, { ...room, step, cell, words });
          for (const caption of labels.filter(({ kind }) => kind === "caption"))
            for (const shape of labels.filter(
              ({ kind, y, x }) => kind === "shape" && y === caption.y && x > caption.x,
            ))
              expect(caption.x + textWidth(caption.text), `${caption.text} ${shape.text}`).toBeLessThan(
                shape.x - textWidth(shape.text),
              );
        });
  }
});

test("a line stands between the columns of two heads, and a parameter's name contains its head", () => {
  const lines = (config: ConfigOf<"multi-head">, node: string, cell: Cell): string[] => {
    const { snapshots } = computed(config);
    const scene = sceneOf(config, snapshots, { ...rooms.wide, cell });
    const board = boardsOf(scene, snapshots).find((one) => one.node === node)!;
    return [...bracketPaths(board)!.bracket.matchAll(/M([\d.]+) [\d.]+v/g)].map(([, x]) =>
      ((Number(x) - board.x) / board.cellWidth).toFixed(3),
    );
  };
  const projected = { node: "W_Q", index: [1, 5] };
  for (const id of ["W_Q", "W_K", "W_V", "Q", "K", "V"]) {
    expect([id, lines(configOf("two-heads"), id, projected)]).toEqual([id, ["4.000"]]);
    const four = configOf<"multi-head">("two-heads", { heads: 4, keyDim: 2, valueDim: 2 });
    expect([id, lines(four, id, projected)]).toEqual([id, ["2.000", "4.000", "6.000"]]);
    const one = configOf<"multi-head">("two-heads", { heads: 1, keyDim: 8, valueDim: 8 });
    expect([id, lines(one, id, projected)]).toEqual([id, []]);
  }
  // A column of W_O lies under the row of joined heads, so its rows are divided between the heads in the same way.
  const mixed = { node: "output", index: [0, 1, 2] };
  expect(lines(configOf("two-heads"), "W_O", mixed)).toEqual(["4.000"]);
  const config = configOf<"multi-head">("two-heads");
  const meaningOf = (node: string, index: number[]) =>
    labOf(config).nodeWords(config, node, wordsIn("en"), new Map()).meaning!(index);
  expect([meaningOf("W_Q", [1, 5]), meaningOf("W_V", [1, 3]), meaningOf("W_O", [4, 0])]).toEqual([
    "head 1, a parameter",
    "head 0, a parameter",
    "head 1, a parameter",
  ]);
});

describe("losses", () => {
  for (const smoothing of [0, 0.1, 0.5, 0.9]) {
    test(`the axis of the chart fits the curves at smoothing ${smoothing}`, () => {
      const config = configOf<"losses">("label-smoothing", { smoothing });
      const { snapshots } = computed(config);
      const { curves } = sceneOf(config, snapshots, rooms.wide);
      const heights: number[] = [];
      const losses: number[] = [];
      for (const after of ["", "_all", "_others"]) {
        const { points } = curves.find(({ id }) => id === `confidence-line${after}`)!;
        heights.push(...points.map(([, y]) => y));
        losses.push(...snapshots.get(`swept_loss${after}`)!.data.subarray(0, points.length));
      }
      // A unit of loss has the same length at every point of every curve, and no curve is clipped.
      const [most, least] = [Math.max(...losses), Math.min(...losses)];
      const unit = (Math.max(...heights) - Math.min(...heights)) / (most - least);
      for (const [at, loss] of losses.entries())
        expect(heights[at]).toBeCloseTo(Math.min(...heights) + (most - loss) * unit, 6);
    });
  }
});

describe("an arrangement of other settings", () => {
  for (const id of Object.keys(labs) as LabId[]) {
    test(`${id}: the stage still shows the target`, () => {
      const configs = examples.map(({ config }) => config).filter(({ view }) => view.lab === id);
      const stages = configs.map((config) => {
        const lab = labOf(config as ConfigOf<LabId>) as unknown as Lab<LabId>;
        const { snapshots } = computed(config as ConfigOf<LabId>);
        const cell = lab.opening(config, snapshots);
        const stops = lab.steps(config, wordsIn("en"), snapshots);
        const step = Math.max(
          0,
          stops.findIndex(({ nodes }) => nodes.includes(cell.node)),
        );
        return { config: config as ConfigOf<LabId>, snapshots, cell, step };
      });
      for (const room of Object.values(rooms)) {
        const within = { ...room, words: wordsIn("en") };
        const arrangements = stages.map(
          ({ config, snapshots, cell, step }) =>
            sceneFor(config, snapshots, { ...within, step, cell }).arrangement!,
        );
        for (const { config, snapshots, cell, step } of stages)
          for (const arrangement of new Set([...arrangements, "nothing,7,7"])) {
            const scene = sceneFor(config, snapshots, { ...within, step, cell, arrangement });
            expect([config.example, room.layout, arrangement, showsCell(scene, snapshots, cell)]).toEqual([
              config.example,
              room.layout,
              arrangement,
              true,
            ]);
          }
      }
    });
  }
});
