// What a selector of the training lab selects: the numbers of its tensor, or the gradient of the loss, as the core has them.
import { describe, expect, test } from "vitest";
import type { Config, ConfigOf } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { boardsOf } from "../../web/marks/board.js";
import { domainsOf } from "../../web/marks/domains.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";
import { TrainingSession } from "../../web/session/worker/training-session.js";
import { configOf, labOf, wholeCore } from "./labs-sessions.js";

const STEP = 4;
const configWith = (watch: string): ConfigOf<"training"> =>
  configOf<"training">("learn-to-reverse", { step: STEP, beside: [], watch });

/** The session of a selector with its numbers, for as long as `use` runs. */
function watching(watch: string, use: (snapshots: Snapshots, session: TrainingSession) => void): void {
  const config = configWith(watch) as unknown as Config;
  const session = new TrainingSession(wholeCore, wholeBuilds);
  try {
    let answer = session.compute(config);
    while (answer.isUnfinished) answer = session.compute(config);
    expect(answer.error).toBeUndefined();
    use(new Map(answer.snapshots.map((snapshot) => [snapshot.name, snapshot])), session);
  } finally {
    session.delete();
  }
}

const numbersOf = (snapshots: Snapshots, node: string): number[] => [...snapshots.get(node)!.data];
const IN_PROJ = "encoder.layers.1.self_attn.in_proj_weight";
const WEIGHTS = "encoder.layers.0.self_attn.weights";

test("selected numbers are those of the sliced tensor, and are explained as its cells", () => {
  watching(`${WEIGHTS}[1,-1,:,2:4]`, (snapshots, session) => {
    const { shape } = snapshots.get(WEIGHTS)!;
    const [, heads, rows, columns] = shape as [number, number, number, number];
    expect(snapshots.get("selected")!.shape).toEqual([1, 1, rows, 2]);
    const start = (1 * heads + heads - 1) * rows * columns;
    const all = numbersOf(snapshots, WEIGHTS).slice(start, start + rows * columns);
    const expected = all.filter((_, at) => at % columns === 2 || at % columns === 3);
    expect(numbersOf(snapshots, "selected")).toEqual(expected);
    const { uses: _, node, index, ...explained } = session.explain("selected", [0, 0, 5, 1]);
    const { uses: own, node: __, index: place, ...of } = session.explain(WEIGHTS, [1, heads - 1, 5, 3]);
    expect([node, index, place]).toEqual(["selected", [0, 0, 5, 1], [1, heads - 1, 5, 3]]);
    expect(explained).toEqual(of);
    expect(own.map((use) => use.node)).not.toContain("selected");
    expect(snapshots.has("selected.counts")).toBe(false);
  });
});

test("a selected gradient is that of the graph, and is explained where it was computed", () => {
  watching(`${IN_PROJ}[64:68]:grad`, (snapshots, session) => {
    const config = configWith(`${IN_PROJ}[64:68]:grad`) as unknown as Config;
    const gradients = session.gradients(config, { node: "loss", index: [] });
    const { data, shape } = gradients.find(({ name }) => name === IN_PROJ)!;
    const width = shape[1]!;
    expect(numbersOf(snapshots, "selected")).toEqual([...data.slice(64 * width, 68 * width)]);
    const explained = session.explain("selected", [1, 3], true);
    expect(explained.value).toBe(data[65 * width + 3]);
    // The sum over all places of the values' gradient, times what the layer read there.
    const [upstream, local, products] = explained.rows;
    expect(upstream!.operands[0]).toMatchObject({ node: "encoder.layers.1.self_attn.V", gradient: true });
    expect(local!.operands[0]!.node).toBe("encoder.layers.1.norm1");
    const sum = upstream!.operands.reduce(
      (all, { value }, at) => all + value * local!.operands[at]!.value,
      0,
    );
    expect(sum).toBeCloseTo(explained.value, 12);
    expect(products!.value).toBe(explained.value);
    // Gradients of another cell do not change what is explained after them.
    session.gradients(config, { node: "logits", index: [0, 0, 0] });
    expect(session.explain("selected", [1, 3], true)).toEqual(explained);
  });
});

test("a selected move is what the next step adds to the weights, and is explained by the optimizer's numbers", () => {
  const weightsAt = (step: number): number[] => {
    const config = configOf<"training">("learn-to-reverse", { step, beside: [] }) as unknown as Config;
    const session = new TrainingSession(wholeCore, wholeBuilds);
    try {
      let answer = session.compute(config);
      while (answer.isUnfinished) answer = session.compute(config);
      return [...answer.snapshots.find(({ name }) => name === IN_PROJ)!.data];
    } finally {
      session.delete();
    }
  };
  const [before, after] = [weightsAt(STEP), weightsAt(STEP + 1)];
  watching(`${IN_PROJ}:move:hist`, (snapshots, session) => {
    const moves = numbersOf(snapshots, "selected");
    expect(moves.length).toBe(before.length);
    for (const [at, move] of moves.entries()) expect(move).toBeCloseTo(after[at]! - before[at]!, 5);
    const explained = session.explain("selected", [1, 3]);
    expect(explained.value).toBe(moves[32 + 3]);
    expect(explained.rows.flatMap(({ operands }) => operands.map(({ node }) => node))).toContain(
      `${IN_PROJ}.direction`,
    );
    const { value } = session.explain(`${IN_PROJ}.m_hat`, [1, 3]);
    expect(value).not.toBe(0);
  });
  watching(`${IN_PROJ}:grad`, (_, session) => {
    const uses = session.explain("selected", [1, 3], true).uses;
    expect(uses.map(({ node }) => node)).toEqual(["m", "v", "move"].map((part) => `${IN_PROJ}.${part}`));
  });
});

test("a gradient that comes on two ways has the rows of both, and their sum", () => {
  watching("encoder.layers.0.residual1[-1]:grad", (_, session) => {
    const { rows, value } = session.explain("selected", [0, 2, 5]);
    expect(rows.map(({ role }) => role)).toEqual([
      ...["upstream", "slopes", "contributions"],
      ...["upstream", "slopes", "contributions"],
      "gradient",
    ]);
    expect(rows[2]!.value! + rows[5]!.value!).toBeCloseTo(value, 15);
    expect(rows[6]!.value).toBe(value);
  });
});

test.each([
  [`${IN_PROJ}:grad:hist`, -1],
  [`${WEIGHTS}:hist`, 0],
  ["embedding.weight[3,0]:hist", null],
  ["loss:hist", 0],
  ["encoder.norm.bias:hist", null],
])("the histogram of %s holds all numbers", (watch, low) => {
  watching(watch, (snapshots) => {
    const selected = numbersOf(snapshots, "selected");
    const largest = Math.max(...selected.map(Math.abs));
    const counts = numbersOf(snapshots, "selected.counts");
    const edges = numbersOf(snapshots, "selected.edges");
    expect(counts.reduce((all, count) => all + count)).toBe(selected.length);
    expect(edges.at(-1)).toBe(largest);
    if (low !== null) expect(edges[0]).toBeCloseTo(low * largest, 20);
    for (const [bin, count] of counts.entries()) {
      const isLast = bin === counts.length - 1;
      const inside = selected.filter(
        (value) => value >= edges[bin]! && (value < edges[bin + 1]! || (isLast && value === edges[bin + 1])),
      );
      expect(inside.length).toBe(count);
    }
  });
});

test.each([
  ["los", "The selector selects nothing", /nearest are loss, /],
  [`${WEIGHTS}[0,9]`, "The selector selects nothing", /a place in -4 … 3, got “9”/],
  [`${WEIGHTS}[0,0,0,0,5:5]`, "The selector selects nothing", /at most 4 axes/],
  ["source:grad", "The selector selects nothing", /gradients/],
  ["logits:move", "The selector selects nothing", /a parameter/],
])("%s selects nothing, says why, and the rest is there", (watch, title, body) => {
  watching(watch, (snapshots) => {
    const config = configWith(watch);
    expect(snapshots.has("selected")).toBe(false);
    const remarks = labOf(config).remarks(config, snapshots, wordsIn("en"));
    expect(remarks).toMatchObject([{ id: "selector", title, body: expect.stringMatching(body) as string }]);
    expect(snapshots.has("run_0.losses")).toBe(true);
    expect(snapshots.has("layer_0.focus")).toBe(true);
  });
});

test("without a selector the graph is as before", () => {
  watching("none", (snapshots) => {
    expect([...snapshots.keys()].filter((name) => /selected|gradient$/.test(name))).toEqual([]);
    expect(labOf(configWith("none")).remarks(configWith("none"), snapshots, wordsIn("en"))).toEqual([]);
  });
});

describe("the picture", () => {
  const rooms = {
    wide: { width: 1312, height: 600, layout: "wide" },
    two: { width: 772, height: 800, layout: "two" },
    narrow: { width: 358, height: 600, layout: "narrow" },
  } as const;

  test.each(Object.keys(rooms) as (keyof typeof rooms)[])(
    "of a gradient and its histogram stands inside the stage, bins in the colours of the map: %s",
    (layout) => {
      watching(`${IN_PROJ}:grad:hist`, (snapshots) => {
        const config = configWith(`${IN_PROJ}:grad:hist`);
        const cell = { node: "selected", index: [0, 0] };
        const room = { ...rooms[layout], step: 0, cell, words: wordsIn("en") };
        const scene = sceneFor(config, snapshots, room);
        const boards = boardsOf(scene, snapshots);
        const of = (node: string) => boards.find((board) => board.node === node)!;
        const [map, bins] = [of("selected"), of("selected.counts")];
        expect(map.rows).toBe(96);
        for (const { x, y, rows, columns, cellWidth, cellHeight } of [map, bins]) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + columns * cellWidth).toBeLessThanOrEqual(scene.width);
          expect(y + rows * cellHeight).toBeLessThanOrEqual(scene.height);
        }
        expect(bins.x).toBeGreaterThan(map.x + map.columns * map.cellWidth);
        if (scene.note) expect(bins.x + bins.columns * bins.cellWidth).toBeLessThan(scene.note.x);
        // One scale for both: the largest count is no part of it.
        const domains = domainsOf(boards, "shared", null);
        const largest = Math.max(...numbersOf(snapshots, "selected").map(Math.abs));
        expect(domains.get("selected")! / largest).toBeCloseTo(1, 0);
      });
    },
  );
});

test("the control offers every tensor and its gradient, and names the part that is wrong", () => {
  watching("none", (snapshots) => {
    const config = configWith("none");
    const words = wordsIn("en");
    const lab = labOf(config);
    const control = lab.sentence(config, words, snapshots).controls.find(({ id }) => id === "watch")!;
    const offered = control.options!.map(({ value }) => value);
    for (const name of [IN_PROJ, `${IN_PROJ}:grad:hist`, "logits:hist", "loss"])
      expect(offered).toContain(name);
    expect(offered.filter((name) => /^(asked|run|layer)_|vocabulary/.test(name))).toEqual([]);
    const change = (typed: string) => lab.change(config.numbers, "watch", typed, words);
    expect(change(" loss [ 0 : 2 ] :hist ")).toMatchObject({ watch: "loss[0:2]:hist" });
    expect(change("")).not.toHaveProperty("watch");
    expect(change("loss:gradient")).toEqual({
      refused: "Expected :grad or :move, and :hist, each once, got “:gradient”.",
    });
  });
});
